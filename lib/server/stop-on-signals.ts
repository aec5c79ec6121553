import 'server-only'
import { openHouse, processLog } from './house.ts'
import { toLogFields } from './log.ts'
import { processTraffic } from './traffic.ts'
import type { House } from './wire-house.ts'

/** Answers in flight get so long; then what is still open is broken off, and every file closed. */
const DRAIN_MS = 7000
/** Whatever happens, the process ends by then. */
const DEADLINE_MS = 9500

/**
 * Ends the process when it is asked to: the sync at its last commit, answers in flight to their ends, the archive
 * closed, so that the next start finds nothing to recover. The framework's own handler is off
 * (`NEXT_MANUAL_SIG_HANDLE`): it would end the process in the middle of that, or wait for a stalled reader for ever.
 */
export function stopOnSignals(): void {
  let isStopping = false
  const stop = (signal: string) => {
    if (isStopping) return
    isStopping = true
    setTimeout(() => process.exit(0), DEADLINE_MS).unref()
    void stopAll(signal).finally(() => process.exit(0))
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}

async function stopAll(signal: string): Promise<void> {
  const log = processLog()
  const traffic = processTraffic()
  log('stopping', { signal, answering: traffic.active() })
  const house = await selectOpen()
  const drained = traffic.drain(AbortSignal.timeout(DRAIN_MS))
  try {
    await Promise.all([house?.stop(), drained])
    traffic.cut()
    await house?.close()
    log('stopped')
  } catch (error) {
    log.error('the stop was not clean', toLogFields(error))
  }
}

/** null where it is not open: there is nothing to end, and an archive that is being brought to a new version is safe. */
async function selectOpen(): Promise<House | null> {
  const closed = new Promise<null>((resolve) => setImmediate(() => resolve(null)))
  return await Promise.race([openHouse().catch(() => null), closed])
}
