import { LRUCache } from 'lru-cache'
import type { Answers, Kind } from '#lib/contract/answers/questions.ts'
import { type Prepared, prepare } from './respond.ts'

type AnswerCacheOptions = {
  /** Seconds since 1970. */
  now: () => number
  generation: () => number
  maxBytes: number
  /** How long *active* may be judged at the same instant. */
  maxAgeSeconds: number
}

/** An answer for whoever renders it, and as bytes for whoever sends it. It is frozen: all who ask share it. */
export type KeptAnswer<K extends Kind = Kind> = {
  value: Answers[K]
  /** Serialised when it is first asked for. */
  toPrepared(): Prepared
}

/** What an answer is kept under: an address has answers of one kind. */
type Key<K extends Kind> = { kind: K; address: string }

export type AnswerCache = {
  /** The answer to an address: kept, on its way, or made now. A failure is not kept. */
  answer<K extends Kind>(key: Key<K>, make: () => Promise<Answers[K]>): Promise<KeptAnswer<K>>
}

type Entry<K extends Kind = Kind> = {
  kind: K
  answer: Promise<KeptAnswer<K>>
  generation: number
  madeAt: number
}

/**
 * Answers by address, the least recently used leaving first. Data change only when a sync commits, so an entry is good
 * for its generation; and states change as time goes by, so for no longer than `maxAgeSeconds`.
 */
export function createAnswerCache(options: AnswerCacheOptions): AnswerCache {
  const { now, generation, maxBytes, maxAgeSeconds } = options
  const entries = new LRUCache<string, Entry>({ maxSize: maxBytes })

  const isFresh = (entry: Entry) =>
    entry.generation === generation() && now() - entry.madeAt < maxAgeSeconds

  const find = <K extends Kind>({ kind, address }: Key<K>): Entry<K> | null => {
    const entry = entries.get(address)
    return entry && isFresh(entry) && isOf(kind, entry) ? entry : null
  }
  const weigh = (address: string, { answer }: Entry, size: number) => {
    const entry = entries.peek(address)
    // Another may have taken its place, or it has left.
    if (entry?.answer !== answer) return
    // As an object of its own: the same one would keep its old size.
    entries.set(address, { ...entry }, { size: address.length + size })
  }
  const toKept = <K extends Kind>(
    value: Answers[K],
    onPrepared: (prepared: Prepared) => void,
  ): KeptAnswer<K> => {
    let prepared: Prepared | null = null
    return {
      value,
      toPrepared() {
        if (prepared) return prepared
        prepared = prepare(value)
        onPrepared(prepared)
        return prepared
      },
    }
  }
  return {
    answer(key, make) {
      const found = find(key)
      if (found) return found.answer
      const { kind, address } = key
      const answer = make().then((value) =>
        toKept<typeof kind>(value, (prepared) =>
          // The value stays beside its bytes, and what it takes is known better now.
          weigh(address, entry, 2 * prepared.body.byteLength),
        ),
      )
      const entry = { kind, answer, generation: generation(), madeAt: now() }
      entries.set(address, entry, { size: address.length })
      answer.then(
        ({ value }) => weigh(address, entry, freeze(value)),
        () => {
          if (entries.peek(address)?.answer === answer) entries.delete(address)
        },
      )
      return answer
    },
  }
}

const isOf = <K extends Kind>(kind: K, entry: Entry): entry is Entry<K> => entry.kind === kind

/** Freezes a value and all that it holds; gives about how many bytes of JSON it would be. */
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
