import type { Question } from '#lib/contract/operations/operation.ts'
import {
  type Parameters,
  type QuerySchema,
  toParams,
  type ValuesOf,
} from '#lib/contract/query-schema.ts'
import { askInBrowser, type FetchAnswer } from './fetch-api.ts'
import { listOptions, toAsked } from './query-options.ts'

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
