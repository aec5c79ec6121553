import { queryOptions } from '@tanstack/react-query'
import { toInstantText } from '#lib/contract/instant-text.ts'
import { toQueryText } from '#lib/contract/ratings-query.ts'
import { type FetchApi, fetchInBrowser, loadAnswer } from './fetch-api.ts'

const FRESH_MS = 30_000

/** The address of a rating in the API. `asof` (seconds) rewinds it. */
export function toRatingPath(id: number, asof: number | null): string {
  const params = new URLSearchParams()
  if (asof !== null) params.set('asof', toInstantText(asof))
  return `/api/ratings/${id}${toQueryText(params)}`
}

/**
 * One rating, with the member's ratings on the symbol. In a file of its own: the ratings page loads it when a rating
 * is opened.
 */
export function ratingOptions(
  id: number,
  asof: number | null,
  fetchApi: FetchApi = fetchInBrowser,
) {
  const path = toRatingPath(id, asof)
  return queryOptions({
    queryKey: ['rating', path],
    queryFn: ({ signal }) => loadAnswer('rating', path, { fetchApi, signal }),
    staleTime: FRESH_MS,
    // A dashboard of one's own is there without the Internet: asked all the same, and what failed is said.
    networkMode: 'always',
  })
}
