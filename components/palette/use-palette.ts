'use client'

import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { parseUserId, toPathText } from '#components/address/page-address.ts'
import { toHref, toSearch } from '#components/address/ratings-address.ts'
import { useFormats } from '#components/format/use-formats.tsx'
import { useMay, useSignsIn } from '#components/permissions/use-may.tsx'
import { toFilterPhrase } from '#components/ratings/filters/filter-summary.ts'
import { loadViews, subscribeToViews } from '#components/ratings/views/views-store.ts'
import { toCompareParams } from '#components/symbols/compare/comparison.ts'
import { toRewoundHref } from '#components/time/time-travel.ts'
import { readHere, writeHere } from '#components/ui/here.ts'
import { readTheme } from '#components/ui/theme.ts'
import type { Stars } from '#components/watch/stars.ts'
import { useStars } from '#components/watch/use-stars.ts'
import { type Watched, watchedSymbol, watchedUser } from '#components/watch/watched.ts'
import {
  comparisonOptions,
  facetsOptions,
  ratingsOptions,
  statusSummaryOptions,
  symbolsOptions,
  usersOptions,
} from '#lib/client/query-options.ts'
import type { SymbolRow } from '#lib/contract/answers/symbols.ts'
import {
  COMPARED_MAX,
  nearSymbolsQuery,
  symbolsQuery,
  usersQuery,
} from '#lib/contract/api-queries.ts'
import { withBase } from '#lib/contract/base-path.ts'
import { readOutlook } from '#lib/contract/outlook.ts'
import { toParams } from '#lib/contract/query-schema.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import {
  EVERY_RATING,
  type RatingsQuery,
  ratingsQuery,
  toQueryText,
} from '#lib/contract/ratings-query.ts'
import { EVERY_VIEW, type RatingsView, readRatingsView } from '#lib/contract/ratings-view.ts'
import { only } from '#lib/contract/value-list.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'
import type { Here } from './actions.ts'
import { readCompared } from './compared.ts'
import { docsIndexOptions } from './docs-index.ts'
import {
  type FilterProblem,
  type FilterText,
  parseFilterText,
} from './filter-text/parse-filter-text.ts'
import { toFilterText } from './filter-text/to-filter-text.ts'
import { type Writing, writingAt } from './filter-text/tokenizer.ts'
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
import { type Found, type Lookups, NOTHING_FOUND, type Section } from './suggestions.ts'

const FORBIDDEN = 'The browser keeps nothing: these last until the page is closed.'

