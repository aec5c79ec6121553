import { EVERY_RATING, toQueryText, toSearchParams } from '#lib/contract/ratings-query.ts'
import { ANY, only } from '#lib/contract/value-list.ts'

const NUMBER = /^(?:0|-?[1-9]\d{0,14})$/

/** A user's number as an address writes it, or null where the text is none. */
export const parseUserId = (text: string): number | null =>
  NUMBER.test(text) ? Number(text) : null

/** What the ratings of a user are asked with. `asof` (seconds since 1970) leaves what existed then; null is now. */
export const ratingsOfUser = (userId: number, asof: number | null = null) => ({
  ...EVERY_RATING,
  user: only(userId),
  asof,
})

/** The ratings page with a user's ratings, all of them or those with one code or symbol. */
export function toUserRatingsHref(
  userId: number,
  filters: { rating?: number; action?: number; symbol?: string; sortedBy?: 'symbol' } = {},
): string {
  const { rating, action, symbol, sortedBy } = filters
  const query = {
    ...ratingsOfUser(userId),
    rating: rating === undefined ? ANY : only(rating),
    action: action === undefined ? ANY : only(action),
    symbol: symbol === undefined ? ANY : only(symbol.toUpperCase()),
    ...(sortedBy && { sort: { column: sortedBy, direction: 'asc' as const } }),
  }
  return `/${toQueryText(toSearchParams(query))}`
}
