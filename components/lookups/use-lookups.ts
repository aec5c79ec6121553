'use client'

import { type ListView, useListView } from '#components/address/use-list-view.ts'
import { type LookupsQuery, lookupsQuery, toLookupParams } from '#lib/contract/lookups-query.ts'
import { readLeniently } from '#lib/contract/query-schema.ts'

/** What the page's address asks of the look-ups, and the ways to change it. */
export type LookupsView = ListView<LookupsQuery>

const LOOKUPS = {
  path: '/lookups',
  read: (params: URLSearchParams) => readLeniently(lookupsQuery, params),
  toParams: toLookupParams,
}

export const useLookupsView = (): LookupsView => useListView(LOOKUPS)
