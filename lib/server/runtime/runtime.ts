import 'server-only'
import type { Opening } from '#lib/async/keep-opening.ts'
import { AppError } from '#lib/contract/faults.ts'
import { processEnv } from '#lib/server/environment/env.ts'
import { createLog, type Log } from '#lib/server/environment/log.ts'
import { selectSingleton, singleton } from '#lib/server/environment/singleton.ts'
import type { Runtime } from './compose.ts'

export const processSecrets = () => singleton('secrets', (): string[] => [])

export const processLog = (): Log =>
  singleton('log', () => {
    const parsed = processEnv()
    return createLog({
      write: (line) => process.stderr.write(line),
      now: () => new Date(),
      level: parsed.ok ? parsed.env.logLevel : 'info',
      secrets: processSecrets,
    })
  })

const RUNTIME = 'runtime'

export const registerOpening = (create: () => Opening<Runtime>) => singleton(RUNTIME, create)

/** Imports types only: every route bundles this file. */
export const selectOpening = () => selectSingleton<Opening<Runtime>>(RUNTIME)

/** Throws AppError `not_ready`. */
export async function openRuntime(): Promise<Runtime> {
  const opening = selectOpening()
  if (opening) return await opening.current()
  throw new AppError('not_ready', 'The server is starting.', { retryAfterSeconds: 1 })
}

export const selectRuntime = (): Runtime | null => selectOpening()?.opened() ?? null
