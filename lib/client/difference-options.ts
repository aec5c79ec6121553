import { type DifferencesQuery, differencesQuery } from '#lib/contract/lists/edition-differences.ts'
import { differenceQuestions } from '#lib/contract/operations/edition-differences.ts'
import { toParams } from '#lib/contract/query-schema.ts'
import { type Ask, askInBrowser } from './fetch-api.ts'
import { listOptions, toAsked } from './query-options.ts'

/** What differs between two editions, one page of it. */
export const differencesOptions = (query: DifferencesQuery, ask: Ask = askInBrowser) =>
  listOptions(
    toAsked(differenceQuestions.differences, { params: toParams(differencesQuery, query) }),
    ask,
  )

/** The counts of such a query; sorting and paging do not change them. */
export function differenceFacetsOptions(query: DifferencesQuery, ask: Ask = askInBrowser) {
  const params = toParams(differencesQuery, query)
  for (const name of ['sort', 'page', 'per_page']) params.delete(name)
  return listOptions(toAsked(differenceQuestions.differenceFacets, { params }), ask)
}
