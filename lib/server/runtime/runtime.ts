import 'server-only'
import type { Opening } from '#lib/async/keep-opening.ts'
import { AppError } from '#lib/contract/faults.ts'
import { processEnv } from '#lib/server/environment/env.ts'
import { createLog, type Log } from '#lib/server/environment/log.ts'
import { once, selectOnce } from '#lib/server/environment/once.ts'
import type { Runtime } from './compose.ts'

/** Keys of this process, as they become known. */
export const processSecrets = () => once('secrets', (): string[] => [])

/** The process's one log. */
export const processLog = (): Log =>
  once('log', () => {
    const parsed = processEnv()
    return createLog({
      write: (line) => process.stderr.write(line),
      now: () => new Date(),
      level: parsed.ok ? parsed.env.logLevel : 'info',
      secrets: processSecrets,
    })
  })

/** What opens the runtime; undefined before the process is started. Of what it is made of only types are imported here. */
export const selectOpening = () => selectOnce<Opening<Runtime>>('runtime')

/** The process's one runtime, the same for all bundles. Where it cannot be opened yet, AppError says why. */
export async function openRuntime(): Promise<Runtime> {
  const opening = selectOpening()
  if (opening) return await opening.current()
  throw new AppError('not_ready', 'The process is being started.', { retryAfterSeconds: 1 })
}

/** The same where it is open now; null where it is not. */
export const selectRuntime = (): Runtime | null => selectOpening()?.opened() ?? null
