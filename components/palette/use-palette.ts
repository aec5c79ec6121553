'use client'

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useMemo, useState, useSyncExternalStore } from 'react'
import { parseUserId, toPathText } from '#components/address/page-address.ts'
import { toHref } from '#components/address/ratings-address.ts'
import { toFilterPhrase } from '#components/format/filter-words.ts'
import { useMay, useSignsIn } from '#components/permissions/use-may.tsx'
import { selectRatingFilters } from '#components/ratings/filters/filter-summary.ts'
import { toRewoundHref } from '#components/time/time-travel.ts'
import { readHere, writeHere } from '#components/ui/here.ts'
import { readTheme } from '#components/ui/theme.ts'
import { useZone } from '#components/ui/time-zone.ts'
import { loadViews, subscribeToViews } from '#components/views/views-store.ts'
import type { Stars } from '#components/watch/stars.ts'
import { useStars } from '#components/watch/use-stars.ts'
import { type Watched, watchedSymbol, watchedUser } from '#components/watch/watched.ts'
import { facetsOptions, ratingsOptions, statusSummaryOptions } from '#lib/client/query-options.ts'
import { readAsOf } from '#lib/contract/as-of.ts'
import { withBase } from '#lib/contract/base-path.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import { EVERY_RATING, type RatingsQuery } from '#lib/contract/ratings-query.ts'
import { EVERY_VIEW, type RatingsView, readRatingsView } from '#lib/contract/ratings-view.ts'
import { only } from '#lib/contract/value-list.ts'
import type { PageContext } from './actions.ts'
import { readCompared } from './compared.ts'
import { docsIndexOptions } from './docs-index.ts'
import {
  type FilterProblem,
  type FilterText,
  parseFilterText,
} from './filter-text/parse-filter-text.ts'
import { toFilterText } from './filter-text/to-filter-text.ts'
import { phraseAt, writingAt } from './filter-text/tokenizer.ts'
import { NOTHING_WATCHED, type WatchedValues } from './filter-text/watched-words.ts'
import { findPageAction, openPageAction, type PageAction } from './page-actions.ts'
import { recentSearches } from './recent-searches.ts'
import {
  isUndecided,
  type PaletteState,
  selectFirst,
  selectSections,
  toShownText,
} from './sections.ts'
import type { Section } from './suggestions.ts'
import {
  toLookupInput,
  useComparedSymbols,
  useHasSymbols,
  useLookups,
  useMatches,
  useUnknownSymbols,
} from './use-lookups.ts'

const FORBIDDEN = 'The browser stores nothing: these last until the page is closed.'

export function usePalette(typed: string) {
  const [view] = useState(readShownView)
  const zone = useZone()
  const [field, setField] = useState({ text: typed, caret: typed.length })
  const reader = { signsIn: useSignsIn(), mayManage: useMay('manage') }
  const [hasTried, setTried] = useState(false)
  const now = useQuery(statusSummaryOptions()).data?.now ?? null
  const stars = useStars()
  const watched = useMemo(() => toWatchedValues(stars), [stars])
  const plain = useMemo(
    () => parseFilterText(field.text, { now, zone, watched }),
    [field.text, now, zone, watched],
  )
  const { unknown, isLooking } = useUnknownSymbols(plain.bare, view.asof)
  const read =
    unknown.size === 0 ? plain : parseFilterText(field.text, { ...plain.context, unknown })
  const word = useMemo(() => writingAt(plain.words, field.caret), [plain, field.caret])
  const phrase = phraseAt(plain.words, word, (text) => unknown.has(toSymbolKey(text)))
  const writing = useHasSymbols(phrase, view.asof) ? phrase : word
  const isOn = field.text.trim() !== ''
  const lookups = useLookups(
    { ...toLookupInput(writing, plain), bare: plain.bare },
    isOn,
    view.asof,
  )
  const compared = useComparedSymbols(isOn ? readCompared(plain.words) : null, view.asof)
  const asked = { ...read.query, asof: read.query.asof ?? view.asof }
  const matches = useMatches(asked, isOn && hasFilter(read) && !isLooking)
  const views = useSyncExternalStore(subscribeToViews, loadViews, () => NO_VIEWS)
  const docs = useQuery(docsIndexOptions)
  const [recent, setRecent] = useState(recentSearches.load)
  const state: PaletteState = {
    ...field,
    read,
    writing,
    lookups,
    matches,
    views,
    compared,
    isLooking,
    docs: docs.data ?? (docs.isError ? [] : null),
    here: toHere(view),
    shownText: toShownText(view),
    recent: { searches: recent.searches, note: recent.isKept ? undefined : FORBIDDEN },
    now,
    asof: view.asof,
    zone,
    reader,
    stars,
    theme: readTheme(),
    toHref: toApplyHref,
    toPhrase: (query) => toFilterPhrase(selectRatingFilters(query, zone)),
  }
  const sections = selectSections(state)
  return {
    ...field,
    read,
    sections,
    rows: sections.flatMap(({ rows }) => rows),
    first: selectFirst(sections, state),
    isUndecided: isUndecided(state),
    name: writing.name,
    isWord: isOn && (writing.name !== null || writing.typed !== ''),
    isNothing: sections.length === 0 && !isUndecided(state) && !lookups.near.isOld,
    isEmpty: matches?.total === 0,
    problems: hasTried ? read.problems : selectShownProblems(read, field.caret, sections),
    edit: (text: string, caret: number) => {
      setField({ text, caret })
      if (text !== field.text) setTried(false)
    },
    tryIt: () => setTried(true),
    forget: () => {
      recentSearches.forget()
      setRecent(recentSearches.load())
    },
  }
}

