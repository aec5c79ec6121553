'use client'

import { useQueryClient } from '@tanstack/react-query'
import { usePathname, useSearchParams } from 'next/navigation'
import { useCallback, useEffect, useMemo, useSyncExternalStore } from 'react'
import { useStored } from '#components/store/store.ts'
import type { Star, Watched } from '#components/store/stored-state.ts'
import { useVisible } from '#components/ui/use-browser.ts'
import { ratingsOptions } from '#lib/client/query-options.ts'
import { symbolOptions } from '#lib/client/symbol-options.ts'
import { userOptions } from '#lib/client/user-options.ts'
import { readAsOf } from '#lib/contract/api-queries.ts'
import { parseUserId } from '#lib/contract/page-addresses.ts'
import { toPathText } from '#lib/contract/path-part.ts'
import { readRatingsView } from '#lib/contract/ratings-view.ts'
import { toTotal } from './last-seen.ts'
import {
  toCountText,
  toStarId,
  updateStars,
  useNewCount,
  watchedSymbol,
  watchedUser,
  withLook,
} from './stars.ts'
import { useWatching } from './use-watching.ts'
import { toCanonicalAddress } from './view-pages.ts'
import { toLooks, type WatchedLine } from './watched-lines.ts'

export function KeepWatching() {
  const isSeen = useVisible()
  const { lines } = useWatching({ inBackground: !isSeen })
  const page = useOwnPage(lines)
  useEffect(() => {
    const begun = lines.filter(({ star, held }) => held && star.seen?.of !== held.of)
    const shown = lines.filter(
      ({ id, held }) =>
        isSeen && held && page.ids.includes(id) && held.generation <= page.generation,
    )
    const looks = toLooks([...begun, ...shown])
    if (looks.size > 0) updateStars((stars) => withLook(stars, looks))
  }, [lines, isSeen, page])
  const total = toTotal(lines.map(({ news }) => news))
  useEffect(() => useNewCount.setState(total), [total])
  useCountedTitle(total)
  useEffect(() => tellIcon(total), [total])
  useEffect(
    () => () => {
      useNewCount.setState(0)
      tellIcon(0)
    },
    [],
  )
  return null
}

type OwnPage = { ids: readonly string[]; generation: number }

const NO_PAGE = '[]'

function useOwnPage(lines: readonly WatchedLine[]): OwnPage {
  const client = useQueryClient()
  const path = usePathname() ?? ''
  const params = useSearchParams()
  const subscribe = useCallback(
    (listener: () => void) => client.getQueryCache().subscribe(listener),
    [client],
  )
  const select = () => {
    const found = findOwn(
      lines.map(({ star }) => star),
      path,
      new URLSearchParams(params ?? ''),
    )
    const shown = found && client.getQueryData<WithGeneration>(found.queryKey)
    return shown ? JSON.stringify([shown.meta.generation, ...found.ids]) : NO_PAGE
  }
  // Snapshots are compared by identity.
  const text = useSyncExternalStore(subscribe, select, () => NO_PAGE)
  return useMemo(() => {
    const [generation = -1, ...ids]: [number?, ...string[]] = JSON.parse(text)
    return { ids, generation }
  }, [text])
}

type WithGeneration = { meta: { generation: number } }

type OwnViews = { ids: readonly string[]; queryKey: readonly unknown[] } | null

function findOwn(stars: readonly Star[], pathname: string, params: URLSearchParams): OwnViews {
  if (pathname === '/') return findOwnViews(stars, params)
  if (readAsOf(params) !== null) return null
  const [, league, part = ''] = /^\/(symbols|users)\/([^/]+)$/.exec(pathname) ?? []
  const name = toPathText(part)
  const userId = league === 'users' ? parseUserId(name) : null
  if (league === 'symbols') return toOwn(stars, watchedSymbol(name), symbolOptions(name).queryKey)
  if (userId === null) return null
  return toOwn(stars, watchedUser(userId), userOptions(userId, null).queryKey)
}

function toOwn(stars: readonly Star[], of: Watched, queryKey: readonly unknown[]): OwnViews {
  const id = toStarId(of)
  return stars.some((star) => toStarId(star) === id) ? { ids: [id], queryKey } : null
}

function findOwnViews(stars: readonly Star[], params: URLSearchParams): OwnViews {
  const { query } = readRatingsView(params)
  if (query.page !== 1) return null
  const shown = toCanonicalAddress(params.toString())
  const { views } = useStored.getState()
  const ids = views
    .filter(({ address }) => toCanonicalAddress(address) === shown)
    .filter(({ id }) => stars.some((star) => star.kind === 'view' && star.key === id))
    .map(({ id }) => toStarId({ kind: 'view', key: id }))
  return ids.length === 0 ? null : { ids, queryKey: ratingsOptions(query).queryKey }
}

const COUNTED = /^\(\d+\+?\) /

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

function tellIcon(total: number) {
  const badge: Badge = navigator
  const told = total > 0 ? badge.setAppBadge?.(total) : badge.clearAppBadge?.()
  void told?.catch(() => undefined)
}
