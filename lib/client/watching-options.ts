import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { toAddress } from '#lib/contract/operations/operation.ts'
import { ratingQuestions } from '#lib/contract/operations/ratings.ts'
import { askInBrowser } from './fetch-api.ts'
import { toAsked } from './query-options.ts'

export const watchingOptions = (params: URLSearchParams, generation: number) => {
  const asked = toAsked(ratingQuestions.watching, { params })
  return queryOptions({
    queryKey: [asked.question.name, toAddress(asked), generation],
    queryFn: ({ signal }) => askInBrowser(asked, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  })
}
