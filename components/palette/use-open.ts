'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useMemo } from 'react'
import { toHref } from '#components/ratings/query-change.ts'
import { facetsOptions, ratingsOptions } from '#lib/client/query-options.ts'
import { readOutlook } from '#lib/contract/outlook.ts'
import type { RatingsQuery } from '#lib/contract/ratings-query.ts'
import { EVERY_VIEW, type RatingsView, readRatingsView } from '#lib/contract/ratings-view.ts'

/** The view that this page shows; every rating, looked at in the same way, where it is not the page of the ratings. */
export function readShownView(): RatingsView {
  const params = new URLSearchParams(window.location.search)
  if (isRatings(window.location.pathname)) return readRatingsView(params).query
  return { ...EVERY_VIEW, ...readOutlook(params) }
}

const isRatings = (path: string) => path === '/'

/**
 * The address of a query, looked at as this page looks at its own, at the same instant unless it names one; what stands
 * open beside the table is closed.
 */
export function toApplyHref(query: RatingsQuery): string {
  const shown = readShownView()
  return toHref({ ...shown, ...query, asof: query.asof ?? shown.asof, open: null })
}

/** Opens an address of ours: another view of the table in place where the table is shown, everything else by the router. */
export function useOpen(): (href: string) => void {
  const router = useRouter()
  const client = useQueryClient()
  return useMemo(
    () => (href) => {
      const url = new URL(href, window.location.origin)
      if (!isRatings(url.pathname) || !isRatings(window.location.pathname)) {
        router.push(href)
        return
      }
      if (href === window.location.pathname + window.location.search) return
      const { query } = readRatingsView(url.searchParams)
      // Asked before anything is drawn: the answer comes as much sooner.
      void client.prefetchQuery(ratingsOptions(query))
      void client.prefetchQuery(facetsOptions(query))
      window.history.pushState(null, '', href)
    },
    [router, client],
  )
}

/** Opens an address in a new tab; false where the browser does not let us. */
export function openTab(href: string): boolean {
  const opened = window.open(href, '_blank')
  if (opened === null) return false
  opened.opener = null
  return true
}
