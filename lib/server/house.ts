import 'server-only'
import { setTimeout as sleepMs } from 'node:timers/promises'
import { toReadProblem } from '#lib/archive/engine/engine-errors.ts'
import { AppError } from '#lib/contract/faults.ts'
import { createClosing } from './closing.ts'
import { keepOpening } from './keep-opening.ts'
import { createLog, type Log, toLogFields } from './log.ts'
import { createMetrics, type ProcessMetrics } from './metrics.ts'
import { once } from './once.ts'
import { toOpenProblem } from './open-problem.ts'
import { processEnv } from './process-env.ts'
import { type House, wireHouse } from './wire-house.ts'

const RETRY_MS = 10_000
const rest = () => sleepMs(RETRY_MS, undefined, { ref: false })

/** Keys of this process, as they become known. */
const secrets = () => once('secrets', (): string[] => [])

/** The process's one log. */
export const processLog = (): Log =>
  once('log', () => {
    const parsed = processEnv()
    return createLog({
      write: (line) => process.stderr.write(line),
      now: () => new Date(),
      level: parsed.ok ? parsed.env.logLevel : 'info',
      secrets,
    })
  })

/** What the process counts. */
export const processMetrics = (): ProcessMetrics => once('metrics', createMetrics)

/** The process's one house, the same for all four bundles. Where it cannot be opened yet, AppError says why. */
export const openHouse = (): Promise<House> => opening().current()

const opening = () =>
  once('house', () =>
    keepOpening(openNow, {
      rest,
      onProblem: (error) =>
        processLog().error('the data folder cannot be opened', toLogFields(error)),
    }),
  )

async function openNow(): Promise<House> {
  const parsed = processEnv()
  if (!parsed.ok) throw new AppError('not_ready', 'The environment is not valid: see the log.')
  const closing = createClosing()
  try {
    return await wireHouse({
      env: parsed.env,
      log: processLog(),
      metrics: processMetrics(),
      closing,
      rest,
      hide: (secret) => secrets().push(secret),
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
  opening().reopen(toReadProblem(cause), async (house) => {
    await house.stop()
    await house.close()
  })
}
