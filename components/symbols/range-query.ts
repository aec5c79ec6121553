import type { RatingsQuery } from '#lib/contract/ratings-query.ts'
import type { SeriesView } from './series-address.ts'
import { ratingsOfSymbol } from './symbol-address.ts'

/** What of a view decides which ratings stand below the chart. */
export type ShownRange = Pick<SeriesView, 'from' | 'to' | 'asof'>

/** The ratings that were posted in the range of a view, by its instant. */
export const ratingsInRange = (symbol: string, { from, to, asof }: ShownRange): RatingsQuery => ({
  ...ratingsOfSymbol(symbol),
  from,
  to,
  asof,
})
