import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Status } from '#lib/contract/answers/status.ts'
import { withAsof } from '#lib/contract/outlook.ts'
import { type RatingsQuery, toQueryText, toSearchParams } from '#lib/contract/ratings-query.ts'
import { type FetchApi, fetchInBrowser, loadAnswer } from './fetch-api.ts'
import type { Answers } from './parse-answer.ts'

const FRESH_MS = 30_000
const BUSY_POLL_MS = 1000
const CALM_POLL_MS = 20_000

type Asked = { path: string; fetchApi: FetchApi }

/** An answer by its address; `kind` first in the key, so that all of a kind can be asked anew. */
const answerOptions = <K extends keyof Answers>(kind: K, { path, fetchApi }: Asked) =>
  queryOptions({
    queryKey: [kind, path],
    queryFn: ({ signal }) => loadAnswer(kind, path, { fetchApi, signal }),
    staleTime: FRESH_MS,
  })

/** The same for lists: the old rows stay while the new ones load. */
const listOptions = <K extends keyof Answers>(kind: K, asked: Asked) =>
  queryOptions({ ...answerOptions(kind, asked), placeholderData: keepPreviousData })

/** The ratings of a query, one page of them. */
export function ratingsOptions(query: RatingsQuery, fetchApi: FetchApi = fetchInBrowser) {
  const path = `/api/ratings${toQueryText(toSearchParams(query))}`
  return listOptions('ratings', { path, fetchApi })
}

/** The counts of a query; sorting and paging do not change them. */
export function facetsOptions(query: RatingsQuery, fetchApi: FetchApi = fetchInBrowser) {
  const params = toSearchParams(query)
  for (const name of ['sort', 'page', 'per_page']) params.delete(name)
  const path = `/api/facets${toQueryText(params)}`
  return listOptions('facets', { path, fetchApi })
}

/** `asof` (seconds) rewinds what is asked; null is now. */
const asOf = (path: string, asof: number | null): string =>
  `${path}${toQueryText(withAsof(new URLSearchParams(), asof))}`

/** The address of a rating in the API. `asof` (seconds) rewinds it. */
export const toRatingPath = (id: number, asof: number | null): string =>
  asOf(`/api/ratings/${id}`, asof)

/** One rating, with the member's ratings on the symbol. */
export const ratingOptions = (
  id: number,
  asof: number | null,
  fetchApi: FetchApi = fetchInBrowser,
) => answerOptions('rating', { path: toRatingPath(id, asof), fetchApi })

/** The league table of symbols, and their typeahead. `params` are those of the symbols query. */
export const symbolsOptions = (params: URLSearchParams, fetchApi: FetchApi = fetchInBrowser) =>
  listOptions('symbols', { path: `/api/symbols${toQueryText(params)}`, fetchApi })

/** The league table of users, and their typeahead. `params` are those of the users query. */
export const usersOptions = (params: URLSearchParams, fetchApi: FetchApi = fetchInBrowser) =>
  listOptions('users', { path: `/api/users${toQueryText(params)}`, fetchApi })

const symbolPath = (symbol: string) => `/api/symbols/${encodeURIComponent(symbol)}`

/** A symbol's aggregate now. */
export const symbolOptions = (symbol: string, fetchApi: FetchApi = fetchInBrowser) =>
  answerOptions('symbol', { path: symbolPath(symbol), fetchApi })

/** What the community thinks of a symbol. */
export const opinionOptions = (
  symbol: string,
  asof: number | null,
  fetchApi: FetchApi = fetchInBrowser,
) => listOptions('opinion', { path: asOf(`${symbolPath(symbol)}/opinion`, asof), fetchApi })

/** What happened lately among the symbols. */
export const overviewOptions = (asof: number | null, fetchApi: FetchApi = fetchInBrowser) =>
  listOptions('overview', { path: asOf('/api/overview', asof), fetchApi })

/** Several symbols side by side. `params` are those of the compare query. */
export const comparisonOptions = (params: URLSearchParams, fetchApi: FetchApi = fetchInBrowser) =>
  listOptions('comparison', { path: `/api/compare${toQueryText(params)}`, fetchApi })

/** A symbol's series. `params` are those of the series query. */
export function seriesOptions(
  symbol: string,
  params: URLSearchParams,
  fetchApi: FetchApi = fetchInBrowser,
) {
  const path = `${symbolPath(symbol)}/series${toQueryText(params)}`
  return listOptions('series', { path, fetchApi })
}

const userPath = (userId: number) => `/api/users/${userId}`

/** One member. */
export const userOptions = (
  userId: number,
  asof: number | null,
  fetchApi: FetchApi = fetchInBrowser,
) => listOptions('user', { path: asOf(userPath(userId), asof), fetchApi })

/** A member's calls over time, symbol by symbol. */
export const callsOptions = (
  userId: number,
  asof: number | null,
  fetchApi: FetchApi = fetchInBrowser,
) => listOptions('calls', { path: asOf(`${userPath(userId)}/calls`, asof), fetchApi })

/** What can be judged of a member without prices. */
export const recordOptions = (
  userId: number,
  asof: number | null,
  fetchApi: FetchApi = fetchInBrowser,
) => listOptions('record', { path: asOf(`${userPath(userId)}/record`, asof), fetchApi })

/** Is something going on that a reader waits for? Then ask again soon. */
const isBusy = (status: Status | undefined) =>
  status === undefined || status.archive.ratings === 0 || status.sync.progress !== null

/** The state of archive and sync, asked again and again while the page is seen and no events tell it. */
export function statusOptions(fetchApi: FetchApi = fetchInBrowser) {
  return queryOptions({
    queryKey: ['status'],
    queryFn: ({ signal }) => loadAnswer('status', '/api/status', { fetchApi, signal }),
    refetchInterval: (query) => {
      if (liveState.isStanding) return false
      return isBusy(query.state.data?.data) ? BUSY_POLL_MS : CALM_POLL_MS
    },
  })
}

/** Both dumps' cards, asked again quickly while one is being fetched; that one begins or ends is told by events too. */
export function dumpsOptions(fetchApi: FetchApi = fetchInBrowser) {
  return queryOptions({
    queryKey: ['dumps'],
    queryFn: ({ signal }) => loadAnswer('dumps', '/api/dumps', { fetchApi, signal }),
    refetchInterval: (query) => {
      const { posts, lookups } = query.state.data?.data ?? {}
      const cards = [posts, lookups]
      if (cards.some((dump) => dump?.state === 'fetching')) return BUSY_POLL_MS
      if (liveState.isStanding) return false
      return cards.some((dump) => dump?.edition === null) ? BUSY_POLL_MS : CALM_POLL_MS
    },
  })
}

/** The editions that are kept of both dumps. */
export const editionsOptions = (fetchApi: FetchApi = fetchInBrowser) =>
  answerOptions('editions', { path: '/api/editions', fetchApi })

/** Rows that no rating can be read from. `params` are `reason`, `page`, `per_page`. */
export const quarantineOptions = (params: URLSearchParams, fetchApi: FetchApi = fetchInBrowser) =>
  listOptions('quarantine', { path: `/api/quarantine${toQueryText(params)}`, fetchApi })

/** Whether events keep this page's status current, so that nobody needs to ask for it. Of the one page of a browser. */
export const liveState = { isStanding: false }
