import { LRUCache } from 'lru-cache'

const VALUES_KEPT = {
  totals: 1,
  fingerprints: 4,
  distances: 4,
  beforeChanges: 4,
} as const

type Kind = keyof typeof VALUES_KEPT

export type KeptValues = {
  /** Failures are not cached. */
  load<T>(kind: Kind, key: string, make: () => Promise<T>): Promise<T>
}

/** Each kind has one value type, which makes the cast safe. */
export function createKeptValues(): KeptValues {
  const kept = new Map(
    Object.entries(VALUES_KEPT).map(([kind, max]) => [
      kind,
      new LRUCache<string, Promise<unknown>>({ max }),
    ]),
  )
  return {
    load<T>(kind: Kind, key: string, make: () => Promise<T>): Promise<T> {
      const values = kept.get(kind)
      const found = values?.get(key) as Promise<T> | undefined
      if (found) return found
      const making = make()
      values?.set(key, making)
      making.catch(() => values?.delete(key))
      return making
    },
  }
}
