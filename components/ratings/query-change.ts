import {
  EVERY_RATING,
  type RatingSort,
  type RatingsQuery,
  toQueryText,
  toSearchParams,
} from '#lib/contract/ratings-query.ts'

/** How a control changes the query: from what stands in the address at that moment to what shall stand there. */
export type ChangeQuery = (to: (query: RatingsQuery) => RatingsQuery) => void

/** What every control of the page is given. */
export type QueryProps = { query: RatingsQuery; change: ChangeQuery }

type Filters = Omit<RatingsQuery, 'sort' | 'page' | 'per_page'>

/** The query with other filters; its page starts again, since the rows are others. */
export const withFilter = (query: RatingsQuery, filters: Partial<Filters>): RatingsQuery => ({
  ...query,
  ...filters,
  page: 1,
})

export const withSort = (query: RatingsQuery, sort: RatingSort): RatingsQuery => ({
  ...query,
  sort,
  page: 1,
})

export const withPage = (query: RatingsQuery, page: number): RatingsQuery => ({ ...query, page })

/** The same rows in pages of another size, from the first row on. */
export const withPerPage = (query: RatingsQuery, perPage: number): RatingsQuery => ({
  ...query,
  per_page: perPage,
  page: 1,
})

/** Every rating, in the order and the page size that were chosen. */
export const withoutFilters = (query: RatingsQuery): RatingsQuery => ({
  ...EVERY_RATING,
  sort: query.sort,
  per_page: query.per_page,
})

/** A list with the value added, or taken out where it was there. */
export const toToggled = <T>(values: readonly T[], value: T): T[] =>
  values.includes(value) ? values.filter((other) => other !== value) : [...values, value]

/** The page's canonical address of a query. */
export const toHref = (query: RatingsQuery): string => `/${toQueryText(toSearchParams(query))}`

/** The address of a file with every matching row: the same query without its page. */
export const toExportHref = (query: RatingsQuery, format: 'csv'): string => {
  const params = toSearchParams({ ...query, page: EVERY_RATING.page })
  params.delete('per_page')
  return `/api/ratings.${format}${toQueryText(params)}`
}
