import { LRUCache } from 'lru-cache'
import { createSingleFlight } from '#lib/async/single-flight.ts'

/** Timelines by key, kept in memory as long as the ratings stay the same. */
export type Timelines<T> = {
  /** Null if there are no ratings. Throws AppError('busy') when aborted. */
  load(key: string, signal?: AbortSignal): Promise<T | null>
  /** Bytes of the timelines that are kept. */
  bytes(): number
}

export type TimelinesOptions<T> = {
  load: (key: string, signal: AbortSignal) => Promise<T | null>
  /** Changes whenever a rating does. */
  version: () => string
  /** For timelines that were loaded once: many that are read once each do not displace those that are read often. */
  newBytes: number
  oftenBytes: number
}

export function createTimelines<T extends { bytes: number }>({
  load,
  version,
  newBytes,
  oftenBytes,
}: TimelinesOptions<T>): Timelines<T> {
  const sized = (maxSize: number) =>
    new LRUCache<string, T>({ maxSize, sizeCalculation: ({ bytes }) => bytes })
  const newly = sized(newBytes)
  const often = sized(oftenBytes)
  /** The last one that is larger than `newBytes`: there is one at a time. */
  const large = new LRUCache<string, T>({ max: 1 })
  const flights = createSingleFlight<T | null>()
  let current = version()

  /** Nothing of an earlier version is used again. */
  const clearIfChanged = () => {
    if (current === version()) return
    current = version()
    for (const kept of [newly, often, large]) kept.clear()
  }

  const find = (key: string): T | undefined => {
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
