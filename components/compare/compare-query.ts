import { toSeriesParams } from '#components/symbols/series-address.ts'
import type { FetchApi } from '#lib/client/fetch-api.ts'
import { comparisonOptions } from '#lib/client/query-options.ts'
import { COMPARED_MAX, type CompareQuery } from '#lib/contract/api-queries.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import { quoteValue } from '#lib/contract/value-list.ts'

/** The buckets and the range of a comparison, as the page that it stands on has them. */
export type CompareSpan = Pick<CompareQuery, 'bucket' | 'from' | 'to' | 'asof'>

/** The keys that are compared: the page's own symbol first, each once, as many as can be. */
export const toComparedKeys = (symbol: string, vs: readonly string[]): string[] =>
  [...new Set([symbol, ...vs].map(toSymbolKey))].slice(0, COMPARED_MAX)

/** What the API is asked with; defaults are not written. */
export const toCompareParams = (keys: readonly string[], span: CompareSpan): URLSearchParams =>
  new URLSearchParams([['symbol', keys.map(quoteValue).join(',')], ...toSeriesParams(span)])

/** The comparison of a page's own symbol with those beside it. */
export const comparedOptions = (
  symbol: string,
  view: CompareSpan & { vs: readonly string[] },
  fetchApi: FetchApi,
) => comparisonOptions(toCompareParams(toComparedKeys(symbol, view.vs), view), fetchApi)

const DAY = 86_400

/** The day (UTC) from which all of them had been rated; null where one of them is compared with nothing. */
export function toCommonStart(symbols: readonly { first_created_at: number }[]): number | null {
  if (symbols.length < 2) return null
  const latest = Math.max(...symbols.map((one) => one.first_created_at))
  return Math.floor(latest / DAY) * DAY
}
