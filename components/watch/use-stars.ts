'use client'

import { useSyncExternalStore } from 'react'
import type { Stars } from './stars.ts'
import { keepsStars, STARS_KEY } from './storage-key.ts'
import type { Watched } from './watched.ts'

type StarModule = typeof import('./star-store.ts')

let loaded: StarModule | null = null
let loading: Promise<StarModule> | null = null
const listeners = new Set<() => void>()

export function loadStarStore(): Promise<StarModule> {
  loading ??= import('./star-store.ts').then(
    (store) => {
      loaded = store
      store.subscribeToStars(notifyListeners)
      notifyListeners()
      return store
    },
    (error: unknown) => {
      loading = null
      throw error
    },
  )
  return loading
}

function notifyListeners() {
  for (const listener of listeners) listener()
}

const onStorage = ({ key }: StorageEvent) => {
  if (key === STARS_KEY && loaded === null && keepsStars()) void loadStarStore().catch(() => {})
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) window.addEventListener('storage', onStorage)
  listeners.add(listener)
  if (loaded === null && keepsStars()) void loadStarStore().catch(() => {})
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) window.removeEventListener('storage', onStorage)
  }
}

const loadNow = (): Stars | null => loaded?.loadStars().saved ?? null
const hasStars = () => (loaded ? loaded.loadStars().saved.stars.length > 0 : keepsStars())

/** Null on the server and until loaded. */
export const useStars = (): Stars | null => useSyncExternalStore(subscribe, loadNow, () => null)

/** False on the server. */
export const useHasStars = (): boolean => useSyncExternalStore(subscribe, hasStars, () => false)

export function useIsWatched({ kind, key }: Pick<Watched, 'kind' | 'key'>): boolean {
  const is = () => loadNow()?.stars.some((star) => star.kind === kind && star.key === key) ?? false
  return useSyncExternalStore(subscribe, is, () => false)
}