function selectShownProblems(
  read: FilterText,
  caret: number,
  [first]: readonly Section[],
): FilterProblem[] {
  const isFilter = hasFilter(read) && !first?.isMeant
  return read.problems.filter(
    ({ start, end, isUnknown }) => (caret < start || caret > end) && (!isUnknown || isFilter),
  )
}

const hasFilter = ({ query, problems }: FilterText): boolean =>
  problems.length === 0 || toFilterText(query) !== ''

const NO_VIEWS: readonly never[] = []

function toWatchedValues(all: Stars | null): WatchedValues {
  if (all === null) return NOTHING_WATCHED
  const keysOf = (kind: Watched['kind']) =>
    all.stars.filter((star) => star.kind === kind).map(({ key }) => key)
  return { symbols: keysOf('symbol'), users: keysOf('user').map(Number) }
}

export type PaletteModel = ReturnType<typeof usePalette>

function readShownView(): RatingsView {
  const params = new URLSearchParams(window.location.search)
  if (isRatings(readHere().pathname)) return readRatingsView(params).query
  return { ...EVERY_VIEW, asof: readAsOf(params) }
}

const isRatings = (path: string) => path === '/'

const HAS_PAST = /^\/($|(symbols|users|ratings)($|\/)|(record|lookups|changes)$)/

const EXPORTED = new Map<string, PageContext['exports']>([
  ['/', 'ratings'],
  ['/symbols', 'symbols'],
  ['/users', 'users'],
])

function toHere(view: RatingsView): PageContext {
  const { pathname, search } = readHere()
  const about = isRatings(pathname) ? view : toSubject(pathname)
  return {
    has: (action) => findPageAction(action) !== null,
    exports: findPageAction('export') ? (EXPORTED.get(pathname) ?? null) : null,
    ratingsHref: isRatings(pathname) ? pathname + search : toApplyHref(about),
    toRewoundHref: HAS_PAST.test(pathname) ? toRewoundHref : null,
    subject: toWatched(about),
  }
}

function toWatched({ symbol, user }: RatingsQuery): Watched | null {
  const [key] = symbol.only
  const [userId] = user.only
  if (symbol.only.length + user.only.length > 1) return null
  if (key !== undefined) return watchedSymbol(key)
  return userId === undefined ? null : watchedUser(userId)
}

function toSubject(pathname: string): RatingsQuery {
  const [, league, part = ''] = /^\/(symbols|users)\/([^/]+)/.exec(pathname) ?? []
  const name = toPathText(part)
  const user = league === 'users' ? parseUserId(name) : null
  if (user !== null) return { ...EVERY_RATING, user: only(user) }
  return league === 'symbols' ? { ...EVERY_RATING, symbol: only(toSymbolKey(name)) } : EVERY_RATING
}

export function toApplyHref(query: RatingsQuery): string {
  const shown = readShownView()
  return toHref({ ...shown, ...query, asof: query.asof ?? shown.asof, open: null })
}

export function useOpen(): (href: string) => void {
  const router = useRouter()
  const client = useQueryClient()
  return useMemo(
    () => (href) => {
      const url = new URL(href, window.location.origin)
      const here = readHere()
      if (!isRatings(url.pathname) || !isRatings(here.pathname)) {
        router.push(href)
        return
      }
      if (href === here.pathname + here.search) return
      const { query } = readRatingsView(url.searchParams)
      void client.prefetchQuery(ratingsOptions(query))
      void client.prefetchQuery(facetsOptions(query))
      writeHere(href, 'push')
    },
    [router, client],
  )
}

export function useOpenAction(): (action: PageAction, href?: string) => void {
  const open = useOpen()
  return (action, asked) => {
    const here = readHere()
    const href = asked ?? here.pathname + here.search
    const { pathname } = new URL(href, window.location.origin)
    const isHere = pathname === here.pathname
    if (!isHere || isRatings(pathname)) open(href)
    // After the dialog has closed.
    if (isHere) setTimeout(() => openPageAction(action))
    else openWhenThere(action, pathname)
  }
}

const WAIT_MS = 10_000

function openWhenThere(action: PageAction, path: string) {
  const observer = new MutationObserver(() => {
    if (readHere().pathname !== path || findPageAction(action) === null) return
    observer.disconnect()
    openPageAction(action)
  })
  observer.observe(document.body, { childList: true, subtree: true })
  setTimeout(() => observer.disconnect(), WAIT_MS)
}

export function openTab(href: string): boolean {
  const opened = window.open(withBase(href), '_blank')
  if (opened === null) return false
  opened.opener = null
  return true
}
