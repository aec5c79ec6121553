import { asofQuery } from '#lib/contract/api-queries.ts'
import { type LookupsQuery, lookupsQuery } from '#lib/contract/lookups-query.ts'
import { toParams } from '#lib/contract/query-schema.ts'
import { type Ask, askInBrowser } from './fetch-api.ts'
import { listOptions, toQuestion } from './query-options.ts'

/** The look-ups of a query, one page of them. */
export const lookupsOptions = (query: LookupsQuery, ask: Ask = askInBrowser) =>
  listOptions(toQuestion('lookups', { params: toParams(lookupsQuery, query) }), ask)

/** The counts of such a query; sorting and paging do not change them. */
export function lookupFacetsOptions(query: LookupsQuery, ask: Ask = askInBrowser) {
  const params = toParams(lookupsQuery, query)
  for (const name of ['sort', 'page', 'per_page']) params.delete(name)
  return listOptions(toQuestion('lookupFacets', { params }), ask)
}

/** Look-ups of a symbol over time. `params` are those of the series query. */
export const attentionOptions = (
  symbol: string,
  params: URLSearchParams,
  ask: Ask = askInBrowser,
) => listOptions(toQuestion('attention', { parts: { symbol }, params }), ask)

/** Which symbols are looked up more than usual, and what look-ups say beside ratings. */
export const attentionOverviewOptions = (asof: number | null, ask: Ask = askInBrowser) =>
  listOptions(toQuestion('attentionOverview', { params: toParams(asofQuery, { asof }) }), ask)
