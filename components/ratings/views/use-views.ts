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
  /** The view that the page shows. */
  current: SavedView | null
  /** `current` also has the columns that the page shows. */
  isExact: boolean
  /** The page shows every rating. */
  isEverything: boolean
  /** The address that would be saved now. */
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
    // A view without an instant is the same at any instant.
    current: findShown(view) ?? findShown({ ...view, asof: null }),
    isExact: findByAddress(views, address) !== null,
    isEverything: toViewAddress({ ...view, asof: null }) === '',
    address,
    change: viewsStore.change,
  }
}

/** The columns of this browser where they differ from the default. */
function toOwnColumns(settings: TableSettings): readonly string[] {
  const shown = shownColumns(settings)
  return shown.join() === shownColumns(DEFAULT_SETTINGS).join() ? [] : shown
}

const findByAddress = (views: SavedViews, address: string): SavedView | null =>
  views.find((view) => toCanonicalAddress(view.address) === address) ?? null

/** The filters of a saved view: `AAPL or MSFT · Strong Buy`. */
export const toViewWords = ({ address }: SavedView): string =>
  toFilterWords(readRatingsView(new URLSearchParams(address)).query)
