import { WATCHED_MAX } from '#lib/contract/watching-query.ts'
import { type Growth, isFurther, type LastSeen, toNewRatings } from './last-seen.ts'
import { toStarId, type Watched, type WatchedKind } from './watched.ts'

/**
 * `seen`: null before the first answer. `before`: the look before the last one that found anything.
 */
export type Star = Watched & {
  seen: LastSeen | null
  before: LastSeen | null
  revision: number
}

/** Tombstone, so that no other tab restores the star. */
type Removed = Pick<Watched, 'kind' | 'key'> & { revision: number }

export type Stars = { stars: readonly Star[]; removed: readonly Removed[] }

export const NO_STARS: Stars = { stars: [], removed: [] }

export const growthOf = ({ kind }: Pick<Watched, 'kind'>): Growth =>
  kind === 'view' ? 'changes' : 'grows'

export const isWatched = ({ stars }: Stars, watched: Pick<Watched, 'kind' | 'key'>): boolean =>
  stars.some((star) => toStarId(star) === toStarId(watched))

export const hasRoom = ({ stars }: Stars, kind: WatchedKind): boolean =>
  stars.filter((star) => star.kind === kind).length < WATCHED_MAX[kind]

const NOUNS = { symbol: 'symbols', user: 'users', view: 'views' } as const

export const toFullText = (kind: WatchedKind): string =>
  `At most ${WATCHED_MAX[kind]} watched ${NOUNS[kind]} can be kept. Remove a star first.`

const nextRevision = ({ stars, removed }: Stars): number =>
  1 + Math.max(0, ...[...stars, ...removed].map(({ revision }) => revision))

export function withStar(all: Stars, { kind, key, name }: Watched): Stars {
  if (isWatched(all, { kind, key }) || !hasRoom(all, kind)) return all
  const star = { kind, key, name, seen: null, before: null, revision: nextRevision(all) }
  return {
    stars: [...all.stars, star],
    removed: all.removed.filter((other) => toStarId(other) !== toStarId(star)),
  }
}

const REMOVED_MAX = 300

export function withoutStar(all: Stars, { kind, key }: Pick<Watched, 'kind' | 'key'>): Stars {
  if (!isWatched(all, { kind, key })) return all
  const removed = { kind, key, revision: nextRevision(all) }
  return {
    stars: all.stars.filter((star) => toStarId(star) !== toStarId(removed)),
    removed: [...all.removed, removed].slice(-REMOVED_MAX),
  }
}

export type LastSeenById = ReadonlyMap<string, LastSeen>

/** `stays`: news still on screen. Returns the same object if nothing changes. */
export function withLook(
  all: Stars,
  looks: LastSeenById,
  stays: (star: Star) => boolean = () => false,
): Stars {
  let isOther = false
  const stars = all.stars.map((star) => {
    const held = looks.get(toStarId(star))
    if (!held || isKnown(held, star.seen) || !isFurther(held, star.seen, growthOf(star)))
      return star
    isOther = true
    const isOfSame = star.seen?.of === held.of
    if (!isOfSame) return { ...star, seen: held, before: null }
    const hasNews = toNewRatings(star.seen, held, growthOf(star)).count > 0
    const keeps = !hasNews || (stays(star) && star.before !== null)
    return { ...star, seen: held, before: keeps ? star.before : star.seen }
  })
  return isOther ? { ...all, stars } : all
}

const isKnown = (held: LastSeen, seen: LastSeen | null): boolean =>
  seen !== null && held.of === seen.of && held.at === seen.at && held.ratings === seen.ratings

/** Commutative. The higher revision wins, then the later look. */
export function mergeStars(mine: Stars, theirs: Stars): Stars {
  const removed = new Map<string, Removed>()
  for (const one of [...mine.removed, ...theirs.removed]) {
    const other = removed.get(toStarId(one))
    if (!other || other.revision < one.revision) removed.set(toStarId(one), one)
  }
  const stars = new Map<string, Star>()
  for (const star of [...mine.stars, ...theirs.stars]) {
    const other = stars.get(toStarId(star))
    stars.set(toStarId(star), other ? mergeStar(other, star) : star)
  }
  const isGone = (star: Star) => (removed.get(toStarId(star))?.revision ?? -1) > star.revision
  return {
    stars: [...stars.values()].filter((star) => !isGone(star)).sort(inOrder),
    removed: [...removed.values()]
      .filter((one) => (stars.get(toStarId(one))?.revision ?? -1) < one.revision)
      .sort(inOrder),
  }
}

function mergeStar(a: Star, b: Star): Star {
  if (a.revision !== b.revision) return a.revision > b.revision ? a : b
  const { seen, before } = compareLooks(a, b) >= 0 ? a : b
  return { ...a, name: compare(a.name, b.name) >= 0 ? a.name : b.name, seen, before }
}

function compareLooks(a: Star, b: Star): number {
  if (a.seen === null || b.seen === null) {
    return Number(a.seen !== null) - Number(b.seen !== null)
  }
  const byRatings = growthOf(a) === 'grows' ? a.seen.ratings - b.seen.ratings : 0
  return (
    byRatings ||
    a.seen.at - b.seen.at ||
    a.seen.generation - b.seen.generation ||
    compare(JSON.stringify([a.seen, a.before]), JSON.stringify([b.seen, b.before]))
  )
}

type RemovedStar = Pick<Removed, 'kind' | 'key' | 'revision'>

const inOrder = (a: RemovedStar, b: RemovedStar): number =>
  a.revision - b.revision || compare(toStarId(a), toStarId(b))

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
