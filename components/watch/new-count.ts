import { useSyncExternalStore } from 'react'

/** How many ratings are new in what is watched, as whoever counts them said last. Of the one page of a browser. */
let count = 0
const listeners = new Set<() => void>()

export function setNewCount(next: number): void {
  if (next === count) return
  count = next
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** The server knows of none. */
export const useNewCount = (): number =>
  useSyncExternalStore(
    subscribe,
    () => count,
    () => 0,
  )

const MOST = 999

/** As it stands where there is little room. */
export const toCountText = (of: number): string => (of > MOST ? `${MOST}+` : String(of))
