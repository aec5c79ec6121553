import 'server-only'
import type { Opening } from '#lib/async/keep-opening.ts'
import { AppError } from '#lib/contract/faults.ts'
import { processEnv } from '#lib/server/environment/env.ts'
import { createLog, type Log } from '#lib/server/environment/log.ts'
import { once, selectOnce } from '#lib/server/environment/once.ts'
import type { Runtime } from './compose.ts'

/** Secrets that the log must not contain, added as they become known. */
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

const RUNTIME = 'runtime'

/** Sets what opens the runtime. Called when the process starts. */
export const registerOpening = (create: () => Opening<Runtime>) => once(RUNTIME, create)

/**
 * What opens the runtime; undefined until the process has started. Only types of the runtime are imported here: every
 * route bundles this file.
 */
export const selectOpening = () => selectOnce<Opening<Runtime>>(RUNTIME)

/** The process's one runtime, shared by all bundles. Throws AppError('not_ready') with the reason while it is not open. */
export async function openRuntime(): Promise<Runtime> {
  const opening = selectOpening()
  if (opening) return await opening.current()
  throw new AppError('not_ready', 'The process is being started.', { retryAfterSeconds: 1 })
}

/** The runtime; null while it is not open. */
export const selectRuntime = (): Runtime | null => selectOpening()?.opened() ?? null
