'use client'

import { useSyncExternalStore } from 'react'
import { toFilterWords } from '#components/ratings/filters/filter-summary.ts'
import {
  DEFAULT_SETTINGS,
  shownColumns,
  type TableSettings,
} from '#components/ratings/table/columns.ts'
import { useTableSettings } from '#components/ratings/table/table-settings.ts'
import { type RatingsView, readRatingsView } from '#lib/contract/ratings-view.ts'
import { type SavedView, type SavedViews, toCanonicalAddress, toViewAddress } from './saved-view.ts'
import { subscribeToViews, type ViewsProblem, viewsStore } from './views-store.ts'

export type Views = {
  views: SavedViews
  problem: ViewsProblem | null
  current: SavedView | null
  isExact: boolean
  isEverything: boolean
  address: string
  change: (to: (saved: SavedViews) => SavedViews) => void
}

export function useViews(view: RatingsView): Views {
  const { settings } = useTableSettings()
  const { saved: views, problem } = useSyncExternalStore(subscribeToViews, viewsStore.load)
  const columns = toOwnColumns(settings)
  const address = toViewAddress(view, columns)
  const findShown = (shown: RatingsView) =>
    findByAddress(views, toViewAddress(shown, columns)) ??
    findByAddress(views, toViewAddress(shown))
  return {
    views,
    problem,
    // A view without an instant matches at any instant.
    current: findShown(view) ?? findShown({ ...view, asof: null }),
    isExact: findByAddress(views, address) !== null,
    isEverything: toViewAddress({ ...view, asof: null }) === '',
    address,
    change: viewsStore.change,
  }
}

/** Empty if the columns are the default. */
function toOwnColumns(settings: TableSettings): readonly string[] {
  const shown = shownColumns(settings)
  return shown.join() === shownColumns(DEFAULT_SETTINGS).join() ? [] : shown
}

const findByAddress = (views: SavedViews, address: string): SavedView | null =>
  views.find((view) => toCanonicalAddress(view.address) === address) ?? null

export const toViewWords = ({ address }: SavedView): string =>
  toFilterWords(readRatingsView(new URLSearchParams(address)).query)
