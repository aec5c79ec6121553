'use client'

import { useCallback, useMemo } from 'react'
import { useZonedAddress } from '#components/address/use-address.ts'
import {
  type DifferencesQuery,
  differencesQuery,
  toDifferenceParams,
} from '#lib/contract/edition-differences.ts'
import type { Issue } from '#lib/contract/faults.ts'
import { withZone } from '#lib/contract/outlook.ts'
import { readLeniently } from '#lib/contract/query-schema.ts'
import { toQueryText } from '#lib/contract/ratings-query.ts'

type Change = Partial<DifferencesQuery>

/** What the page's address asks of a difference, and the ways to change it: by a link's address, or at once. */
export type DifferencesView = {
  query: DifferencesQuery
  params: URLSearchParams
  zone: string
  /** The address as it stands, and what of it had to be ignored. */
  given: URLSearchParams
  ignored: readonly Issue[]
  /** Both lead to the first page, unless they name another. */
  hrefFor: (change: Change) => string
  change: (change: Change) => void
}

export function useDifferencesView(): DifferencesView {
  const { given, params: asked, zone, ignored: badZone, write } = useZonedAddress()
  const { query, ignored } = useMemo(() => readLeniently(differencesQuery, asked), [asked])
  const params = useMemo(() => toDifferenceParams(query), [query])
  const toParams = (change: Change) => toDifferenceParams({ ...query, page: 1, ...change })
  const change = useCallback(
    (changed: Change) => write(toDifferenceParams({ ...query, page: 1, ...changed })),
    [query, write],
  )
  return {
    ...{ query, params, zone, given, change },
    ignored: [...badZone, ...ignored],
    hrefFor: (changed) => `/changes/editions${toQueryText(withZone(toParams(changed), zone))}`,
  }
}
