import { useSyncExternalStore } from 'react'

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

export const useNewCount = (): number =>
  useSyncExternalStore(
    subscribe,
    () => count,
    () => 0,
  )

const MOST = 999

export const toCountText = (of: number): string => (of > MOST ? `${MOST}+` : String(of))
