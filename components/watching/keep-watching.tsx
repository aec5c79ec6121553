'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useSearchParams } from 'next/navigation'
import { useCallback, useEffect, useSyncExternalStore } from 'react'
import { parseUserId, toPathText } from '#components/address/page-address.ts'
import { toCanonicalAddress } from '#components/ratings/views/saved-view.ts'
import { loadViews } from '#components/ratings/views/views-store.ts'
import { readHere } from '#components/ui/here.ts'
import { useVisible } from '#components/ui/use-browser.ts'
import { toTotal } from '#components/watch/held.ts'
import { setNewCount, toCountText } from '#components/watch/new-count.ts'
import { starStore } from '#components/watch/star-store.ts'
import { type Star, withLook } from '#components/watch/stars.ts'
import { toStarId } from '#components/watch/watched.ts'
import { ratingsOptions, symbolOptions, userOptions } from '#lib/client/query-options.ts'
import { readOutlook } from '#lib/contract/outlook.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import { readRatingsView } from '#lib/contract/ratings-view.ts'
import { useWatching } from './use-watching.ts'
import { toLooks, type WatchedLine } from './watched-lines.ts'

/**
 * Counts what is new in what is watched, on every page: for the header, for the tab's title and for the icon of an installed
 * dashboard. What a page shows of a watched thing counts as looked at. Shows nothing itself.
 */
export function KeepWatching() {
  const isSeen = useVisible()
  const { lines } = useWatching({ inBackground: !isSeen })
  const page = useOwnPage(lines)
  useEffect(() => {
    const begun = lines.filter(({ star, held }) => held && star.seen?.of !== held.of)
    const shown = lines.filter(
      ({ id, held }) => isSeen && held && id === page.id && held.generation <= page.generation,
    )
    const looks = toLooks([...begun, ...shown])
    if (looks.size > 0) starStore.change((all) => withLook(all, looks))
  }, [lines, isSeen, page.id, page.generation])
  const total = toTotal(lines.map(({ news }) => news))
  useEffect(() => setNewCount(total), [total])
  useCountedTitle(total)
  useEffect(() => tellIcon(total), [total])
  useEffect(
    () => () => {
      setNewCount(0)
      tellIcon(0)
    },
    [],
  )
  return null
}

type OwnPage = { id: string | null; generation: number }

const NO_PAGE = 'null -1'

/**
 * The watched thing that the page in sight is about, and which generation of the archive it shows of it. A page that stands
 * at another instant shows nothing of now.
 */
function useOwnPage(lines: readonly WatchedLine[]): OwnPage {
  const client = useQueryClient()
  // The address is read from the window, which is ahead of the router: this only says when.
  useSearchParams()
  const subscribe = useCallback(
    (listener: () => void) => client.getQueryCache().subscribe(listener),
    [client],
  )
  const select = () => {
    const found = findOwnStar(lines.map(({ star }) => star))
    if (found === null) return NO_PAGE
    const generation = client.getQueryData<{ meta: { generation: number } }>(found.queryKey)?.meta
      .generation
    return generation === undefined ? NO_PAGE : `${JSON.stringify(found.id)} ${generation}`
  }
  // A text, since the same must be the same.
  const text = useSyncExternalStore(subscribe, select, () => NO_PAGE)
  const at = text.lastIndexOf(' ')
  const id: unknown = JSON.parse(text.slice(0, at))
  return { id: typeof id === 'string' ? id : null, generation: Number(text.slice(at + 1)) }
}

function findOwnStar(stars: readonly Star[]): { id: string; queryKey: readonly unknown[] } | null {
  const { pathname, search } = readHere()
  const params = new URLSearchParams(search)
  if (pathname === '/') return findOwnView(stars, params)
  if (readOutlook(params).asof !== null) return null
  const [, league, part = ''] = /^\/(symbols|users)\/([^/]+)$/.exec(pathname) ?? []
  const name = toPathText(part)
  if (league === 'users') {
    const userId = parseUserId(name)
    const id = toStarId({ kind: 'user', key: String(userId) })
    if (userId === null || !stars.some((star) => toStarId(star) === id)) return null
    return { id, queryKey: userOptions(userId, null).queryKey }
  }
  const id = toStarId({ kind: 'symbol', key: toSymbolKey(name) })
  if (league !== 'symbols' || !stars.some((star) => toStarId(star) === id)) return null
  return { id, queryKey: symbolOptions(name).queryKey }
}

/** A view is looked at on its first page, in whatever order, by the address that it was saved with. */
function findOwnView(stars: readonly Star[], params: URLSearchParams) {
  const { query } = readRatingsView(params)
  const shown = toCanonicalAddress(params.toString())
  const view = loadViews().find(
    ({ id, address }) =>
      toCanonicalAddress(address) === shown &&
      stars.some((star) => star.kind === 'view' && star.key === id),
  )
  if (!view || query.page !== 1) return null
  const id = toStarId({ kind: 'view', key: view.id })
  return { id, queryKey: ratingsOptions(query).queryKey }
}

const COUNTED = /^\(\d+\+?\) /

/** Writes the number before the title, whoever writes the title; nothing where nothing is new. */
function useCountedTitle(total: number) {
  useEffect(() => {
    const write = () => {
      const plain = document.title.replace(COUNTED, '')
      const counted = total === 0 ? plain : `(${toCountText(total)}) ${plain}`
      if (document.title !== counted) document.title = counted
    }
    write()
    const observer = new MutationObserver(write)
    observer.observe(document.head, { childList: true, subtree: true, characterData: true })
    return () => {
      observer.disconnect()
      document.title = document.title.replace(COUNTED, '')
    }
  }, [total])
}

type Badge = { setAppBadge?: (count: number) => Promise<void>; clearAppBadge?: () => Promise<void> }

/** The number on the icon of an installed dashboard, where the browser has that and allows it. */
function tellIcon(total: number) {
  const badge: Badge = navigator
  const told = total > 0 ? badge.setAppBadge?.(total) : badge.clearAppBadge?.()
  // Not allowed, or not installed: the title says it too.
  void told?.catch(() => undefined)
}
