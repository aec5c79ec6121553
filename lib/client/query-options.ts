import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Status, StatusSummary } from '#lib/contract/answers/status.ts'
import { asofQuery } from '#lib/contract/api-queries.ts'
import { type ApiRequest, type Question, toAddress } from '#lib/contract/operations/operation.ts'
import { ratingQuestions } from '#lib/contract/operations/ratings.ts'
import { stateQuestions } from '#lib/contract/operations/state.ts'
import { toParams } from '#lib/contract/query-schema.ts'
import { EVERY_RATING, type RatingsQuery, ratingsQuery } from '#lib/contract/ratings-query.ts'
import { askInBrowser, type FetchAnswer } from './fetch-api.ts'
import { FRESH_MS } from './query-client.ts'

export const BUSY_POLL_MS = 1000
export const CALM_POLL_MS = 20_000

export const toAsked = <Q extends Question>(
  question: Q,
  { parts = {}, params = NOTHING }: Partial<Pick<ApiRequest, 'parts' | 'params'>> = {},
): ApiRequest<Q> => ({ question, parts, params: new URLSearchParams(params) })

const NOTHING = new URLSearchParams()

/** The key begins with the name, so that all answers to a question can be invalidated. */
export function answerOptions<Q extends Question>(wanted: ApiRequest<Q>, ask: FetchAnswer) {
  const { question } = wanted
  return queryOptions({
    queryKey: [question.name, toAddress(wanted)],
    queryFn: ({ signal }) => ask(wanted, { signal }),
    staleTime: FRESH_MS,
  })
}

export const listOptions = <Q extends Question>(wanted: ApiRequest<Q>, ask: FetchAnswer) =>
  queryOptions({ ...answerOptions(wanted, ask), placeholderData: keepPreviousData })

export const ratingsOptions = (query: RatingsQuery, ask: FetchAnswer = askInBrowser) =>
  listOptions(toAsked(ratingQuestions.ratings, { params: toParams(ratingsQuery, query) }), ask)

const LATEST = 10

export const latestRatingsOptions = (query: RatingsQuery, ask?: FetchAnswer) =>
  ratingsOptions({ ...query, per_page: LATEST }, ask)

export const firstRatingOptions = (ask?: FetchAnswer) => ({
  ...ratingsOptions(
    { ...EVERY_RATING, sort: { column: 'created_at', direction: 'asc' }, per_page: 1 },
    ask,
  ),
  staleTime: Number.POSITIVE_INFINITY,
})

export function facetsOptions(query: RatingsQuery, ask: FetchAnswer = askInBrowser) {
  const params = toParams(ratingsQuery, query)
  for (const name of ['sort', 'page', 'per_page']) params.delete(name)
  return listOptions(toAsked(ratingQuestions.facets, { params }), ask)
}

export const asOf = (asof: number | null) => toParams(asofQuery, { asof })

const aboutRating = (id: number, asof: number | null) =>
  toAsked(ratingQuestions.rating, { parts: { id: String(id) }, params: asOf(asof) })

export const toRatingPath = (id: number, asof: number | null): string =>
  toAddress(aboutRating(id, asof))

export const ratingOptions = (id: number, asof: number | null, ask: FetchAnswer = askInBrowser) =>
  answerOptions(aboutRating(id, asof), ask)

const isBusy = (status: StatusSummary | undefined) =>
  status === undefined || status.archive.ratings === 0 || status.sync.progress !== null

const untilAsked = (status: StatusSummary | undefined): number | false => {
  if (liveState.isStanding) return false
  return isBusy(status) ? BUSY_POLL_MS : CALM_POLL_MS
}

const STATUS_KEY = ['status'] as const

export const statusOptions = (ask: FetchAnswer = askInBrowser) =>
  queryOptions({
    queryKey: STATUS_KEY,
    queryFn: ({ signal }) => ask(toAsked(stateQuestions.status), { signal }),
    refetchInterval: ({ state }) => untilAsked(state.data?.data),
  })

/** Its key extends the full status's, so both are invalidated together. */
export const statusSummaryOptions = (ask: FetchAnswer = askInBrowser) =>
  queryOptions({
    queryKey: [...STATUS_KEY, 'summary'] as const,
    queryFn: async ({ signal }) =>
      toStatusSummary((await ask(toAsked(stateQuestions.status), { signal })).data),
    refetchInterval: ({ state }) => untilAsked(state.data),
  })

export const toStatusSummary = (status: Status): StatusSummary => {
  const { archive, sync, alarms, service, now } = status
  return { archive, sync, alarms, service, now }
}

export const liveState = { isStanding: false }
