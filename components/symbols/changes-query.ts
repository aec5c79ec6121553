import type { RatingsQuery } from '#lib/contract/ratings-query.ts'
import { only } from '#lib/contract/value-list.ts'
import { ratingsOfSymbol } from './symbol-address.ts'

/** How many of the latest changes stand beside the chart. */
const CHANGES = 3

const UPGRADED = 2
const DOWNGRADED = 3

/** The latest upgrades and downgrades of a symbol, by `asof` (seconds since 1970; null is now). */
export const toChangesQuery = (symbol: string, asof: number | null): RatingsQuery => ({
  ...ratingsOfSymbol(symbol),
  action: only(UPGRADED, DOWNGRADED),
  asof,
  per_page: CHANGES,
})
