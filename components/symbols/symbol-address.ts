import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import { EVERY_RATING, toQueryText, toSearchParams } from '#lib/contract/ratings-query.ts'
import { ANY, only } from '#lib/contract/value-list.ts'

/** The page of a symbol. */
export const toSymbolHref = (symbol: string): string => `/symbols/${encodeURIComponent(symbol)}`

/** What the ratings of a symbol are asked with. */
export const ratingsOfSymbol = (symbol: string) => ({
  ...EVERY_RATING,
  symbol: only(toSymbolKey(symbol)),
})

/** The ratings page with a symbol's ratings, all of them or those active with one code. */
export function toSymbolRatingsHref(
  symbol: string,
  filters: { rating?: number; action?: number; state?: 'active' } = {},
): string {
  const { rating, action, state = null } = filters
  const query = {
    ...ratingsOfSymbol(symbol),
    rating: rating === undefined ? ANY : only(rating),
    action: action === undefined ? ANY : only(action),
    state,
  }
  return `/${toQueryText(toSearchParams(query))}`
}
