'use client'

import { useSyncExternalStore } from 'react'
import type { Stars } from './stars.ts'
import { keepsStars, STARS_KEY } from './storage-key.ts'
import type { Watched } from './watched.ts'

type StarModule = typeof import('./star-store.ts')

/** Loaded where this browser keeps a star, or when the first one is given: nobody else needs it. */
let loaded: StarModule | null = null
let loading: Promise<StarModule> | null = null
const listeners = new Set<() => void>()

/** What keeps the stars, loaded when it is first needed. */
export function loadStarStore(): Promise<StarModule> {
  loading ??= import('./star-store.ts').then(
    (store) => {
      loaded = store
      store.subscribeToStars(tell)
      tell()
      return store
    },
    (error: unknown) => {
      loading = null
      throw error
    },
  )
  return loading
}

function tell() {
  for (const listener of listeners) listener()
}

/** Stars that another tab gave: until then there was nothing to be loaded. */
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

/** The stars of this browser; null on the server, and until they are loaded. */
export const useStars = (): Stars | null => useSyncExternalStore(subscribe, loadNow, () => null)

/** Whether anything is watched; false on the server, which does not know. */
export const useHasStars = (): boolean => useSyncExternalStore(subscribe, hasStars, () => false)

/** Whether this one is watched. */
export function useIsWatched({ kind, key }: Pick<Watched, 'kind' | 'key'>): boolean {
  const is = () => loadNow()?.stars.some((star) => star.kind === kind && star.key === key) ?? false
  return useSyncExternalStore(subscribe, is, () => false)
}
