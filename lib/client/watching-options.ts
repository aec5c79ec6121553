import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { toAddress } from '#lib/contract/answers/questions.ts'
import { askInBrowser } from './fetch-api.ts'
import { toQuestion } from './query-options.ts'

/**
 * What watched things hold, asked once for each generation of the archive: whoever is told of a commit asks anew. `params` are those of
 * `GET /api/watching`. For the browser: the server knows nobody's stars.
 */
export const watchingOptions = (params: URLSearchParams, generation: number) => {
  const question = toQuestion('watching', { params })
  return queryOptions({
    queryKey: [question.kind, toAddress(question), generation],
    queryFn: ({ signal }) => askInBrowser(question, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  })
}
