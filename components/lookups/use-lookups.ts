'use client'

import { useCallback, useMemo } from 'react'
import { useZonedAddress } from '#components/address/use-address.ts'
import type { Issue } from '#lib/contract/faults.ts'
import { type LookupsQuery, lookupsQuery, toLookupParams } from '#lib/contract/lookups-query.ts'
import { withZone } from '#lib/contract/outlook.ts'
import { readLeniently } from '#lib/contract/query-schema.ts'
import { toQueryText } from '#lib/contract/ratings-query.ts'

type Change = Partial<LookupsQuery>

/** What the page's address asks of the look-ups, and the ways to change it: by a link's address, or at once. */
export type LookupsView = {
  query: LookupsQuery
  params: URLSearchParams
  zone: string
  /** The address as it stands, and what of it had to be ignored. */
  given: URLSearchParams
  ignored: readonly Issue[]
  /** Both lead to the first page, unless they name another. */
  hrefFor: (change: Change) => string
  change: (change: Change) => void
}

export function useLookupsView(): LookupsView {
  const { given, params: asked, zone, ignored: badZone, write } = useZonedAddress()
  const { query, ignored } = useMemo(() => readLeniently(lookupsQuery, asked), [asked])
  const params = useMemo(() => toLookupParams(query), [query])
  const toParams = (change: Change) => toLookupParams({ ...query, page: 1, ...change })
  const change = useCallback(
    (changed: Change) => write(toLookupParams({ ...query, page: 1, ...changed })),
    [query, write],
  )
  return {
    ...{ query, params, zone, given, change },
    ignored: [...badZone, ...ignored],
    hrefFor: (changed) => `/lookups${toQueryText(withZone(toParams(changed), zone))}`,
  }
}
