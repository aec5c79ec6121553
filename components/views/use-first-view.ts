'use client'

import { useEffect, useEffectEvent } from 'react'
import type { RatingsView } from '#lib/contract/ratings-view.ts'
import { selectFirst } from './saved-view.ts'
import { viewsStore } from './views-store.ts'

/** Stands in the history's entry of an address that nothing is asked by, once it was shown as it is. */
const SHOWN = 'bellwetherShown'

let hasDecided = false

/**
 * Opens the page with the reader's default view where somebody comes to it and asks for nothing. Who loads it again,
 * comes back to it or has cleared everything sees what the address says: every rating. `open` shows an address in
 * place of the one that stands there.
 */
export function useFirstView(view: RatingsView, open: (address: string) => void) {
  const arrive = useEffectEvent(() => {
    const first = selectFirst(viewsStore.load().saved)
    if (isBare() && isArrival() && first && first.address !== '') open(first.address)
    hasDecided = true
  })
  useEffect(() => arrive(), [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another view is another entry
  useEffect(() => {
    const { state } = window.history
    if (!isBare() || state?.[SHOWN]) return
    // With the framework's own entries in it this passes by its router: the address stays what it is.
    window.history.replaceState({ ...state, [SHOWN]: true }, '')
  }, [view])
}

const isBare = () => window.location.pathname === '/' && window.location.search === ''

/** Is this a new entry of the history? Only the first look can come from loading a document again. */
function isArrival(): boolean {
  if (window.history.state?.[SHOWN]) return false
  if (hasDecided) return true
  const [navigation] = performance.getEntriesByType('navigation')
  if (!(navigation instanceof PerformanceNavigationTiming)) return true
  const isThisPage = new URL(navigation.name).pathname === '/'
  return !isThisPage || navigation.type === 'navigate'
}
