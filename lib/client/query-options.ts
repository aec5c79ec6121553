import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Status, StatusSummary } from '#lib/contract/answers/status.ts'
import { asofQuery, movesQuery, type TrackQuery, trackQuery } from '#lib/contract/api-queries.ts'
import { editionQuestions } from '#lib/contract/operations/editions.ts'
import { type Asked, type Question, toAddress } from '#lib/contract/operations/operation.ts'
import { ratingQuestions } from '#lib/contract/operations/ratings.ts'
import { stateQuestions } from '#lib/contract/operations/state.ts'
import { symbolQuestions } from '#lib/contract/operations/symbols.ts'
import { userQuestions } from '#lib/contract/operations/users.ts'
import { toParams } from '#lib/contract/query-schema.ts'
import { type RatingsQuery, ratingsQuery } from '#lib/contract/ratings-query.ts'
import { type Ask, askInBrowser } from './fetch-api.ts'
import { FRESH_MS } from './query-client.ts'

const BUSY_POLL_MS = 1000
const CALM_POLL_MS = 20_000

/** The parameters are copied: the request is sent later, and must then be the one that its key names. */
export const toAsked = <Q extends Question>(
  question: Q,
  { parts = {}, params = NOTHING }: Partial<Pick<Asked, 'parts' | 'params'>> = {},
): Asked<Q> => ({ question, parts, params: new URLSearchParams(params) })

const NOTHING = new URLSearchParams()

/** Every question that {@link answerOptions} was called with, by its name. */
const knownQuestions = new Map<string, Question>()

/** The question of a query, by the first part of its key. */
export const selectQuestion = (name: unknown): Question | null =>
  typeof name === 'string' ? (knownQuestions.get(name) ?? null) : null

/** An answer by its address. The name comes first in the key, so that every answer to a question can be invalidated. */
export function answerOptions<Q extends Question>(wanted: Asked<Q>, ask: Ask) {
  const { question } = wanted
  knownQuestions.set(question.name, question)
  return queryOptions({
    queryKey: [question.name, toAddress(wanted)],
    queryFn: ({ signal }) => ask(wanted, { signal }),
    staleTime: FRESH_MS,
  })
}

/** The same for lists: the old rows stay while the new ones load. */
export const listOptions = <Q extends Question>(wanted: Asked<Q>, ask: Ask) =>
  queryOptions({ ...answerOptions(wanted, ask), placeholderData: keepPreviousData })

/** The ratings of a query, one page of them. */
export const ratingsOptions = (query: RatingsQuery, ask: Ask = askInBrowser) =>
  listOptions(toAsked(ratingQuestions.ratings, { params: toParams(ratingsQuery, query) }), ask)

/** The counts of a query; sorting and paging do not change them. */
export function facetsOptions(query: RatingsQuery, ask: Ask = askInBrowser) {
  const params = toParams(ratingsQuery, query)
  for (const name of ['sort', 'page', 'per_page']) params.delete(name)
  return listOptions(toAsked(ratingQuestions.facets, { params }), ask)
}

/** `asof` (seconds) rewinds what is asked; null is now. */
const asOf = (asof: number | null) => toParams(asofQuery, { asof })

const aboutRating = (id: number, asof: number | null) =>
  toAsked(ratingQuestions.rating, { parts: { id: String(id) }, params: asOf(asof) })

/** The address of a rating in the API. `asof` (seconds) rewinds it. */
export const toRatingPath = (id: number, asof: number | null): string =>
  toAddress(aboutRating(id, asof))

/** One rating, with the user's ratings on the symbol. */
export const ratingOptions = (id: number, asof: number | null, ask: Ask = askInBrowser) =>
  answerOptions(aboutRating(id, asof), ask)

/** The league table of symbols, and their typeahead. `params` are those of the symbols query. */
export const symbolsOptions = (params: URLSearchParams, ask: Ask = askInBrowser) =>
  listOptions(toAsked(symbolQuestions.symbols, { params }), ask)

/** The league table of users, and their typeahead. `params` are those of the users query. */
export const usersOptions = (params: URLSearchParams, ask: Ask = askInBrowser) =>
  listOptions(toAsked(userQuestions.users, { params }), ask)

/** A symbol's aggregate now. */
export const symbolOptions = (symbol: string, ask: Ask = askInBrowser) =>
  answerOptions(toAsked(symbolQuestions.symbol, { parts: { symbol } }), ask)

/** What the community thinks of a symbol. */
export const opinionOptions = (symbol: string, asof: number | null, ask: Ask = askInBrowser) =>
  listOptions(toAsked(symbolQuestions.opinion, { parts: { symbol }, params: asOf(asof) }), ask)

/** What happened lately among the symbols. */
export const overviewOptions = (asof: number | null, ask: Ask = askInBrowser) =>
  listOptions(toAsked(symbolQuestions.overview, { params: asOf(asof) }), ask)

