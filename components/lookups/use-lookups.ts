'use client'

import { type ListView, useListView } from '#components/address/use-list-view.ts'
import { type LookupsQuery, lookupsQuery } from '#lib/contract/lookups-query.ts'

/** What the page's address asks of the look-ups, and the ways to change it. */
export type LookupsView = ListView<LookupsQuery>

const LOOKUPS = {
  path: '/lookups',
  schema: lookupsQuery,
}

export const useLookupsView = (): LookupsView => useListView(LOOKUPS)
