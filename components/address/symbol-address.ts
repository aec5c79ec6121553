import { toInstantText } from '#lib/contract/instant-text.ts'
import type { MoveKind } from '#lib/contract/moves.ts'
import { withAsof } from '#lib/contract/outlook.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import {
  EVERY_RATING,
  type RatingsQuery,
  toQueryText,
  toSearchParams,
} from '#lib/contract/ratings-query.ts'
import { ANY, type Chosen, only, quoteValue } from '#lib/contract/value-list.ts'
import { toSymbolHref } from './page-address.ts'

/** What the ratings of a symbol are asked with. */
export const ratingsOfSymbol = (symbol: string): RatingsQuery => ({
  ...EVERY_RATING,
  symbol: only(toSymbolKey(symbol)),
})

type Filters = {
  rating?: number | readonly number[]
  action?: number | Chosen<number>
  ids?: readonly number[]
  days?: readonly string[]
} & Partial<Pick<RatingsQuery, 'state' | 'from' | 'to' | 'asof'>>

/** The ratings page with a symbol's ratings, all of them or those with some codes or numbers, expiring on one of `days`, in a span. */
export function toSymbolRatingsHref(symbol: string, filters: Filters = {}): string {
  const { rating, action, ids = [], days = [] } = filters
  const { state = null, from = null, to = null, asof = null } = filters
  const query = {
    ...ratingsOfSymbol(symbol),
    ...{ state, from, to, asof },
    rating: rating === undefined ? ANY : only(...[rating].flat()),
    id: only(...ids),
    action: action === undefined ? ANY : typeof action === 'number' ? only(action) : action,
    expires: only(...days),
  }
  return `/${toQueryText(toSearchParams(query))}`
}

type Moved = { kind: MoveKind; from: number; to: number; asof: number | null }

/** The ratings that something happened to that moved a symbol's consensus, from one instant to before another. */
export const toMovedHref = (symbol: string, { kind, from, to, asof }: Moved): string =>
  `/${toQueryText(
    toSearchParams({
      ...ratingsOfSymbol(symbol),
      ...{ moved: only(kind), moved_from: from, moved_to: to, asof },
    }),
  )}`

/** The anchor of the panel that says why a consensus moved. */
export const WHY = 'why'

/** The page of a symbol over a range, open at its end unless one is given, at that panel. */
export function toWhyHref(
  symbol: string,
  { from, to, asof = null }: { from: number; to?: number; asof?: number | null },
): string {
  const span = new URLSearchParams({ from: toInstantText(from) })
  if (to !== undefined) span.set('to', toInstantText(to))
  return `${toSymbolHref(symbol, withAsof(span, asof))}#${WHY}`
}

/** The page that shows symbols side by side: that of the first one, with the others beside it. */
export function toCompareHref([first = '', ...others]: readonly string[], asof: number | null) {
  const params = withAsof(new URLSearchParams(), asof)
  if (others.length > 0) params.set('vs', others.map(quoteValue).join(','))
  return toSymbolHref(first, params)
}
