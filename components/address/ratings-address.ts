import { type SearchQuery, searchQuery } from '#lib/contract/api-queries.ts'
import { isProblem } from '#lib/contract/query-parameters.ts'
import { toParams } from '#lib/contract/query-schema.ts'
import { type RatingSort, type RatingsQuery, toQueryText } from '#lib/contract/ratings-query.ts'
import { type RatingsView, ratingsView } from '#lib/contract/ratings-view.ts'

/** `to` receives the view in the URL at that moment. */
export type ChangeQuery = (to: (view: RatingsView) => RatingsView, how?: 'push' | 'replace') => void

export type QueryProps = { query: RatingsView; change: ChangeQuery }

type Filters = Omit<RatingsQuery, 'sort' | 'page' | 'per_page'>

export const withFilter = <Q extends RatingsQuery>(query: Q, filters: Partial<Filters>): Q => ({
  ...query,
  ...filters,
  page: 1,
})

export const withSort = <Q extends RatingsQuery>(query: Q, sort: RatingSort): Q => ({
  ...query,
  sort,
  page: 1,
})

export const withPage = <Q extends RatingsQuery>(query: Q, page: number): Q => ({ ...query, page })

export const withPerPage = <Q extends RatingsQuery>(query: Q, perPage: number): Q => ({
  ...query,
  per_page: perPage,
  page: 1,
})

export const toHref = (view: RatingsView): string => `/${toQueryText(toParams(ratingsView, view))}`

const FOUND = 20

export function toSearch(text: string, asof: number | null): SearchQuery {
  const q = searchQuery.parameters.q.read([text.trim()])
  return { q: isProblem(q) ? '' : q, asof, per_page: FOUND }
}

type SearchState = { isError: boolean; isPending: boolean; isPlaceholderData: boolean }

export const toSearchState = ({
  isError,
  isPending,
  isPlaceholderData,
}: SearchState): 'ready' | 'loading' | 'failed' => {
  if (isError) return 'failed'
  return isPending || isPlaceholderData ? 'loading' : 'ready'
}

export const NO_PREDICTION_BOUNDS = {
  prediction_min: null,
  prediction_max: null,
  prediction_above: null,
  prediction_below: null,
} as const
