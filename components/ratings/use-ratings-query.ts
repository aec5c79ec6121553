'use client'

import { useCallback, useMemo } from 'react'
import { useAddress } from '#components/league/use-address.ts'
import { readRatingsQuery, toSearchParams } from '#lib/contract/ratings-query.ts'
import type { ChangeQuery } from './query-change.ts'

/**
 * The ratings query of the address, what had to be ignored in it, and the way to change it. A change begins at what
 * stands in the address at that moment, so that two quick clicks both count.
 */
export function useRatingsQuery() {
  const { params, write } = useAddress()
  const { query, ignored } = useMemo(() => readRatingsQuery(params), [params])
  const change = useCallback<ChangeQuery>(
    (to) => {
      const { query: current } = readRatingsQuery(new URLSearchParams(window.location.search))
      write(toSearchParams(to(current)))
    },
    [write],
  )
  return { query, ignored, params, change }
}
