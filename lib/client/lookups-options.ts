import { asofQuery } from '#lib/contract/api-queries.ts'
import { symbolQuestions } from '#lib/contract/operations/symbols.ts'
import { toParams } from '#lib/contract/query-schema.ts'
import { askInBrowser, type FetchAnswer } from './fetch-api.ts'
import { listOptions, toAsked } from './query-options.ts'

export const attentionOptions = (symbol: string, params: URLSearchParams) =>
  listOptions(toAsked(symbolQuestions.attention, { parts: { symbol }, params }), askInBrowser)

export const attentionOverviewOptions = (asof: number | null, ask: FetchAnswer = askInBrowser) =>
  listOptions(
    toAsked(symbolQuestions.attentionOverview, { params: toParams(asofQuery, { asof }) }),
    ask,
  )
