import { LRUCache } from 'lru-cache'
import { createSingleFlight } from '#lib/async/single-flight.ts'

export type Timelines<T> = {
  /** Null if there are no ratings. Throws AppError('busy') when aborted. */
  load(key: string, signal?: AbortSignal): Promise<T | null>
  loadAll(keys: readonly string[], signal?: AbortSignal): Promise<(T | null)[]>
  bytes(): number
}

type TimelinesOptions<T> = {
  /** Omits keys without ratings. */
  load: (keys: readonly string[], signal: AbortSignal) => Promise<ReadonlyMap<string, T>>
  version: () => string
  /** Single reads must not evict frequent ones. */
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
  const large = new LRUCache<string, T>({ max: 1 })
  const flights = createSingleFlight<ReadonlyMap<string, T>>()
  let current = version()

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

  const keep = (key: string, timeline: T) => {
    if (timeline.bytes > newBytes) large.set(key, timeline)
    else newly.set(key, timeline)
  }

  const loadMissing = async (keys: readonly string[], signal: AbortSignal | undefined) => {
    const loading = current
    return await flights.join(`${loading} ${JSON.stringify(keys)}`, signal, async (wanted) => {
      const loaded = await load(keys, wanted)
      clearIfChanged()
      if (current === loading) for (const [key, timeline] of loaded) keep(key, timeline)
      return loaded
    })
  }

  const loadAll = async (keys: readonly string[], signal?: AbortSignal) => {
    clearIfChanged()
    const found = new Map(keys.map((key) => [key, find(key)]))
    const missing = [...found].flatMap(([key, timeline]) => (timeline ? [] : [key]))
    const loaded = missing.length === 0 ? null : await loadMissing(missing, signal)
    return keys.map((key) => found.get(key) ?? loaded?.get(key) ?? null)
  }

  return {
    load: async (key, signal) => (await loadAll([key], signal))[0] ?? null,
    loadAll,
    bytes() {
      const sizes = [...large.values()].map(({ bytes }) => bytes)
      return newly.calculatedSize + often.calculatedSize + sizes.reduce((all, one) => all + one, 0)
    },
  }
}
