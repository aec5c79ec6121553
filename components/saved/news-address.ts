import type { LastSeen, Star } from '#components/store/stored-state.ts'
import { toRatingsHref } from '#lib/contract/page-addresses.ts'
import { EVERY_RATING, type RatingsQuery } from '#lib/contract/ratings-query.ts'
import { readRatingsView } from '#lib/contract/ratings-view.ts'
import { only } from '#lib/contract/value-list.ts'
import type { NewRatings } from './last-seen.ts'

/** Not exact: everything posted after the last look. */
type NewsAddress = { href: string; isExact: boolean }

export function toNewsAddress(
  star: Pick<Star, 'kind' | 'key'>,
  seen: Pick<LastSeen, 'newestAt' | 'of'>,
  { count, ids }: NewRatings,
): NewsAddress {
  if (ids.length === count) {
    return { href: toRatingsHref({ id: only(...ids) }), isExact: true }
  }
  const query = toQuery(star, seen)
  const after = seen.newestAt === null ? null : seen.newestAt + 1
  const from = Math.max(query.from ?? 0, after ?? 0)
  const isOpen = query.to === null || query.to > from
  return { href: toRatingsHref(isOpen && from > 0 ? { ...query, from } : query), isExact: false }
}

function toQuery(
  { kind, key }: Pick<Star, 'kind' | 'key'>,
  seen: Pick<LastSeen, 'of'>,
): RatingsQuery {
  if (kind === 'symbol') return { ...EVERY_RATING, symbol: only(key) }
  if (kind === 'user') return { ...EVERY_RATING, user: only(Number(key)) }
  const {
    open: _open,
    columns: _columns,
    ...query
  } = readRatingsView(new URLSearchParams(seen.of)).query
  return query
}
