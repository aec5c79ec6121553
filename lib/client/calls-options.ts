import { callQuestions } from '#lib/contract/operations/calls.ts'
import { askInBrowser, type FetchAnswer } from './fetch-api.ts'
import { listOptions, toAsked } from './query-options.ts'

export const callsOptions = (params: URLSearchParams, ask: FetchAnswer = askInBrowser) =>
  listOptions(toAsked(callQuestions.calls, { params }), ask)
