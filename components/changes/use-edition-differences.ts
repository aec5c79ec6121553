'use client'

import { type ListView, useListView } from '#components/address/use-list-view.ts'
import {
  type DifferencesQuery,
  differencesQuery,
  toDifferenceParams,
} from '#lib/contract/edition-differences.ts'
import { readLeniently } from '#lib/contract/query-schema.ts'

/** What the page's address asks of a difference, and the ways to change it. */
export type DifferencesView = ListView<DifferencesQuery>

const DIFFERENCES = {
  path: '/changes/editions',
  read: (params: URLSearchParams) => readLeniently(differencesQuery, params),
  toParams: toDifferenceParams,
}

export const useDifferencesView = (): DifferencesView => useListView(DIFFERENCES)
