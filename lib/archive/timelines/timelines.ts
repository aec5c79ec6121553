import { LRUCache } from 'lru-cache'
import { createSingleFlight } from '#lib/async/single-flight.ts'
import type { Timeline } from '#lib/timeline/timeline.ts'

/** Symbols' timelines, kept in memory as long as the ratings stay the same. */
export type Timelines = {
  /** Null if the symbol has no rating. Throws AppError('busy') when aborted. */
  load(key: string, signal?: AbortSignal): Promise<Timeline | null>
  /** Bytes of the timelines that are kept. */
  bytes(): number
}

const MIB = 2 ** 20
/** For timelines that were loaded once: many symbols read once each do not displace those that are read often. */
const NEW_BYTES = 12 * MIB
const OFTEN_BYTES = 36 * MIB

export type TimelinesOptions = {
  load: (key: string, signal: AbortSignal) => Promise<Timeline | null>
  /** Changes whenever a rating does. */
  version: () => string
  newBytes?: number
  oftenBytes?: number
}

export function createTimelines({
  load,
  version,
  newBytes = NEW_BYTES,
  oftenBytes = OFTEN_BYTES,
}: TimelinesOptions): Timelines {
  const sized = (maxSize: number) =>
    new LRUCache<string, Timeline>({ maxSize, sizeCalculation: ({ bytes }) => bytes })
  const newly = sized(newBytes)
  const often = sized(oftenBytes)
  /** The last one that is larger than `newBytes`: there is one at a time. */
  const large = new LRUCache<string, Timeline>({ max: 1 })
  const flights = createSingleFlight<Timeline | null>()
  let current = version()

  /** Nothing of an earlier version is used again. */
  const clearIfChanged = () => {
    if (current === version()) return
    current = version()
    for (const kept of [newly, often, large]) kept.clear()
  }

  const find = (key: string): Timeline | undefined => {
    const found = often.get(key) ?? large.get(key)
    if (found) return found
    const again = newly.get(key)
    if (!again) return undefined
    newly.delete(key)
    often.set(key, again)
    return again
  }

  return {
    async load(key, signal) {
      clearIfChanged()
      const found = find(key)
      if (found) return found
      const loading = current
      return await flights.join(`${loading} ${key}`, signal, async (wanted) => {
        const timeline = await load(key, wanted)
        clearIfChanged()
        if (timeline && current === loading) {
          if (timeline.bytes > newBytes) large.set(key, timeline)
          else newly.set(key, timeline)
        }
        return timeline
      })
    },
    bytes() {
      const sizes = [...large.values()].map(({ bytes }) => bytes)
      return newly.calculatedSize + often.calculatedSize + sizes.reduce((all, one) => all + one, 0)
    },
  }
}
