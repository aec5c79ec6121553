'use client'

import { useEffect, useState, useSyncExternalStore } from 'react'
import { shownColumns } from '#components/columns/column-layout.ts'
import { DEFAULT_SETTINGS, type TableSettings } from '#components/columns/table-settings.ts'
import { useTableSettings } from '#components/columns/use-table-settings.ts'
import type { RatingsView } from '#lib/contract/ratings-view.ts'
import { type SavedView, type SavedViews, selectFirst } from './saved-view.ts'
import { toCanonicalAddress, toViewAddress } from './view-address.ts'
import { createTrail, type TrailStep } from './view-trail.ts'
import { loadViews, subscribeToViews, type ViewsProblem, viewsStore } from './views-store.ts'

export type Views = {
  /** In the reader's order, each with a name of its own. */
  views: readonly SavedView[]
  problem: ViewsProblem | null
  /** The view that the page opens with. */
  first: SavedView | null
  /** The view whose address is the one shown. */
  current: SavedView | null
  /** It was saved with the columns that are shown, too. */
  isExact: boolean
  /** The address asks for nothing. */
  isEverything: boolean
  /** The view that what is shown began as; `current` itself where that is shown. */
  origin: SavedView | null
  /** What would be saved now. */
  address: string
  change: (to: (saved: SavedViews) => SavedViews) => void
}

/** The saved views, and how what is shown stands to them. */
export function useViews(view: RatingsView): Views {
  const { settings } = useTableSettings()
  const { saved, problem } = useSyncExternalStore(subscribeToViews, viewsStore.load)
  const views = loadViews()
  const address = toViewAddress(view, toOwnColumns(settings))
  const plain = toViewAddress(view)
  const exact = findByAddress(views, address)
  const isOne = (shown: RatingsView) =>
    findByAddress(views, toViewAddress(shown, toOwnColumns(settings))) ??
    findByAddress(views, toViewAddress(shown))
  // A view that was saved at no instant is the same one at any.
  const current = isOne(view) ?? isOne({ ...view, asof: null })
  const originId = useOriginId(plain, current?.id ?? null)
  const origin = current ?? views.find(({ id }) => id === originId) ?? null
  return {
    views,
    problem,
    first: selectFirst(saved),
    current,
    isExact: exact !== null,
    isEverything: toViewAddress({ ...view, asof: null }) === '',
    origin,
    address,
    change: viewsStore.change,
  }
}

/** The columns that this reader sees, where they are not those that everybody sees. */
function toOwnColumns(settings: TableSettings): readonly string[] {
  const shown = shownColumns(settings)
  return shown.join() === shownColumns(DEFAULT_SETTINGS).join() ? [] : shown
}

const findByAddress = (views: readonly SavedView[], address: string): SavedView | null =>
  views.find((view) => toCanonicalAddress(view.address) === address) ?? null

const STEP_KEY = 'bellwether.view-step'
let trail: ReturnType<typeof createTrail> | null = null

function useOriginId(text: string, currentId: string | null): string | null {
  const [originId, setOriginId] = useState(currentId)
  useEffect(() => {
    trail ??= createTrail(loadStep())
    const from = trail(text, currentId)
    setOriginId(from)
    saveStep({ text, from })
  }, [text, currentId])
  return originId
}

/** Where this tab was before it was loaded again; without storage nobody knows. */
function loadStep(): TrailStep | null {
  try {
    const [text, from] = JSON.parse(sessionStorage.getItem(STEP_KEY) ?? '[]')
    return typeof text === 'string' && typeof from === 'string' ? { text, from } : null
  } catch {
    return null
  }
}

function saveStep({ text, from }: TrailStep) {
  try {
    sessionStorage.setItem(STEP_KEY, JSON.stringify([text, from]))
  } catch {
    // Then a changed view is no longer known after the page is loaded again; nothing else is lost.
  }
}
