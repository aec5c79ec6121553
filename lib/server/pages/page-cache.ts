import 'server-only'
import { LRUCache } from 'lru-cache'

export type PageCacheOptions = {
  /** What all that is kept may take, keys included. */
  maxBytes: number
}

/** Values by key, each good for as long as its stamp is the one that is asked for. */
export type PageCache<T> = {
  get(key: string, stamp: string): T | undefined
  /** Keeps a value that takes `bytes`, in the place of the one before. */
  set(key: string, kept: { stamp: string; value: T; bytes: number }): void
  bytes(): number
}

/** What was asked for once takes so much of the room at the most. */
const ONCE_SHARE = 0.25

type Entry<T> = { stamp: string; value: T; bytes: number }

/**
 * A segmented cache: what is asked for a second time moves to where others of its kind are, and what is asked for only
 * once never drives it out, however much of that comes.
 */
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
