'use client'

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { ApiError } from '#lib/client/api-error.ts'
import { facetsOptions, ratingsOptions, statusOptions } from '#lib/client/query-options.ts'
import type { RatingsPage } from '#lib/contract/answers/ratings.ts'
import type { Status } from '#lib/contract/answers/status.ts'
import type { RatingsQuery } from '#lib/contract/ratings-query.ts'

/** Rows never move under a reader who did not ask for it. */
const STILL = {
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
  refetchInterval: false,
} as const

/**
 * What the page shows of a query: the last page of rows that came (of an earlier query while `isOld`), the counts,
 * and whether the archive knows more by now. An archive that is filled for the first time is read again by itself.
 */
export function useRatingsData(query: RatingsQuery) {
  const client = useQueryClient()
  const rows = useQuery({ ...ratingsOptions(query), ...STILL })
  const counts = useQuery({ ...facetsOptions(query), ...STILL })
  const status = useQuery(statusOptions()).data?.data
  const page = useLast(rows.data)
  const facets = useLast(counts.data)?.data

  const refresh = useCallback(() => {
    void client.invalidateQueries({ queryKey: ['ratings'] })
    void client.invalidateQueries({ queryKey: ['facets'] })
  }, [client])

  const isNotReady = rows.error instanceof ApiError && rows.error.type === 'not_ready'
  const isFirstStart = page ? page.meta.all === 0 : isNotReady
  const hasNewer = (status?.archive.generation ?? 0) > (page?.meta.generation ?? 0)
  useEffect(() => {
    if (isFirstStart && hasNewer) refresh()
  }, [isFirstStart, hasNewer, refresh])

  return {
    // Of an archive that is empty still there is nothing to say yet.
    page: isFirstStart ? undefined : page,
    facets: isFirstStart ? undefined : facets,
    status,
    error: rows.error,
    countsError: counts.error,
    isOld: page !== undefined && (rows.isPlaceholderData || rows.data === undefined),
    isFirstStart,
    // Who looks at an earlier day looks for nothing that came after it.
    hasNewer: hasNewer && query.asof === null && !isFirstStart && !rows.isFetching,
    newerCount: toNewerCount(status, page),
    refresh,
  }
}

/** The last value that was there: what was read stays when what was asked next fails. */
function useLast<T>(value: T | undefined): T | undefined {
  const [last, setLast] = useState(value)
  if (value !== undefined && value !== last) setLast(value)
  return value ?? last
}

/** How many ratings came since; null where none is more than there was: then some have changed. */
function toNewerCount(status: Status | undefined, page: RatingsPage | undefined): number | null {
  const more = (status?.archive.ratings ?? 0) - (page?.meta.all ?? 0)
  return more > 0 ? more : null
}
