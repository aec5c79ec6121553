import { LRUCache } from 'lru-cache'
import { createSingleFlight } from '#lib/async/single-flight.ts'
import { type Prepared, prepare } from './respond.ts'

type AnswerCacheOptions = {
  /** Seconds since 1970. */
  now: () => number
  /** Differs for different ratings. */
  version: () => string
  maxBytes: number
  /** How long *active* may be judged at the same instant. */
  maxAgeSeconds: number
}

/** An answer as a value for pages, and as bytes for responses. It is frozen, since every client shares it. */
type KeptAnswer<V> = {
  value: V
  /** Serialized when it is first needed. */
  toPrepared(): Prepared
}

type AnswerCache<V> = {
  /**
   * The answer at an address: cached, in flight, or made now. A failure is not cached. Throws AppError('busy') as soon as
   * `signal` fires; the signal given to `make` fires once nobody waits any more.
   */
  answer(
    address: string,
    signal: AbortSignal | undefined,
    make: (signal: AbortSignal) => Promise<V>,
  ): Promise<KeptAnswer<V>>
}

type Entry<V> = { answer: KeptAnswer<V>; version: string; madeAt: number }

/**
 * Answers by address, least recently used first out. An entry is good for its generation, and for at most `maxAgeSeconds`, since
 * states change as time goes by.
 */
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
    // It may have been replaced or evicted.
    if (entry?.answer !== answer) return
    // A new object: the cache keeps the size of the same one.
    entries.set(address, { ...entry }, { size: address.length + size })
  }
  const toEntry = (address: string, value: V, begun: Begun) => {
    let prepared: Prepared | null = null
    const toPrepared = () => {
      if (prepared) return prepared
      prepared = prepare(value)
      // The value stays beside its bytes, whose size is known now.
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
          // An answer begun before a commit does not replace a newer one.
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

type Begun = Pick<Entry<unknown>, 'version' | 'madeAt'>

/** Freezes a value deeply. Returns about how many bytes of JSON it is. */
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
