import { create } from 'zustand'
import { updateStored, useStored } from '#components/store/store.ts'
import type { LastSeen, Star, Watched, WatchedKind } from '#components/store/stored-state.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'
import { WATCHED_MAX } from '#lib/contract/watching-query.ts'
import { type Growth, isFurther, toNewRatings } from './last-seen.ts'

export type Stars = readonly Star[]

export const watchedSymbol = (symbol: string): Watched => ({
  kind: 'symbol',
  key: toSymbolKey(symbol),
  name: '',
})

export const watchedUser = (userId: number): Watched => ({
  kind: 'user',
  key: String(userId),
  name: '',
})

export const toStarId = ({ kind, key }: Pick<Watched, 'kind' | 'key'>): string => `${kind} ${key}`

export const toWatchedName = ({ kind, key, name }: Watched): string =>
  kind === 'view' ? name : kind === 'user' ? `user ${key}` : toVisibleText(key)

export const growthOf = ({ kind }: Pick<Watched, 'kind'>): Growth =>
  kind === 'view' ? 'changes' : 'grows'

export const isWatched = (stars: Stars, watched: Pick<Watched, 'kind' | 'key'>): boolean =>
  stars.some((star) => toStarId(star) === toStarId(watched))

const hasRoom = (stars: Stars, kind: WatchedKind): boolean =>
  stars.filter((star) => star.kind === kind).length < WATCHED_MAX[kind]

const NOUNS = { symbol: 'symbols', user: 'users', view: 'views' } as const

/** A star that was removed keeps what was seen. */
export function withStar(stars: Stars, watched: Watched & Partial<Star>): Stars {
  if (isWatched(stars, watched) || !hasRoom(stars, watched.kind)) return stars
  return [...stars, { seen: null, before: null, ...watched }]
}

export const withoutStar = (stars: Stars, watched: Pick<Watched, 'kind' | 'key'>): Stars =>
  stars.filter((star) => toStarId(star) !== toStarId(watched))

export type LastSeenById = ReadonlyMap<string, LastSeen>

/** `stays`: news still on screen. Returns the same object if nothing changes. */
export function withLook(
  all: Stars,
  looks: LastSeenById,
  stays: (star: Star) => boolean = () => false,
): Stars {
  const stars = all.map((star) => {
    const held = looks.get(toStarId(star))
    if (!held || isKnown(held, star.seen) || !isFurther(held, star.seen, growthOf(star)))
      return star
    if (star.seen?.of !== held.of) return { ...star, seen: held, before: null }
    const hasNews = toNewRatings(star.seen, held, growthOf(star)).count > 0
    const keeps = !hasNews || (stays(star) && star.before !== null)
    return { ...star, seen: held, before: keeps ? star.before : star.seen }
  })
  return stars.some((star, index) => star !== all[index]) ? stars : all
}

const isKnown = (held: LastSeen, seen: LastSeen | null): boolean =>
  seen !== null && held.of === seen.of && held.at === seen.at && held.ratings === seen.ratings

export const updateStars = (change: (stars: Stars) => Stars): void =>
  updateStored(({ stars }) => ({ stars: change(stars) }))

/** Returns an error message, or null. */
export function toggleStar(watched: Watched): string | null {
  const { kind } = watched
  let problem: string | null = null
  updateStars((stars) => {
    if (isWatched(stars, watched)) return withoutStar(stars, watched)
    if (!hasRoom(stars, kind))
      problem = `At most ${WATCHED_MAX[kind]} watched ${NOUNS[kind]} can be kept. Remove a star first.`
    return withStar(stars, watched)
  })
  return problem
}

export const useHasStars = (): boolean => useStored(({ stars }) => stars.length > 0)

export const useIsWatched = (watched: Pick<Watched, 'kind' | 'key'>): boolean =>
  useStored(({ stars }) => isWatched(stars, watched))

/** New ratings of all stars, counted while the page is open. */
export const useNewCount = create(() => 0)

const COUNT_MAX = 999

export const toCountText = (count: number): string =>
  count > COUNT_MAX ? `${COUNT_MAX}+` : String(count)
