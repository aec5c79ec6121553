import type { LastSeen } from '#components/store/stored-state.ts'

/** `count` may exceed `ids`. */
export type NewRatings = { count: number; ids: readonly number[] }

export const NO_NEW_RATINGS: NewRatings = { count: 0, ids: [] }

/** Only views lose ratings. */
export type Growth = 'grows' | 'changes'

/** Compares counts and ids: ratings can arrive weeks after they were posted. */
export function toNewRatings(seen: LastSeen | null, now: LastSeen, growth: Growth): NewRatings {
  if (seen === null || seen.of !== now.of) return NO_NEW_RATINGS
  const more = Math.max(0, now.ratings - seen.ratings)
  const fresh = selectFresh(seen, now, more)
  // A view may have lost as many ratings as it gained.
  const count = growth === 'grows' ? more : Math.max(more, fresh.length)
  return { count, ids: fresh.slice(0, count) }
}

function selectFresh(seen: LastSeen, now: LastSeen, more: number): readonly number[] {
  const known = new Set(seen.newest)
  const isFresh = (id: number) => !known.has(id)
  if (seen.newest.length === seen.ratings) return now.newest.filter(isFresh)
  // Only ids before a known one are certainly new.
  const last = now.newest.findLastIndex((id) => known.has(id))
  if (last >= 0) return now.newest.slice(0, last).filter(isFresh)
  return more >= now.newest.length ? now.newest : []
}

/** A lower bound: things may share ratings. */
export function toTotal(all: readonly NewRatings[]): number {
  const named = new Set(all.flatMap(({ ids }) => ids))
  return Math.max(named.size, ...all.map(({ count }) => count))
}

/** A lagging node or a refilling archive holds fewer ratings. */
export function isFurther(now: LastSeen, seen: LastSeen | null, growth: Growth): boolean {
  if (seen === null || seen.of !== now.of) return true
  if (growth === 'grows' && now.ratings !== seen.ratings) return now.ratings > seen.ratings
  return now.generation > seen.generation || now.at >= seen.at
}
