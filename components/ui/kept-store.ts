/** `newer` is left alone; `damaged` is at least partly unreadable and moved to `unreadableKey`. */
export type KeptProblem = 'denied' | 'full' | 'newer' | 'damaged'

export type KeptState<T> = { saved: T; problem: KeptProblem | null }

export type TextStorage = Pick<Storage, 'getItem' | 'setItem'>

export type ReadText<T> = { ok: true; value: T; isWhole: boolean } | { ok: false; isNewer: boolean }

type KeptForm<T> = {
  key: string
  unreadableKey: string
  none: T
  /** Never throws. */
  read: (text: string) => ReadText<T>
  /** Deterministic. */
  toText: (value: T) => string
  /** Commutative. */
  merge: (mine: T, theirs: T) => T
}

export type KeptStore<T> = {
  load(): KeptState<T>
  change(to: (saved: T) => T): void
  /** Called when another tab has written; writes back what that tab did not know. */
  hear(): void
  subscribe(listener: () => void): () => void
}

/**
 * `storage` is a function, because accessing `localStorage` may throw. Without storage the state
 * lasts until the page closes. Changes start from the stored value.
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

/** Covers other tabs. Returns the unsubscribe function. */
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
