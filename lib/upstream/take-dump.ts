import { openDump, openRest } from './dump-download.ts'
import { type Part, parseRest } from './dump-part.ts'
import { AGAIN, assertOk, type Reading } from './read-answer.ts'
import type { BodyReading } from './read-body.ts'
import type { Watch } from './time-limits.ts'
import type { DumpDownload } from './upstream.ts'

type Answer = { response: Response; watch: Watch }

/** Takes a whole dump, as far as its body has begun. Throws `AttemptFailure`. */
export async function takeDump(
  { response, watch }: Answer,
  reading: Reading,
): Promise<DumpDownload> {
  const { now, sizeLimits } = reading
  assertOk(response, now())
  const how = { ...toBodyReading(watch, reading), now: now(), errorBytes: sizeLimits.errorBytes }
  return await openDump(response, how)
}

/**
 * Takes what came where the rest behind a part was asked for: the rest, or the whole, where the service knows no ranges
 * or the dump is another one by now. `AGAIN` where it is neither: then the whole is to be asked for. Throws
 * `AttemptFailure`.
 */
export async function takeRest(
  part: Part,
  { response, watch }: Answer,
  reading: Reading,
): Promise<DumpDownload | typeof AGAIN> {
  const rest = response.status === 206 ? parseRest(response, part) : null
  if (rest) return openRest(response, { ...toBodyReading(watch, reading), ...rest })
  if (response.status !== 206 && response.status !== 416) {
    return await takeDump({ response, watch }, reading)
  }
  void response.body?.cancel().catch(() => {})
  watch.close()
  return AGAIN
}

function toBodyReading(watch: Watch, reading: Reading): BodyReading {
  const { nowMs, timeLimits, sizeLimits, watchForKey } = reading
  return {
    watch,
    nowMs,
    idleMs: timeLimits.dumpIdleMs,
    idleBytes: timeLimits.dumpIdleBytes,
    maximumBytes: sizeLimits.dumpBytes,
    watchForKey,
  }
}
