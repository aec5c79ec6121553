import { callQuestions } from '#lib/contract/operations/calls.ts'
import { type Ask, askInBrowser } from './fetch-api.ts'
import { listOptions, toAsked } from './query-options.ts'

export const callsOptions = (params: URLSearchParams, ask: Ask = askInBrowser) =>
  listOptions(toAsked(callQuestions.calls, { params }), ask)
