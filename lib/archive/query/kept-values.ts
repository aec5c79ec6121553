import { LRUCache } from 'lru-cache'

/** How many values of each kind are kept, the latest that were used. */
const VALUES_KEPT = {
  /** How many ratings each symbol and each user has. */
  totals: 1,
  /** By day: a page that goes back in time needs others. */
  fingerprints: 4,
  distances: 4,
  /** What look-ups came before changes, by instant. */
  beforeChanges: 4,
} as const

type Kind = keyof typeof VALUES_KEPT

export type KeptValues = {
  /** Gives the value of the key, which all callers share while it is being made. One that fails is not kept. */
  load<T>(kind: Kind, key: string, make: () => Promise<T>): Promise<T>
}

/** Each kind has one type of value: a key of a kind always names the same one. */
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
