import 'server-only'
import { LRUCache } from 'lru-cache'

type PageCacheOptions = {
  /** Includes keys. */
  maxBytes: number
}

type PageCache<T> = {
  get(key: string, stamp: string): T | undefined
  set(key: string, kept: { stamp: string; value: T; bytes: number }): void
  bytes(): number
}

const ONCE_SHARE = 0.25

type Entry<T> = { stamp: string; value: T; bytes: number }

/** Segmented: single requests never evict entries requested twice. */
export function createPageCache<T>({ maxBytes }: PageCacheOptions): PageCache<T> {
  const onceBytes = Math.floor(maxBytes * ONCE_SHARE)
  const sizeOf = ({ bytes }: Entry<T>, key: string) => Math.max(1, bytes + 2 * key.length)
  const toSegment = (maxSize: number) =>
    new LRUCache<string, Entry<T>>({ maxSize, sizeCalculation: sizeOf })
  const once = toSegment(onceBytes)
  const often = toSegment(maxBytes - onceBytes)

  const promote = (key: string, entry: Entry<T>) => {
    once.delete(key)
    often.set(key, entry)
  }
  return {
    get(key, stamp) {
      const known = often.get(key)
      if (known) return known.stamp === stamp ? known.value : undefined
      const entry = once.get(key)
      if (!entry) return undefined
      promote(key, entry)
      return entry.stamp === stamp ? entry.value : undefined
    },
    set(key, entry) {
      const segment = often.has(key) ? often : once
      segment.set(key, entry)
    },
    bytes: () => once.calculatedSize + often.calculatedSize,
  }
}
