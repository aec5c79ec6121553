'use client'

import { useEffect, useState, useSyncExternalStore } from 'react'
import {
  DEFAULT_SETTINGS,
  shownColumns,
  type TableSettings,
} from '#components/ratings/table/columns.ts'
import { useTableSettings } from '#components/ratings/table/table-settings.ts'
import { toKeptName } from '#lib/contract/base-path.ts'
import type { RatingsView } from '#lib/contract/ratings-view.ts'
import {
  type SavedView,
  type SavedViews,
  selectFirst,
  toCanonicalAddress,
  toViewAddress,
} from './saved-view.ts'
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

const STEP_KEY = toKeptName('bellwether.view-step')
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

const REMEMBERED_MAX = 500

/** Which view an address began as: `from` is its id, null where it began as none. */
type TrailStep = { text: string; from: string | null }

/**
 * Follows the addresses that a reader goes through, and tells from which saved view each of them began: the one that
 * it equals, or else the one that the address before it began as. An address that somebody comes back to keeps its
 * own. `start` is the last step before the page was loaded again.
 */
export function createTrail(start: TrailStep | null) {
  const steps = new Map<string, string | null>()
  if (start) steps.set(start.text, start.from)
  let last: string | null = null
  return (text: string, equalId: string | null): string | null => {
    const known = steps.get(text)
    // Nothing is asked: who cleared everything begins anew.
    if (equalId !== null || text === '') last = equalId
    else if (known !== undefined) last = known
    if (steps.size >= REMEMBERED_MAX) steps.clear()
    steps.set(text, last)
    return last
  }
}