/** Several symbols side by side. `params` are those of the compare query. */
export const comparisonOptions = (params: URLSearchParams, ask: Ask = askInBrowser) =>
  listOptions(toAsked(symbolQuestions.comparison, { params }), ask)

/** A symbol's series. `params` are those of the series query. */
export const seriesOptions = (symbol: string, params: URLSearchParams, ask: Ask = askInBrowser) =>
  listOptions(toAsked(symbolQuestions.series, { parts: { symbol }, params }), ask)

/** Why a symbol's consensus moved after one instant up to another (seconds). */
export const movesOptions = (
  symbol: string,
  span: { from: number; to: number | null; asof: number | null },
  ask: Ask = askInBrowser,
) =>
  listOptions(
    toAsked(symbolQuestions.moves, { parts: { symbol }, params: toParams(movesQuery, span) }),
    ask,
  )

/** What changed in a period. `params` are those of the query of changes. */
export const changesOptions = (params: URLSearchParams, ask: Ask = askInBrowser) =>
  listOptions(toAsked(ratingQuestions.changes, { params }), ask)

/** A symbol's closes in the buckets of its series. `params` are those of the series query. */
export const pricesOptions = (symbol: string, params: URLSearchParams, ask: Ask = askInBrowser) =>
  listOptions(toAsked(symbolQuestions.prices, { parts: { symbol }, params }), ask)

/** What followed a symbol's consensus; `horizon` in days. */
export const followedOptions = (symbol: string, asked: TrackQuery, ask: Ask = askInBrowser) =>
  listOptions(
    toAsked(symbolQuestions.followed, { parts: { symbol }, params: toParams(trackQuery, asked) }),
    ask,
  )

const ofUser = (id: number, asof: number | null) => ({
  parts: { id: String(id) },
  params: asOf(asof),
})

/** One user. */
export const userOptions = (userId: number, asof: number | null, ask: Ask = askInBrowser) =>
  listOptions(toAsked(userQuestions.user, ofUser(userId, asof)), ask)

/** A user's ratings over time, symbol by symbol. */
export const userRatingsOptions = (userId: number, asof: number | null, ask: Ask = askInBrowser) =>
  listOptions(toAsked(userQuestions.userRatings, ofUser(userId, asof)), ask)

/** What can be judged of a user without prices. */
export const recordOptions = (userId: number, asof: number | null, ask: Ask = askInBrowser) =>
  listOptions(toAsked(userQuestions.userRecord, ofUser(userId, asof)), ask)

/** What became of a user's ratings by prices; `horizon` in days. */
export const trackOptions = (userId: number, asked: TrackQuery, ask: Ask = askInBrowser) => {
  const parts = { id: String(userId) }
  return listOptions(
    toAsked(userQuestions.track, { parts, params: toParams(trackQuery, asked) }),
    ask,
  )
}

/** The same of everybody's. */
export const communityOptions = (asked: TrackQuery, ask: Ask = askInBrowser) =>
  listOptions(toAsked(userQuestions.communityRecord, { params: toParams(trackQuery, asked) }), ask)

/** Is something going on that a reader waits for? Then ask again soon. */
const isBusy = (status: StatusSummary | undefined) =>
  status === undefined || status.archive.ratings === 0 || status.sync.progress !== null

/** How soon the state of archive and sync is asked for again: not at all while events tell it. */
const untilAsked = (status: StatusSummary | undefined): number | false => {
  if (liveState.isStanding) return false
  return isBusy(status) ? BUSY_POLL_MS : CALM_POLL_MS
}

const STATUS_KEY = ['status'] as const

/** The state of archive and sync with all its lists, for its own page. */
export const statusOptions = (ask: Ask = askInBrowser) =>
  queryOptions({
    queryKey: STATUS_KEY,
    queryFn: ({ signal }) => ask(toAsked(stateQuestions.status), { signal }),
    refetchInterval: ({ state }) => untilAsked(state.data?.data),
  })

/** What every page knows of it: a page carries no more. Its key begins with that of all, so both are asked anew as one. */
export const statusSummaryOptions = (ask: Ask = askInBrowser) =>
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

/** Both dumps' cards, asked again quickly while one is being fetched; that one begins or ends is told by events too. */
export function dumpsOptions(ask: Ask = askInBrowser) {
  return queryOptions({
    queryKey: ['dumps'],
    queryFn: ({ signal }) => ask(toAsked(editionQuestions.dumps), { signal }),
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
export const editionsOptions = (ask: Ask = askInBrowser) =>
  answerOptions(toAsked(editionQuestions.editions), ask)

/** Whether events keep this page's status current, so that nobody needs to ask for it. Of the one page of a browser. */
export const liveState = { isStanding: false }
