import { type TrackQuery, trackQuery } from '#lib/contract/api-queries.ts'
import { callQuestions, userQuestions } from '#lib/contract/operations/users.ts'
import { toParams } from '#lib/contract/query-schema.ts'
import { askInBrowser, type FetchAnswer } from './fetch-api.ts'
import { asOf, listOptions, toAsked } from './query-options.ts'

export const usersOptions = (params: URLSearchParams, ask: FetchAnswer = askInBrowser) =>
  listOptions(toAsked(userQuestions.users, { params }), ask)

const ofUser = (id: number, asof: number | null) => ({
  parts: { id: String(id) },
  params: asOf(asof),
})

export const userOptions = (userId: number, asof: number | null, ask: FetchAnswer = askInBrowser) =>
  listOptions(toAsked(userQuestions.user, ofUser(userId, asof)), ask)

export const userRatingsOptions = (
  userId: number,
  asof: number | null,
  ask: FetchAnswer = askInBrowser,
) => listOptions(toAsked(userQuestions.userRatings, ofUser(userId, asof)), ask)

export const trackOptions = (
  userId: number,
  asked: TrackQuery,
  ask: FetchAnswer = askInBrowser,
) => {
  const parts = { id: String(userId) }
  return listOptions(
    toAsked(userQuestions.track, { parts, params: toParams(trackQuery, asked) }),
    ask,
  )
}

export const communityOptions = (asked: TrackQuery, ask: FetchAnswer = askInBrowser) =>
  listOptions(toAsked(userQuestions.communityRecord, { params: toParams(trackQuery, asked) }), ask)

export const callsOptions = (params: URLSearchParams, ask: FetchAnswer = askInBrowser) =>
  listOptions(toAsked(callQuestions.calls, { params }), ask)
