import { asofQuery } from '#lib/contract/api-queries.ts'
import { type LookupsQuery, lookupsQuery } from '#lib/contract/lists/lookups.ts'
import { lookupQuestions } from '#lib/contract/operations/lookups.ts'
import { symbolQuestions } from '#lib/contract/operations/symbols.ts'
import { toParams } from '#lib/contract/query-schema.ts'
import { type Ask, askInBrowser } from './fetch-api.ts'
import { listOptions, toAsked } from './query-options.ts'

/** The look-ups of a query, one page of them. */
export const lookupsOptions = (query: LookupsQuery, ask: Ask = askInBrowser) =>
  listOptions(toAsked(lookupQuestions.lookups, { params: toParams(lookupsQuery, query) }), ask)

/** The counts of such a query; sorting and paging do not change them. */
export function lookupFacetsOptions(query: LookupsQuery, ask: Ask = askInBrowser) {
  const params = toParams(lookupsQuery, query)
  for (const name of ['sort', 'page', 'per_page']) params.delete(name)
  return listOptions(toAsked(lookupQuestions.lookupFacets, { params }), ask)
}

/** Look-ups of a symbol over time. `params` are those of the series query. */
export const attentionOptions = (
  symbol: string,
  params: URLSearchParams,
  ask: Ask = askInBrowser,
) => listOptions(toAsked(symbolQuestions.attention, { parts: { symbol }, params }), ask)

/** Which symbols are looked up more than usual, and what look-ups say beside ratings. */
export const attentionOverviewOptions = (asof: number | null, ask: Ask = askInBrowser) =>
  listOptions(
    toAsked(symbolQuestions.attentionOverview, { params: toParams(asofQuery, { asof }) }),
    ask,
  )
