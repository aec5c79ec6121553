import { callQuestions } from '#lib/contract/operations/calls.ts'
import { type Ask, askInBrowser } from './fetch-api.ts'
import { listOptions, toAsked } from './query-options.ts'

/** Ratings as calls, a page of them. `params` are those of the query of calls. */
export const callsOptions = (params: URLSearchParams, ask: Ask = askInBrowser) =>
  listOptions(toAsked(callQuestions.calls, { params }), ask)
