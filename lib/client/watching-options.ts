import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { toAddress } from '#lib/contract/operations/operation.ts'
import { ratingQuestions } from '#lib/contract/operations/ratings.ts'
import { askInBrowser } from './fetch-api.ts'
import { toAsked } from './query-options.ts'

/**
 * What watched things hold, asked once for each generation of the archive: whoever is told of a commit asks anew. `params` are those of
 * `GET /api/watching`. For the browser: the server knows nobody's stars.
 */
export const watchingOptions = (params: URLSearchParams, generation: number) => {
  const asked = toAsked(ratingQuestions.watching, { params })
  return queryOptions({
    queryKey: [asked.question.name, toAddress(asked), generation],
    queryFn: ({ signal }) => askInBrowser(asked, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  })
}
