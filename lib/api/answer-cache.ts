import type { Prepared } from './respond.ts'

type Entry = { answer: Promise<Prepared>; bytes: number; generation: number; madeAt: number }

type AnswerCacheOptions = {
  /** Seconds since 1970. */
  now: () => number
  generation: () => number
  maxBytes: number
  /** How long *active* may be judged at the same instant. */
  maxAgeSeconds: number
}

export type AnswerCache = {
  /** The answer to an address: kept, on its way, or made now. A failure is not kept. */
  answer(address: string, make: () => Promise<Prepared>): Promise<Prepared>
  /** The answer if it stands ready, for a reply without a detour. */
  peek(address: string): Promise<Prepared> | null
}

/**
 * Answers by address, the least recently used leaving first. Data change only when a sync commits, so an entry is good
 * for its generation; and states change as time goes by, so for no longer than `maxAgeSeconds`.
 */
export function createAnswerCache(options: AnswerCacheOptions): AnswerCache {
  const { now, generation, maxBytes, maxAgeSeconds } = options
  const entries = new Map<string, Entry>()
  let bytes = 0

  const drop = (address: string, entry: Entry) => {
    if (entries.get(address) !== entry) return
    entries.delete(address)
    bytes -= entry.bytes
  }

  const weigh = (address: string, entry: Entry, size: number) => {
    if (entries.get(address) !== entry) return
    bytes += size - entry.bytes
    entry.bytes = size
    for (const [oldest, old] of entries) {
      if (bytes <= maxBytes) return
      drop(oldest, old)
    }
  }

  const peek = (address: string): Promise<Prepared> | null => {
    const entry = entries.get(address)
    if (!entry) return null
    const fresh = entry.generation === generation() && now() - entry.madeAt < maxAgeSeconds
    entries.delete(address)
    if (fresh) entries.set(address, entry)
    else bytes -= entry.bytes
    return fresh ? entry.answer : null
  }

  const answer = (address: string, make: () => Promise<Prepared>): Promise<Prepared> => {
    const ready = peek(address)
    if (ready) return ready
    const entry: Entry = {
      answer: make(),
      bytes: address.length,
      generation: generation(),
      madeAt: now(),
    }
    entries.set(address, entry)
    bytes += entry.bytes
    entry.answer.then(
      (made) => weigh(address, entry, made.body.byteLength + address.length),
      () => drop(address, entry),
    )
    return entry.answer
  }

  return { answer, peek }
}
