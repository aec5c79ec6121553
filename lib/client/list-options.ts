import { queryOptions } from '@tanstack/react-query'
import type { Question } from '#lib/contract/operations/operation.ts'
import { editionQuestions } from '#lib/contract/operations/state.ts'
import {
  type Parameters,
  type QuerySchema,
  toParams,
  type ValuesOf,
} from '#lib/contract/query-schema.ts'
import { askInBrowser, type FetchAnswer } from './fetch-api.ts'
import {
  answerOptions,
  BUSY_POLL_MS,
  CALM_POLL_MS,
  listOptions,
  liveState,
  toAsked,
} from './query-options.ts'

export const pageOptions = <Q extends Question, P extends Parameters>(
  question: Q & { query: QuerySchema<P> },
  query: ValuesOf<P>,
  ask: FetchAnswer = askInBrowser,
) => listOptions(toAsked<Q>(question, { params: toParams(question.query, query) }), ask)

export function countsOptions<Q extends Question, P extends Parameters>(
  question: Q & { query: QuerySchema<P> },
  query: ValuesOf<P>,
  ask: FetchAnswer = askInBrowser,
) {
  const params = toParams(question.query, query)
  for (const name of ['sort', 'page', 'per_page']) params.delete(name)
  return listOptions(toAsked<Q>(question, { params }), ask)
}

export function dumpsOptions(ask: FetchAnswer = askInBrowser) {
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

export const editionsOptions = (ask: FetchAnswer = askInBrowser) =>
  answerOptions(toAsked(editionQuestions.editions), ask)
