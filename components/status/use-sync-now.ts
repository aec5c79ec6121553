'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FetchApi, loadAnswer } from '#lib/client/fetch-api.ts'
import { statusOptions } from '#lib/client/query-options.ts'

const postInBrowser: FetchApi = (path, init) =>
  fetch(path, {
    ...init,
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body: '{}',
  })

/** Asks for a sync now; the status says what becomes of it. */
export function useSyncNow() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => loadAnswer('accepted', '/api/sync', { fetchApi: postInBrowser }),
    onSettled: () => queryClient.invalidateQueries(statusOptions()),
  })
}
