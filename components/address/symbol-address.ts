import { seriesQuery } from '#lib/contract/api-queries.ts'
import type { MoveKind } from '#lib/contract/moves.ts'
import { toParams } from '#lib/contract/query-schema.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import {
  EVERY_RATING,
  type RatingsQuery,
  ratingsQuery,
  toQueryText,
} from '#lib/contract/ratings-query.ts'
import { ANY, type Chosen, only } from '#lib/contract/value-list.ts'
import { toSymbolHref } from './page-address.ts'

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

export function toSymbolRatingsHref(symbol: string, filters: Filters = {}): string {
  const { rating, action, ids = [], days = [] } = filters
  const { state = null, from = null, to = null, asof = null } = filters
  const query = {
    ...ratingsOfSymbol(symbol),
    state,
    from,
    to,
    asof,
    rating: rating === undefined ? ANY : only(...[rating].flat()),
    id: only(...ids),
    action: action === undefined ? ANY : typeof action === 'number' ? only(action) : action,
    expires: only(...days),
  }
  return `/${toQueryText(toParams(ratingsQuery, query))}`
}

type Moved = { kind: MoveKind; from: number; to: number; asof: number | null }

export const toMovedHref = (symbol: string, { kind, from, to, asof }: Moved): string =>
  `/${toQueryText(
    toParams(ratingsQuery, {
      symbol: only(toSymbolKey(symbol)),
      moved: only(kind),
      moved_from: from,
      moved_to: to,
      asof,
    }),
  )}`

export const WHY = 'why'

export function toWhyHref(symbol: string, span: { from: number; to: number }): string {
  const params = toParams(seriesQuery, span)
  params.set('why', 'range')
  return `${toSymbolHref(symbol, params)}#${WHY}`
}
