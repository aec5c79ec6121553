import 'server-only'
import { setTimeout as sleepMs } from 'node:timers/promises'
import { toReadProblem } from '#lib/archive/engine/engine-errors.ts'
import { createClosing } from '#lib/async/closing.ts'
import { keepOpening } from '#lib/async/keep-opening.ts'
import { AppError } from '#lib/contract/faults.ts'
import { processEnv } from '#lib/server/environment/env.ts'
import { toLogFields } from '#lib/server/environment/log.ts'
import { once } from '#lib/server/environment/once.ts'
import { processMetrics } from '#lib/server/operate/metrics.ts'
import { createRuntime, type Runtime } from '#lib/server/runtime/compose.ts'
import { processLog, processSecrets, selectOpening } from '#lib/server/runtime/runtime.ts'

const RETRY_MS = 10_000
const rest = () => sleepMs(RETRY_MS, undefined, { ref: false })

/**
 * Opens the process's one runtime, and goes on trying where that fails. In a file of its own: all that a runtime is made of
 * would be in the bundle of every route otherwise, and its text in memory as often.
 */
export const beginOpening = () =>
  once('runtime', () =>
    keepOpening(openNow, {
      rest,
      onProblem: (error) =>
        processLog().error('the data folder cannot be opened', toLogFields(error)),
    }),
  )

async function openNow(): Promise<Runtime> {
  const parsed = processEnv()
  if (!parsed.ok) throw new AppError('not_ready', 'The environment is not valid: see the log.')
  const closing = createClosing()
  try {
    return await createRuntime({
      env: parsed.env,
      log: processLog(),
      metrics: processMetrics(),
      closing,
      rest,
      hide: (secret) => processSecrets().push(secret),
      onBroken: reopen,
    })
  } catch (error) {
    // What was opened must not stay so: the next attempt would find the files in use, by itself.
    await closing.close().catch(() => {})
    throw toOpenProblem(error)
  }
}

/** A file that turns out to be damaged while it is read: opening it again sets it aside. */
function reopen(cause: unknown): void {
  selectOpening()?.reopen(toReadProblem(cause), async (runtime) => {
    await runtime.stop()
    await runtime.close()
  })
}

const FULL = 'The disk of the data folder is full.'
const READ_ONLY = 'The data folder cannot be written to.'
const NO_FOLDER = 'DATA_DIR names something that is no folder.'

const KNOWN: Readonly<Record<string, string>> = {
  ENOSPC: FULL,
  EDQUOT: FULL,
  EROFS: READ_ONLY,
  EACCES: READ_ONLY,
  EPERM: READ_ONLY,
  EEXIST: NO_FOLDER,
  ENOTDIR: NO_FOLDER,
}

/** The engine gives its errors no code: what the system said stands in their words. */
const NO_SPACE = /no space left|quota exceeded/i

/** Why the data folder cannot be opened, as a 503 with a sentence that may leave the process. */
export function toOpenProblem(error: unknown): AppError {
  const cause = error instanceof AppError ? error.cause : error
  const known = NO_SPACE.test(String(cause)) ? FULL : selectKnown(cause)
  if (known !== undefined) return new AppError('not_ready', known, { cause })
  if (error instanceof AppError && error.fault === 'not_ready') return error
  return new AppError('not_ready', 'The data folder cannot be opened: see the log.', { cause })
}

function selectKnown(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return Object.hasOwn(KNOWN, code) ? KNOWN[code] : undefined
}
