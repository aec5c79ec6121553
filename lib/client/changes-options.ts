import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { changeQuestions } from '#lib/contract/operations/changes.ts'
import { toAddress } from '#lib/contract/operations/operation.ts'
import { askInBrowser, type FetchAnswer } from './fetch-api.ts'
import { listOptions, toAsked } from './query-options.ts'

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
