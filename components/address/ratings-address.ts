import { symbolsQuery } from '#lib/contract/api-queries.ts'
import { withAsof } from '#lib/contract/outlook.ts'
import { parseParameters } from '#lib/contract/query-schema.ts'
import {
  EVERY_RATING,
  type RatingSort,
  type RatingsQuery,
  toQueryText,
} from '#lib/contract/ratings-query.ts'
import { type RatingsView, toViewParams } from '#lib/contract/ratings-view.ts'

/**
 * How a control changes the view: from what stands in the address at that moment to what shall stand there. `replace`
 * leaves no step to come back to.
 */
export type ChangeQuery = (to: (view: RatingsView) => RatingsView, how?: 'push' | 'replace') => void

/** What every control of the page is given. */
export type QueryProps = { query: RatingsView; change: ChangeQuery }

type Filters = Omit<RatingsQuery, 'sort' | 'page' | 'per_page'>

/** The query with other filters; its page starts again, since the rows are others. */
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

/** The same rows in pages of another size, from the first row on. */
export const withPerPage = <Q extends RatingsQuery>(query: Q, perPage: number): Q => ({
  ...query,
  per_page: perPage,
  page: 1,
})

/** Every rating, in the order and the page size that were chosen, at the same instant, looked at in the same way. */
export const withoutFilters = <Q extends RatingsQuery>(query: Q): Q => ({
  ...query,
  ...EVERY_RATING,
  asof: query.asof,
  sort: query.sort,
  per_page: query.per_page,
})

/** The page's canonical address of a view. */
export const toHref = (view: RatingsView): string => `/${toQueryText(toViewParams(view))}`

const FOUND = 20

/** The parameters of a search by what is typed so far, as of an instant (seconds; null is now); what no API would take finds what nothing would. */
export function toSearchParamsOf(text: string, asof: number | null): URLSearchParams {
  const params = withAsof(new URLSearchParams({ per_page: String(FOUND) }), asof)
  const q = text.trim()
  if (q === '') return params
  params.set('q', q)
  if (!parseParameters(symbolsQuery, params).ok) params.delete('q')
  return params
}

type Search = { isError: boolean; isPending: boolean; isPlaceholderData: boolean }

/** How a search stands: results of an earlier text are still loading. */
export const toSearchState = ({
  isError,
  isPending,
  isPlaceholderData,
}: Search): 'ready' | 'loading' | 'failed' => {
  if (isError) return 'failed'
  return isPending || isPlaceholderData ? 'loading' : 'ready'
}

/** Predictions within no bounds. */
export const NO_PREDICTION_BOUNDS = {
  prediction_min: null,
  prediction_max: null,
  prediction_above: null,
  prediction_below: null,
} as const
