import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { facetsAnswer, ratingsPage } from '#lib/contract/answers/ratings.ts'
import { dumpsAnswer, type Status, statusAnswer } from '#lib/contract/answers/state.ts'
import { aggregateAnswer, seriesAnswer, symbolsPage } from '#lib/contract/answers/symbols.ts'
import { userAnswer, usersPage } from '#lib/contract/answers/users.ts'
import { type RatingsQuery, toQueryText, toSearchParams } from '#lib/contract/ratings-query.ts'
import { type FetchApi, fetchInBrowser, loadAnswer } from './fetch-api.ts'

const FRESH_MS = 30_000
const BUSY_POLL_MS = 1000
const CALM_POLL_MS = 20_000

/** The ratings of a query, one page of them. */
export function ratingsOptions(query: RatingsQuery, fetchApi: FetchApi = fetchInBrowser) {
  const path = `/api/ratings${toQueryText(toSearchParams(query))}`
  return queryOptions({
    queryKey: ['ratings', path],
    queryFn: ({ signal }) => loadAnswer(ratingsPage, path, { fetchApi, signal }),
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
  })
}

/** The counts of a query; sorting and paging do not change them. */
export function facetsOptions(query: RatingsQuery, fetchApi: FetchApi = fetchInBrowser) {
  const params = toSearchParams(query)
  for (const name of ['sort', 'page', 'per_page']) params.delete(name)
  const path = `/api/facets${toQueryText(params)}`
  return queryOptions({
    queryKey: ['facets', path],
    queryFn: ({ signal }) => loadAnswer(facetsAnswer, path, { fetchApi, signal }),
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
  })
}

/** The league table of symbols, and their typeahead. `params` are those of the symbols query. */
export function symbolsOptions(params: URLSearchParams, fetchApi: FetchApi = fetchInBrowser) {
  const path = `/api/symbols${toQueryText(params)}`
  return queryOptions({
    queryKey: ['symbols', path],
    queryFn: ({ signal }) => loadAnswer(symbolsPage, path, { fetchApi, signal }),
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
  })
}

/** The league table of users, and their typeahead. `params` are those of the users query. */
export function usersOptions(params: URLSearchParams, fetchApi: FetchApi = fetchInBrowser) {
  const path = `/api/users${toQueryText(params)}`
  return queryOptions({
    queryKey: ['users', path],
    queryFn: ({ signal }) => loadAnswer(usersPage, path, { fetchApi, signal }),
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
  })
}

/** A symbol's aggregate now. */
export function symbolOptions(symbol: string, fetchApi: FetchApi = fetchInBrowser) {
  const path = `/api/symbols/${encodeURIComponent(symbol)}`
  return queryOptions({
    queryKey: ['symbol', path],
    queryFn: ({ signal }) => loadAnswer(aggregateAnswer, path, { fetchApi, signal }),
    staleTime: FRESH_MS,
    retry: false,
  })
}

/** A symbol's series. `params` are those of the series query. */
export function seriesOptions(
  symbol: string,
  params: URLSearchParams,
  fetchApi: FetchApi = fetchInBrowser,
) {
  const path = `/api/symbols/${encodeURIComponent(symbol)}/series${toQueryText(params)}`
  return queryOptions({
    queryKey: ['series', path],
    queryFn: ({ signal }) => loadAnswer(seriesAnswer, path, { fetchApi, signal }),
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
  })
}

/** One member. */
export function userOptions(userId: number, fetchApi: FetchApi = fetchInBrowser) {
  const path = `/api/users/${userId}`
  return queryOptions({
    queryKey: ['user', path],
    queryFn: ({ signal }) => loadAnswer(userAnswer, path, { fetchApi, signal }),
    staleTime: FRESH_MS,
    retry: false,
  })
}

/** Is something going on that a reader waits for? Then ask again soon. */
const isBusy = (status: Status | undefined) =>
  status === undefined || status.archive.ratings === 0 || status.sync.progress !== null

/** The state of archive and sync, asked again and again while the page is seen. */
export function statusOptions(fetchApi: FetchApi = fetchInBrowser) {
  return queryOptions({
    queryKey: ['status'],
    queryFn: ({ signal }) => loadAnswer(statusAnswer, '/api/status', { fetchApi, signal }),
    refetchInterval: (query) => (isBusy(query.state.data?.data) ? BUSY_POLL_MS : CALM_POLL_MS),
  })
}

/** Both dumps' cards, asked again quickly while one is being fetched. */
export function dumpsOptions(fetchApi: FetchApi = fetchInBrowser) {
  return queryOptions({
    queryKey: ['dumps'],
    queryFn: ({ signal }) => loadAnswer(dumpsAnswer, '/api/dumps', { fetchApi, signal }),
    refetchInterval: (query) => {
      const dumps = query.state.data?.data
      const waiting = [dumps?.posts, dumps?.lookups].some((dump) => dump?.edition === null)
      return waiting ? BUSY_POLL_MS : CALM_POLL_MS
    },
  })
}
