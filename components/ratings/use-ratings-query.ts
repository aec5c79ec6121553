'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { useAddress } from '#components/address/use-address.ts'
import { withKnownColumns } from '#components/columns/named-columns.ts'
import { facetsOptions, ratingsOptions } from '#lib/client/query-options.ts'
import { toSearchParams } from '#lib/contract/ratings-query.ts'
import { readRatingsView, toViewParams } from '#lib/contract/ratings-view.ts'
import type { ChangeQuery } from './query-change.ts'

/**
 * The ratings view of the address, what had to be ignored in it, and the way to change it. A change begins at what
 * stands in the address at that moment, so that two quick clicks both count.
 */
export function useRatingsQuery() {
  const client = useQueryClient()
  const { params, write } = useAddress()
  const { query, ignored } = useMemo(() => withKnownColumns(readRatingsView(params)), [params])
  const change = useCallback<ChangeQuery>(
    (to, how) => {
      const given = new URLSearchParams(window.location.search)
      const { query: current } = withKnownColumns(readRatingsView(given))
      const next = to(current)
      // Asked before anything is drawn: the answer comes as much sooner. The rows that are there already stay as they
      // are, however old: what is looked at otherwise, or opened, must not move them.
      if (toSearchParams(next).toString() !== toSearchParams(current).toString()) {
        void client.prefetchQuery(ratingsOptions(next))
        void client.prefetchQuery(facetsOptions(next))
      }
      write(toViewParams(next), how)
    },
    [client, write],
  )
  return { query, ignored, params, change }
}
