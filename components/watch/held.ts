/**
 * What a watched thing held when it was looked at, as the server answered: how many ratings, the ids of the newest of them (the
 * newest first, at most 50), when that one was posted. `consensus` (4 places) and `active` are a symbol's. `at` is the server's
 * instant, `generation` the archive's then; `of` the filters of a view, '' for anything else. Instants in seconds since 1970.
 */
export type Held = {
  ratings: number
  newest: readonly number[]
  newestAt: number | null
  consensus: string | null
  active: number
  at: number
  generation: number
  of: string
}

/**
 * What came since a look: how many ratings, and the ids of those that can be named. Where more came than are named, the others
 * lie behind the newest that were there.
 */
export type News = { count: number; ids: readonly number[] }

export const NO_NEWS: News = { count: 0, ids: [] }

/** Whether ratings only ever come to a thing. They leave a view, whose filter may be about what changes. */
export type Growth = 'grows' | 'changes'

/**
 * What is held now and was not when it was looked at: never more than that. Instants play no part: a rating comes hours after it
 * was posted, or weeks. How many came is told by how many there are; which ones, by the ids that were the newest.
 */
export function toNews(seen: Held | null, now: Held, growth: Growth): News {
  // A view whose filters were changed was never looked at.
  if (seen === null || seen.of !== now.of) return NO_NEWS
  const more = Math.max(0, now.ratings - seen.ratings)
  const fresh = selectFresh(seen, now, more)
  // As many may have left a view as have come to it.
  const count = growth === 'grows' ? more : Math.max(more, fresh.length)
  return { count, ids: fresh.slice(0, count) }
}

/** Of the newest, those that were not there. */
function selectFresh(seen: Held, now: Held, more: number): readonly number[] {
  const known = new Set(seen.newest)
  const isFresh = (id: number) => !known.has(id)
  // Every one that was there is named.
  if (seen.newest.length === seen.ratings) return now.newest.filter(isFresh)
  // Only what lies before one that was among the newest is certain to be new: older ones were there without a name.
  const last = now.newest.findLastIndex((id) => known.has(id))
  if (last >= 0) return now.newest.slice(0, last).filter(isFresh)
  return more >= now.newest.length ? now.newest : []
}

/** How many ratings are new in all: one that came to two things is one. Where not all are named, no more than is certain. */
export function toTotal(all: readonly News[]): number {
  const named = new Set(all.flatMap(({ ids }) => ids))
  return Math.max(named.size, ...all.map(({ count }) => count))
}

/**
 * Is what was held told later than what was seen? A node that lags, or an archive that is being filled anew, holds fewer ratings
 * than were seen: what was seen stays.
 */
export function isFurther(held: Held, seen: Held | null, growth: Growth): boolean {
  if (seen === null || seen.of !== held.of) return true
  if (growth === 'grows' && held.ratings !== seen.ratings) return held.ratings > seen.ratings
  return held.generation > seen.generation || held.at >= seen.at
}
