/**
 * Why something may not be kept: storage is `denied` or `full`, or it holds what a `newer` version wrote, which is left
 * alone. `damaged`: what was there could not be read, or not all of it, and is put aside.
 */
export type KeptProblem = 'denied' | 'full' | 'newer' | 'damaged'

export type KeptState<T> = { saved: T; problem: KeptProblem | null }

export type TextStorage = Pick<Storage, 'getItem' | 'setItem'>

/** `isWhole`: all of it could be read. */
export type ReadText<T> = { ok: true; value: T; isWhole: boolean } | { ok: false; isNewer: boolean }

export type KeptForm<T> = {
  /** Where it is kept, and where a text that could not be read is put aside before anything is written in its place. */
  key: string
  unreadableKey: string
  /** What there is before anything was kept. */
  none: T
  /** Never throws. */
  read: (text: string) => ReadText<T>
  /** The same value gives the same text. */
  toText: (value: T) => string
  /** What two tabs know, put together: the same whichever is given first. */
  merge: (mine: T, theirs: T) => T
}

export type KeptStore<T> = {
  load(): KeptState<T>
  change(to: (saved: T) => T): void
  /** Another tab has written. What it did not know of is written again, so that both hold the same. */
  hear(): void
  subscribe(listener: () => void): () => void
}

/**
 * Something that a browser keeps, and that several tabs may change at once. `storage` is asked each time, since asking may be what is
 * forbidden; what cannot be kept lasts as long as the page. Every change begins at what the storage holds at that moment.
 */
export function createKeptStore<T>(
  { key, unreadableKey, none, read: readText, toText, merge }: KeptForm<T>,
  storage: () => TextStorage,
): KeptStore<T> {
  let snapshot: KeptState<T> = { saved: none, problem: null }
  let seen: string | null = null
  let hasLoaded = false
  const listeners = new Set<() => void>()

  const show = (next: KeptState<T>) => {
    snapshot = next
    for (const listener of listeners) listener()
  }
  const read = (): KeptState<T> => {
    let text: string | null
    try {
      text = storage().getItem(key)
    } catch {
      return { ...snapshot, problem: 'denied' }
    }
    if (hasLoaded && text === seen) return snapshot
    const wasCleared = text === null && seen !== null
    seen = text
    if (text === null) return { saved: wasCleared ? none : snapshot.saved, problem: null }
    const found = readText(text)
    if (!found.ok) return { ...snapshot, problem: found.isNewer ? 'newer' : 'damaged' }
    const saved = merge(snapshot.saved, found.value)
    return { saved, problem: found.isWhole ? null : 'damaged' }
  }
  const write = ({ saved, problem }: KeptState<T>): KeptState<T> => {
    if (problem === 'newer') return { saved, problem }
    try {
      if (problem === 'damaged' && seen !== null) storage().setItem(unreadableKey, seen)
      const text = toText(saved)
      storage().setItem(key, text)
      seen = text
      return { saved, problem: null }
    } catch (error) {
      return { saved, problem: isFull(error) ? 'full' : 'denied' }
    }
  }
  return {
    load() {
      if (!hasLoaded) snapshot = read()
      hasLoaded = true
      return snapshot
    },
    change(to) {
      const { saved, problem } = read()
      hasLoaded = true
      const changed = to(saved)
      if (changed === snapshot.saved && problem === snapshot.problem) return
      show(write({ saved: changed, problem }))
    },
    hear() {
      const heard = read()
      if (heard === snapshot) return
      const isWhole = heard.problem !== null || seen === null || toText(heard.saved) === seen
      show(isWhole ? heard : write(heard))
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

const isFull = (error: unknown) =>
  error instanceof DOMException && error.name === 'QuotaExceededError'

/** Calls back after each change of a store, in this tab or in another one; gives the way to stop that. */
export function subscribeToKept(
  key: string,
  store: Pick<KeptStore<unknown>, 'hear' | 'subscribe'>,
  listener: () => void,
): () => void {
  const onStorage = (event: StorageEvent) => {
    if (event.key === key || event.key === null) store.hear()
  }
  const stop = store.subscribe(listener)
  window.addEventListener('storage', onStorage)
  return () => {
    stop()
    window.removeEventListener('storage', onStorage)
  }
}
