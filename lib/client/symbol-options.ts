import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { movesQuery, type SymbolMapQuery, symbolMapQuery } from '#lib/contract/api-queries.ts'
import { toAddress } from '#lib/contract/operations/operation.ts'
import { changeQuestions } from '#lib/contract/operations/ratings.ts'
import { symbolQuestions } from '#lib/contract/operations/symbols.ts'
import { toParams } from '#lib/contract/query-schema.ts'
import { askInBrowser, type FetchAnswer } from './fetch-api.ts'
import { answerOptions, asOf, listOptions, toAsked } from './query-options.ts'

export const symbolsOptions = (params: URLSearchParams, ask: FetchAnswer = askInBrowser) =>
  listOptions(toAsked(symbolQuestions.symbols, { params }), ask)

export const symbolOptions = (symbol: string, ask: FetchAnswer = askInBrowser) =>
  answerOptions(toAsked(symbolQuestions.symbol, { parts: { symbol } }), ask)

export const opinionOptions = (
  symbol: string,
  asof: number | null,
  ask: FetchAnswer = askInBrowser,
) => listOptions(toAsked(symbolQuestions.opinion, { parts: { symbol }, params: asOf(asof) }), ask)

export const moversOptions = (asof: number | null, ask: FetchAnswer = askInBrowser) =>
  listOptions(toAsked(symbolQuestions.movers, { params: asOf(asof) }), ask)

export const symbolMapOptions = (asked: SymbolMapQuery, ask: FetchAnswer = askInBrowser) =>
  listOptions(toAsked(symbolQuestions.symbolMap, { params: toParams(symbolMapQuery, asked) }), ask)

export const comparisonOptions = (params: URLSearchParams, ask: FetchAnswer = askInBrowser) =>
  listOptions(toAsked(symbolQuestions.comparison, { params }), ask)

export const seriesOptions = (
  symbol: string,
  params: URLSearchParams,
  ask: FetchAnswer = askInBrowser,
) => listOptions(toAsked(symbolQuestions.series, { parts: { symbol }, params }), ask)

export const movesOptions = (
  symbol: string,
  span: { from: number; to: number | null; asof: number | null },
  ask: FetchAnswer = askInBrowser,
) =>
  listOptions(
    toAsked(symbolQuestions.moves, { parts: { symbol }, params: toParams(movesQuery, span) }),
    ask,
  )

export const pricesOptions = (
  symbol: string,
  params: URLSearchParams,
  ask: FetchAnswer = askInBrowser,
) => listOptions(toAsked(symbolQuestions.prices, { parts: { symbol }, params }), ask)

export const changesOptions = (params: URLSearchParams, ask: FetchAnswer = askInBrowser) =>
  listOptions(toAsked(changeQuestions.changes, { params }), ask)

export const watchingOptions = (params: URLSearchParams, generation: number) => {
  const asked = toAsked(changeQuestions.watching, { params })
  return queryOptions({
    queryKey: [asked.question.name, toAddress(asked), generation],
    queryFn: ({ signal }) => askInBrowser(asked, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  })
}
