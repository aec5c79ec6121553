import { useSyncExternalStore } from 'react'

/** What a loaded part is: null before it has come, and always on the server. */
export type Loaded<T> = { part: T | null; error: unknown }

const NOTHING = { part: null, error: null }

/**
 * A hook to a part of the program that is loaded when the first component asks for it, and the way to begin before.
 * Without a Suspense boundary: React holds back what stands in for a fallback until the fallback has been seen for
 * 300 ms, and a chart that is ready would wait for its own outline.
 */
export function createLoaded<T>(load: () => Promise<T>): {
  begin: () => void
  useLoaded: () => Loaded<T>
} {
  let loaded: Loaded<T> = NOTHING
  let isBegun = false
  const listeners = new Set<() => void>()
  const settle = (next: Loaded<T>) => {
    loaded = next
    for (const listener of listeners) listener()
  }
  const begin = () => {
    if (isBegun) return
    isBegun = true
    load().then(
      (part) => settle({ part, error: null }),
      (error: unknown) => settle({ part: null, error }),
    )
  }
  const subscribe = (listener: () => void) => {
    begin()
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  const read = () => loaded
  return { begin, useLoaded: () => useSyncExternalStore(subscribe, read, (): Loaded<T> => NOTHING) }
}
