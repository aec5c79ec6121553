'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { toApiError } from '#lib/client/parse-answer.ts'
import { dumpsOptions } from '#lib/client/query-options.ts'
import type { Dump } from '#lib/contract/answers/status.ts'
import { dumpPath } from './dump-names.ts'

/** Has the dashboard fetch a dump from the service, without downloading it from the dashboard. */
export function useFetchDump(kind: Dump['kind']) {
  const queryClient = useQueryClient()
  return useMutation({
    // One byte waits for the edition as all of them do, and says why there is none, as HEAD could not.
    mutationFn: async () => {
      const response = await fetch(dumpPath(kind), { headers: { range: 'bytes=0-0' } })
      const body = await response.json().catch(() => null)
      if (!response.ok) throw toApiError(response, body)
    },
    onMutate: () => {
      setTimeout(() => void queryClient.invalidateQueries(dumpsOptions()), SOON_MS)
    },
    onSettled: () => queryClient.invalidateQueries(dumpsOptions()),
  })
}

/** By then the fetching has begun and the card can say so. */
const SOON_MS = 150
