import {
  createKeptStore,
  type KeptState,
  type KeptStore,
  subscribeToKept,
  type TextStorage,
} from '#components/ui/kept-store.ts'
import { toKeptName } from '#lib/contract/base-path.ts'
import {
  hasRoom,
  isWatched,
  mergeStars,
  NO_STARS,
  type Stars,
  toFullText,
  withoutStar,
  withStar,
} from './stars.ts'
import { readStarsText, toStarsText } from './stars-text.ts'
import { STARS_KEY } from './storage-key.ts'
import type { Watched } from './watched.ts'

export const createStarStore = (storage: () => TextStorage): KeptStore<Stars> =>
  createKeptStore(
    {
      key: STARS_KEY,
      unreadableKey: toKeptName('bellwether.watching.unreadable'),
      none: NO_STARS,
      read: readStarsText,
      toText: toStarsText,
      merge: mergeStars,
    },
    storage,
  )

export const starStore = createStarStore(() => window.localStorage)

/** Referentially stable. Browser only. */
export const loadStars = (): KeptState<Stars> => starStore.load()

/** Returns an error message, or null. */
export function toggleStar(watched: Watched): string | null {
  const { saved } = starStore.load()
  if (isWatched(saved, watched)) starStore.change((all) => withoutStar(all, watched))
  else if (!hasRoom(saved, watched.kind)) return toFullText(watched.kind)
  else starStore.change((all) => withStar(all, watched))
  return null
}

export const subscribeToStars = (listener: () => void): (() => void) =>
  subscribeToKept(STARS_KEY, starStore, listener)
