'use client'

import { useCallback, useMemo } from 'react'
import type { Issue } from '#lib/contract/faults.ts'
import { withZone } from '#lib/contract/outlook.ts'
import { toQueryText } from '#lib/contract/ratings-query.ts'
import { useZonedAddress } from './use-address.ts'

/** What the address of a page with one list asks of it, and the ways to change it: by a link's address, or at once. */
export type ListView<Q> = {
  query: Q
  /** The canonical parameters of the query. */
  params: URLSearchParams
  zone: string
  /** The address as it stands, and what of it had to be ignored. */
  given: URLSearchParams
  ignored: readonly Issue[]
  /** Both lead to the first page, unless they name another. */
  hrefFor: (change: Partial<Q>) => string
  change: (change: Partial<Q>) => void
}

type List<Q> = {
  /** The page's own path. */
  path: string
  /** The same function with each drawing. */
  read: (params: URLSearchParams) => { query: Q; ignored: Issue[] }
  toParams: (query: Q) => URLSearchParams
}

/** The view of the page's address. */
export function useListView<Q extends { page: number }>(list: List<Q>): ListView<Q> {
  const { path, read, toParams } = list
  const { given, params: asked, zone, ignored: badZone, write } = useZonedAddress()
  const { query, ignored } = useMemo(() => read(asked), [asked, read])
  const params = useMemo(() => toParams(query), [query, toParams])
  const toChanged = useCallback(
    (changed: Partial<Q>) => toParams({ ...query, page: 1, ...changed }),
    [query, toParams],
  )
  const change = useCallback((changed: Partial<Q>) => write(toChanged(changed)), [toChanged, write])
  return {
    ...{ query, params, zone, given, change },
    ignored: [...badZone, ...ignored],
    hrefFor: (changed) => `${path}${toQueryText(withZone(toChanged(changed), zone))}`,
  }
}
