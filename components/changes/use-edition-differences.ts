'use client'

import { type ListView, useListView } from '#components/address/use-list-view.ts'
import { type DifferencesQuery, differencesQuery } from '#lib/contract/edition-differences.ts'

/** What the page's address asks of a difference, and the ways to change it. */
export type DifferencesView = ListView<DifferencesQuery>

const DIFFERENCES = {
  path: '/changes/editions',
  schema: differencesQuery,
}

export const useDifferencesView = (): DifferencesView => useListView(DIFFERENCES)
