'use client'

import { updateStored, useStored } from '#components/store/store.ts'
import type { SavedView } from '#components/store/stored-state.ts'
import type { SavedViews } from './saved-view.ts'
import { findViewPage, toCanonicalAddress, toViewAddress } from './view-pages.ts'

type Query = Readonly<Record<string, unknown>>

/** What a page shows. */
export type ShownView = {
  path: string
  query: Query
  /** What is saved, if it is more than the query. */
  saved?: Query
}

export type Views = {
  /** Of every page. */
  views: SavedViews
  /** Of this page. */
  own: SavedViews
  current: SavedView | null
  isExact: boolean
  isEverything: boolean
  address: string
}

export function useViews({ path, query, saved = query }: ShownView): Views {
  const views = useStored((stored) => stored.views)
  const page = findViewPage(path)
  const toAddress = (shown: Query) => toViewAddress(page, shown)
  const find = (shown: Query) => {
    const address = toAddress(shown)
    return views.find((view) => toCanonicalAddress(view.address) === address) ?? null
  }
  const now = { ...query, asof: null }
  return {
    views,
    own: views.filter(({ address }) => findViewPage(address) === page),
    // A view without an instant matches at any instant.
    current: find(saved) ?? find(query) ?? find({ ...saved, asof: null }) ?? find(now),
    isExact: find(saved) !== null,
    isEverything: toAddress(now) === toAddress({}),
    address: toAddress(saved),
  }
}

export const updateViews = (change: (views: SavedViews) => SavedViews): void =>
  updateStored(({ views }) => ({ views: change(views) }))