/** The text of the palette, its caret, and the rows that follow from them. `typed` is the text at the start. */
export function usePalette(typed: string) {
  const formats = useFormats()
  const [view] = useState(readShownView)
  const [field, setField] = useState({ text: typed, caret: typed.length })
  const reader = { signsIn: useSignsIn(), mayManage: useMay('manage') }
  const [hasTried, setTried] = useState(false)
  const now = useQuery(statusSummaryOptions()).data?.now ?? null
  const stars = useStars()
  const watched = useMemo(() => toWatchedValues(stars), [stars])
  const plain = useMemo(
    () => parseFilterText(field.text, { now, zone: view.tz, watched }),
    [field.text, now, view.tz, watched],
  )
  const { unknown, isLooking } = useUnknownSymbols(plain.bare, view.asof)
  const read =
    unknown.size === 0 ? plain : parseFilterText(field.text, { ...plain.context, unknown })
  const writing = useMemo(() => writingAt(plain.words, field.caret), [plain, field.caret])
  const isOn = field.text.trim() !== ''
  const lookups = useLookups(toSought(writing, plain), isOn, view.asof)
  const compared = useComparedSymbols(isOn ? readCompared(plain.words) : null, view.asof)
  const asked = { ...read.query, asof: read.query.asof ?? view.asof }
  const matches = useMatches(asked, isOn && hasFilter(read) && !isLooking)
  const views = useSyncExternalStore(subscribeToViews, loadViews, () => NO_VIEWS)
  const docs = useQuery(docsIndexOptions)
  const [recent, setRecent] = useState(recentSearches.load)
  const state: PaletteState = {
    ...field,
    ...{ read, writing, lookups, matches, views, compared, isLooking },
    docs: docs.data ?? (docs.isError ? [] : null),
    here: toHere(view),
    shownText: toShownText(view),
    recent: { searches: recent.searches, note: recent.isKept ? undefined : FORBIDDEN },
    now,
    outlook: view,
    reader,
    stars,
    theme: readTheme(),
    toHref: toApplyHref,
    toPhrase: (query) => toFilterPhrase({ ...query, tz: view.tz }, formats),
  }
  const sections = selectSections(state)
  return {
    ...field,
    read,
    sections,
    rows: sections.flatMap(({ rows }) => rows),
    first: selectFirst(sections, state),
    /** What Enter does waits for an answer that is on its way. */
    isUndecided: isUndecided(state),
    /** The name of the word whose value is written. */
    name: writing.name,
    /** A word stands at the caret that can be completed. */
    isWord: isOn && (writing.name !== null || writing.typed !== ''),
    /** Nothing is called so, and nothing is begun with it. */
    isNothing: sections.length === 0 && !isUndecided(state) && !lookups.near.isOld,
    /** The filter matches no rating. */
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

/** A word that is still being written is not wrong yet; a word that is no symbol is wrong only in a filter. */
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

/** What `watched:` stands for in this browser. */
function toWatchedValues(all: Stars | null): WatchedValues {
  if (all === null) return NOTHING_WATCHED
  const keysOf = (kind: Watched['kind']) =>
    all.stars.filter((star) => star.kind === kind).map(({ key }) => key)
  return { symbols: keysOf('symbol'), users: keysOf('user').map(Number) }
}

export type PaletteModel = ReturnType<typeof usePalette>

const MOST = 6
/** Where fewer symbols than this hold what is typed, it may be misspelled. */
const FEW = 3
const SHORTEST_LIKE = 2
const isFew = (rows: readonly unknown[]) => rows.length < FEW
/** No symbol or number is longer: a longer word finds nothing, and nobody is asked. */
const LONGEST = 64
const NUMBER = /^#?\d+$/

/**
 * Symbols and users for the word at the caret. A request for a word that has changed is called off; what was found for
 * it stays until the next answer, marked as old. Whoever is rewound to `asof` (seconds) finds what was there then.
 */
function useLookups({ name, typed }: Writing, isOn: boolean, asof: number | null): Lookups {
  const { formatCounted } = useFormats()
  const toDetail = (ratings: number) => formatCounted(ratings, 'rating')
  const isShort = typed.length <= LONGEST
  const asksSymbols = isOn && isShort && (name === 'symbol' || (name === null && typed !== ''))
  const asksUsers =
    isOn &&
    isShort &&
    (name === null ? NUMBER.test(typed) : name === 'user' && !/[^#\d]/.test(typed))
  const { q, ...search } = toSearch(typed.replace(/^#/, ''), asof)
  const params = toParams(symbolsQuery, { ...search, q })
  const symbols = useQuery({ ...symbolsOptions(params), enabled: asksSymbols, retry: false })
  // The exact number comes first: it is the least of those that begin with it.
  const sort = typed === '' ? undefined : ({ column: 'user_id', direction: 'asc' } as const)
  const byNumber = toParams(usersQuery, { ...search, q, sort })
  const like = toParams(nearSymbolsQuery, { ...search, like: typed })
  const isRare =
    symbols.data !== undefined && !symbols.isPlaceholderData && isFew(symbols.data.data)
  const asksNear = asksSymbols && name === null && typed.length >= SHORTEST_LIKE && isRare
  const near = useQuery({ ...symbolsOptions(like), enabled: asksNear, retry: false })
  const toSymbol = ({ symbol, name, ratings }: SymbolRow) => ({
    symbol,
    name,
    detail: name === null ? toDetail(ratings) : `${toVisibleText(name)} · ${toDetail(ratings)}`,
  })
  const users = useQuery({ ...usersOptions(byNumber), enabled: asksUsers, retry: false })
  const number = asksUsers && NUMBER.test(typed) ? Number(typed.replace('#', '')) : Number.NaN
  const ratings = useQuery({
    ...ratingsOptions({ ...EVERY_RATING, id: only(number), per_page: 1, asof }),
    enabled: Number.isSafeInteger(number),
    retry: false,
  })
  return {
    symbols: asksSymbols ? toFound('Symbols', symbols, toSymbol) : NOTHING_FOUND,
    // Nobody waits for these, and nobody misses them.
    near: asksNear ? { ...toFound('Symbols', near, toSymbol), note: undefined } : NOTHING_FOUND,
    users: asksUsers
      ? toFound('Users', users, ({ user_id: user, ratings }) => ({
          user,
          detail: toDetail(ratings),
        }))
      : NOTHING_FOUND,
    ratings: Number.isSafeInteger(number)
      ? toFound('Ratings', ratings, ({ id }) => id)
      : NOTHING_FOUND,
  }
}

const MOST_LOOKED_UP = 20

/** Which of these texts are symbols that nobody has rated, as keys. What could not be looked up may be rated. */
function useUnknownSymbols(texts: readonly string[], asof: number | null) {
  const asked = texts.slice(0, MOST_LOOKED_UP)
  const answers = useQueries({
    queries: asked.map((text) => ({
      ...symbolsOptions(toParams(symbolsQuery, toSearch(text, asof))),
      enabled: text.length <= LONGEST,
      retry: false,
    })),
  })
  const isUnknown = (text: string, index: number) => {
    const { data, isPlaceholderData = false } = answers[index] ?? {}
    const isRated = data?.data.some((row) => isOfKey(row, toSymbolKey(text))) ?? true
    return text.length > LONGEST || (!isPlaceholderData && !isRated)
  }
  return {
    unknown: new Set(asked.filter(isUnknown).map(toSymbolKey)),
    isLooking: answers.some(({ isLoading, isPlaceholderData }) => isLoading || isPlaceholderData),
  }
}

const isOfKey = ({ symbol, ratings }: SymbolRow, key: string) =>
  toSymbolKey(symbol) === key && ratings > 0

/** What is looked up: what is written, or the one word or user of the text, behind which somebody left a space. */
function toSought(writing: Writing, { words, query }: FilterText): Writing {
  const [user, ...users] = query.user.only
  if (writing.typed === '' && user !== undefined && users.length === 0) {
    return { ...writing, typed: String(user) }
  }
  const [word, ...others] = words
  const [item, ...more] = word?.items ?? []
  const isOne = word?.name === null && !word.isNot && others.length + more.length === 0
  return isOne && item && writing.typed === '' ? { ...writing, typed: item.text } : writing
}

/** Which symbols are to be compared, and which of them nobody has rated. */
function useComparedSymbols(keys: string[] | null, asof: number | null) {
  const asked = (keys ?? []).slice(0, COMPARED_MAX)
  const span = { bucket: 'month', from: null, to: null, asof } as const
  const settled = useSettled(asked.join(' '))
  const { data } = useQuery({
    ...comparisonOptions(toCompareParams(asked, span)),
    enabled: asked.length > 0 && settled === asked.join(' '),
    retry: false,
  })
  const unknown = data?.data.unknown ?? []
  return keys && { keys, unknown: keys.filter((key) => unknown.includes(key)) }
}

type Answer<T> = {
  data?: { data: readonly T[] }
  isError: boolean
  isPending: boolean
  isPlaceholderData: boolean
}

const isRated = (row: object) => !('ratings' in row && row.ratings === 0)

function toFound<T extends object, F>(
  what: string,
  { data, ...state }: Answer<T>,
  to: (row: T) => F,
): Found<F> {
  if (state.isError) return { found: [], isOld: false, note: `${what} could not be looked up.` }
  if (state.isPending) return { found: [], isOld: true, note: `Looking for ${what.toLowerCase()}…` }
  const rated = data?.data.filter(isRated) ?? []
  return { found: rated.slice(0, MOST).map(to), isOld: state.isPlaceholderData }
}

const PAUSE_MS = 150

/**
 * How many ratings a filter leaves, once somebody pauses; nothing while it is not known. Asks for the same page that
 * the table will show, which is there then when the filter is applied.
 */
function useMatches(query: RatingsQuery, isOn: boolean): PaletteState['matches'] {
  const { formatCounted } = useFormats()
  const address = toQueryText(toParams(ratingsQuery, query))
  const settled = useSettled(address)
  const isSettled = isOn && settled === address
  const { data, isPlaceholderData } = useQuery({
    ...ratingsOptions(isSettled ? query : EVERY_RATING),
    enabled: isSettled,
    retry: false,
  })
  return isSettled && data && !isPlaceholderData
    ? { total: data.page.total, text: formatCounted(data.page.total, 'rating') }
    : undefined
}

/** A text once somebody pauses; null until then. */
function useSettled(text: string): string | null {
  const [settled, setSettled] = useState<string | null>(null)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

/** The view that this page shows; every rating, looked at in the same way, where it is not the page of the ratings. */
function readShownView(): RatingsView {
  const params = new URLSearchParams(window.location.search)
  if (isRatings(readHere().pathname)) return readRatingsView(params).query
  return { ...EVERY_VIEW, ...readOutlook(params) }
}

const isRatings = (path: string) => path === '/'

/** The pages that have a time machine. */
const HAS_PAST = /^\/($|(symbols|users|ratings)($|\/)|(record|lookups|changes)$)/

const EXPORTED = new Map<string, Here['exports']>([
  ['/', 'ratings'],
  ['/symbols', 'symbols'],
  ['/users', 'users'],
])

/** What the page in sight can do, and the table of the ratings that it is about. */
function toHere(view: RatingsView): Here {
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

/** The one symbol or the one user that a page is about can be watched. */
function toWatched({ symbol, user }: RatingsQuery): Watched | null {
  const [key] = symbol.only
  const [userId] = user.only
  if (symbol.only.length + user.only.length > 1) return null
  if (key !== undefined) return watchedSymbol(key)
  return userId === undefined ? null : watchedUser(userId)
}

/** The ratings of the symbol or the user whose page it is, else every rating. */
function toSubject(pathname: string): RatingsQuery {
  const [, league, part = ''] = /^\/(symbols|users)\/([^/]+)/.exec(pathname) ?? []
  const name = toPathText(part)
  const user = league === 'users' ? parseUserId(name) : null
  if (user !== null) return { ...EVERY_RATING, user: only(user) }
  return league === 'symbols' ? { ...EVERY_RATING, symbol: only(toSymbolKey(name)) } : EVERY_RATING
}

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
      const here = readHere()
      if (!isRatings(url.pathname) || !isRatings(here.pathname)) {
        router.push(href)
        return
      }
      if (href === here.pathname + here.search) return
      const { query } = readRatingsView(url.searchParams)
      // Asked before anything is drawn: the answer comes as much sooner.
      void client.prefetchQuery(ratingsOptions(query))
      void client.prefetchQuery(facetsOptions(query))
      writeHere(href, 'push')
    },
    [router, client],
  )
}

/** Opens something that a page has: on this one, with the address that is given, or on the page of that address. */
export function useOpenAction(): (action: PageAction, href?: string) => void {
  const open = useOpen()
  return (action, asked) => {
    const here = readHere()
    const href = asked ?? here.pathname + here.search
    const { pathname } = new URL(href, window.location.origin)
    const isHere = pathname === here.pathname
    if (!isHere || isRatings(pathname)) open(href)
    // The dialog that asked for it has to be closed by then.
    if (isHere) setTimeout(() => openPageAction(action))
    else openWhenThere(action, pathname)
  }
}

const WAIT_MS = 10_000

/** Opens it as soon as the page of that path stands there with it. */
function openWhenThere(action: PageAction, path: string) {
  const observer = new MutationObserver(() => {
    if (readHere().pathname !== path || findPageAction(action) === null) return
    observer.disconnect()
    openPageAction(action)
  })
  observer.observe(document.body, { childList: true, subtree: true })
  setTimeout(() => observer.disconnect(), WAIT_MS)
}

/** Opens an address in a new tab; false where the browser does not let us. */
export function openTab(href: string): boolean {
  const opened = window.open(withBase(href), '_blank')
  if (opened === null) return false
  opened.opener = null
  return true
}
