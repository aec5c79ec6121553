import { LRUCache } from 'lru-cache'
import { createSingleFlight } from '#lib/async/single-flight.ts'
import { type Prepared, prepare } from './respond.ts'

type AnswerCacheOptions = {
  /** Seconds since 1970. */
  now: () => number
  version: () => string
  maxBytes: number
  maxAgeSeconds: number
}

/** Frozen, because all clients share it. */
type KeptAnswer<V> = {
  value: V
  toPrepared(): Prepared
}

type AnswerCache<V> = {
  /**
   * Failures are not cached. Throws AppError `busy` when `signal` fires; the work aborts once no
   * caller is left.
   */
  answer(
    address: string,
    signal: AbortSignal | undefined,
    make: (signal: AbortSignal) => Promise<V>,
  ): Promise<KeptAnswer<V>>
}

type Entry<V> = { answer: KeptAnswer<V>; version: string; madeAt: number }

export function createAnswerCache<V extends object>(options: AnswerCacheOptions): AnswerCache<V> {
  const { now, version, maxBytes, maxAgeSeconds } = options
  const entries = new LRUCache<string, Entry<V>>({ maxSize: maxBytes })
  const singleFlight = createSingleFlight<Entry<V>>()

  const isFresh = (entry: Entry<V>) =>
    entry.version === version() && now() - entry.madeAt < maxAgeSeconds

  const find = (address: string): Entry<V> | null => {
    const entry = entries.get(address)
    return entry && isFresh(entry) ? entry : null
  }
  const weigh = (address: string, { answer }: Entry<V>, size: number) => {
    const entry = entries.peek(address)
    if (entry?.answer !== answer) return
    entries.set(address, { ...entry }, { size: address.length + size })
  }
  const toEntry = (address: string, value: V, begun: EntryVersion) => {
    let prepared: Prepared | null = null
    const toPrepared = () => {
      if (prepared) return prepared
      prepared = prepare(value)
      weigh(address, entry, 2 * prepared.body.byteLength)
      return prepared
    }
    const entry: Entry<V> = { answer: { value, toPrepared }, ...begun }
    return entry
  }
  return {
    async answer(address, signal, make) {
      const found = find(address)
      if (found) return found.answer
      const begun = { version: version(), madeAt: now() }
      const entry = await singleFlight.join(
        `${begun.version} ${address}`,
        signal,
        async (wanted) => {
          const made = toEntry(address, await make(wanted), begun)
          const size = freeze(made.answer.value)
          // An answer begun before a commit must not replace a newer one.
          if (isFresh(made) || !find(address)) {
            entries.set(address, made, { size: address.length + size })
          }
          return made
        },
      )
      return entry.answer
    },
  }
}

type EntryVersion = Pick<Entry<unknown>, 'version' | 'madeAt'>

/** Returns the approximate size as JSON, in bytes. */
function freeze(value: unknown): number {
  if (typeof value === 'string') return value.length + 3
  if (typeof value !== 'object' || value === null) return 6
  Object.freeze(value)
  if (Array.isArray(value)) return value.reduce((size: number, part) => size + freeze(part), 2)
  return Object.entries(value).reduce(
    (size, [name, part]) => size + name.length + 3 + freeze(part),
    2,
  )
}
