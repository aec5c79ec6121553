'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { dumpsOptions } from '#lib/client/query-options.ts'
import type { Dump } from '#lib/contract/answers/state.ts'
import { dumpPath } from './dump-names.ts'

/** Has the dashboard fetch a dump from the service, without downloading it from the dashboard. */
export function useFetchDump(kind: Dump['kind']) {
  const queryClient = useQueryClient()
  return useMutation({
    // HEAD waits for the edition as GET does; what becomes of it stands in the card, so its answer says nothing new.
    mutationFn: async () => await fetch(dumpPath(kind), { method: 'HEAD' }),
    onMutate: () => {
      setTimeout(() => void queryClient.invalidateQueries(dumpsOptions()), SOON_MS)
    },
    onSettled: () => queryClient.invalidateQueries(dumpsOptions()),
  })
}

/** By then the fetching has begun and the card can say so. */
const SOON_MS = 150
