'use client'

import { useCallback, useMemo, useSyncExternalStore } from 'react'

const KEY = 'bellwether.ratings.hidden-columns'
const listeners = new Set<() => void>()

/** The columns that this reader does not want to see, kept in the browser; the server shows them all. */
export function useHiddenColumns() {
  const text = useSyncExternalStore(subscribe, loadText, () => '')
  const hidden = useMemo(() => text.split(',').filter((id) => id !== ''), [text])
  const setHidden = useCallback((ids: readonly string[]) => {
    try {
      localStorage.setItem(KEY, ids.join(','))
    } catch {
      // Storage may be full or forbidden: then the choice lasts as long as nothing is read again.
    }
    for (const listener of listeners) listener()
  }, [])
  return { hidden, setHidden }
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}

function loadText(): string {
  try {
    return localStorage.getItem(KEY) ?? ''
  } catch {
    return ''
  }
}
