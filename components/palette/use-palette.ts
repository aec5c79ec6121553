'use client'

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { usePathname, useRouter } from 'next/navigation'
import { useEffect, useMemo, useState } from 'react'
import { toFilterPhrase } from '#components/format/filter-words.ts'
import { formatCounted } from '#components/format/numbers.ts'
import { useMay, useSignsIn } from '#components/permissions/use-may.tsx'
import { selectRatingFilters } from '#components/ratings/filters/filter-summary.ts'
import { useStored } from '#components/store/store.ts'
import { useZone } from '#components/ui/time-zone.ts'
import { facetsOptions, ratingsOptions } from '#lib/client/query-options.ts'
import { symbolsOptions } from '#lib/client/symbol-options.ts'
import { useUrlQuery } from '#lib/client/url-query.ts'
import { usersOptions } from '#lib/client/user-options.ts'
import { docsIndex } from '#lib/contract/answers/docs-index.ts'
import type { SymbolRow } from '#lib/contract/answers/symbols.ts'
import { toSearch } from '#lib/contract/api-queries.ts'
import { readAsOf } from '#lib/contract/as-of.ts'
import { withBase } from '#lib/contract/base-path.ts'
import { symbolsQuery } from '#lib/contract/lists/symbols.ts'
import { usersQuery } from '#lib/contract/lists/users.ts'
import { toRatingsHref } from '#lib/contract/page-addresses.ts'
import { toParams } from '#lib/contract/query-schema.ts'
import {
  EVERY_RATING,
  type RatingsQuery,
  ratingsQuery,
  toQueryText,
} from '#lib/contract/ratings-query.ts'
import {
  EVERY_VIEW,
  type RatingsView,
  ratingsView,
  readRatingsView,
} from '#lib/contract/ratings-view.ts'
import { only } from '#lib/contract/value-list.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'
import { parseFilterText } from './filter-text.ts'
import { findPageAction } from './page-actions.ts'
import {
  type Found,
  findSearch,
  isSearch,
  type Lookups,
  type PaletteState,
  type Search,
  selectSections,
  toShownText,
} from './sections.ts'
import { type Writing, writingAt } from './tokenizer.ts'

export function usePalette(typed: string) {
  const path = usePathname() ?? ''
  const [view] = useState(() => readShownView(path))
  const zone = useZone()
  const [{ text, caret }, setField] = useState({ text: typed, caret: typed.length })
  const reader = { signsIn: useSignsIn(), mayManage: useMay('manage') }
  const [hasTried, setTried] = useState(false)
  const read = useMemo(() => parseFilterText(text), [text])
  const writing = useMemo(() => writingAt(read.words, caret), [read, caret])
  const search = findSearch(text, read.words, caret)
  const lookups = useLookups(writing, search, view.asof)
  const { problem, query } = read
  const isFilter = read.words.length > 0 && !isSearch(read)
  const matches = useMatches(
    { ...query, asof: query.asof ?? view.asof },
    isFilter && problem === null,
  )
  const views = useStored((stored) => stored.views)
  const docs = useQuery(docsIndexOptions)
  const sections = selectSections({
    text,
    read,
    writing,
    search,
    lookups,
    matches,
    views,
    docs: docs.data ?? [],
    has: (action) => findPageAction(action) !== null,
    shownText: toShownText(view),
    asof: view.asof,
    reader,
    toHref: (query) => toApplyHref(query, readShownView(path)),
    toPhrase: (query) => toFilterPhrase(selectRatingFilters(query, zone)),
  })
  const isAtProblem = problem && problem.word.start <= caret && caret <= problem.word.end
  return {
    text,
    caret,
    name: writing.name,
    problem: isAtProblem && !hasTried ? null : problem,
    sections,
    isWord: writing.name !== null || writing.typed !== '',
    isUndecided: isSearch(read) && (lookups.isLoading || docs.isPending),
    isNothing: isSearch(read) && sections.length === 0 && !lookups.isLoading && !docs.isPending,
    /** Shows the problem also at the caret. */
    showProblem: () => {
      setTried(true)
      return problem
    },
    edit: (next: string, at: number) => {
      setField({ text: next, caret: at })
      if (next !== text) setTried(false)
    },
  }
}

export type PaletteModel = ReturnType<typeof usePalette>

const docsIndexOptions = {
  queryKey: ['docs-index'],
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    const answer = await fetch(withBase('/docs/search.json'), { signal })
    return docsIndex.parse(await answer.json())
  },
  staleTime: Number.POSITIVE_INFINITY,
  retry: false,
}

const MOST = 6
/** No symbol or number is longer. */
const LONGEST = 64
const NUMBER = /^#?\d+$/

/** What the value or the search at the caret names. */
function useLookups(
  writing: Writing,
  search: Search | null,
  asof: number | null,
): Lookups & { isLoading: boolean } {
  const field = ['symbol', 'user'].find((name) => name === writing.name) ?? null
  const typed = field === null ? (search?.text ?? '') : writing.typed
  const isOn = (field !== null || search !== null) && typed.length <= LONGEST
  const asksSymbols = isOn && field !== 'user'
  const asksUsers = isOn && (field === 'user' ? /^\d*$/ : NUMBER).test(typed) && field !== 'symbol'
  const asked = toSearch(typed.replace(/^#/, ''), asof)
  const symbols = useQuery({
    ...symbolsOptions(toParams(symbolsQuery, asked)),
    enabled: asksSymbols,
    retry: false,
  })
  const sort = typed === '' ? undefined : ({ column: 'user_id', direction: 'asc' } as const)
  const users = useQuery({
    ...usersOptions(toParams(usersQuery, { ...asked, sort })),
    enabled: asksUsers,
    retry: false,
  })
  const number = field === null && NUMBER.test(typed) ? Number(typed.replace('#', '')) : Number.NaN
  const asksRating = isOn && Number.isSafeInteger(number)
  const ratings = useQuery({
    ...ratingsOptions({ ...EVERY_RATING, id: only(number), per_page: 1, asof }),
    enabled: asksRating,
    retry: false,
  })
  const rating = asksRating && !ratings.isPlaceholderData ? ratings.data?.data[0]?.id : undefined
  const isAsking = [asksSymbols && symbols, asksUsers && users, asksRating && ratings].some(
    (one) => one && (one.isLoading || one.isPlaceholderData),
  )
  return {
    symbols: asksSymbols ? toFound('Symbols', symbols, typed, toSymbol) : NOTHING,
    users: asksUsers
      ? toFound('Users', users, typed.replace('#', ''), ({ user_id: user, ratings }) => ({
          user,
          detail: formatCounted(ratings, 'rating'),
        }))
      : NOTHING,
    rating: rating === number ? number : null,
    isLoading: isAsking,
  }
}

const NOTHING: Found<never> = { rows: [] }

const toSymbol = ({ symbol, name, ratings }: SymbolRow) => ({
  symbol,
  detail: [...(name === null ? [] : [toVisibleText(name)]), formatCounted(ratings, 'rating')].join(
    ' · ',
  ),
})

type Answer<T> = {
  data?: { data: readonly T[] }
  isError: boolean
  isPending: boolean
  isPlaceholderData: boolean
}

/** Until the answer comes, earlier rows stay that have what is typed. */
function toFound<T extends { ratings: number }, R extends object>(
  what: string,
  { data, isError, isPending, isPlaceholderData }: Answer<T>,
  typed: string,
  toRow: (row: T) => R,
): Found<R> {
  if (isError) return { rows: [], note: `${what} could not be looked up.` }
  if (isPending) return { rows: [], note: `Looking for ${what.toLowerCase()}…` }
  const rows = data?.data.filter(({ ratings }) => ratings > 0).map(toRow) ?? []
  const isLeft = (row: R) =>
    Object.values(row).join(' ').toLowerCase().includes(typed.trim().toLowerCase())
  return { rows: rows.filter((row) => !isPlaceholderData || isLeft(row)).slice(0, MOST) }
}

const PAUSE_MS = 150

/** Uses the table's query, so that applying the filter hits the cache. */
function useMatches(query: RatingsQuery, isOn: boolean): PaletteState['matches'] {
  const address = toQueryText(toParams(ratingsQuery, query))
  const [settled, setSettled] = useState<string | null>(null)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(address), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [address])
  const isSettled = isOn && settled === address
  const { data, isPlaceholderData } = useQuery({
    ...ratingsOptions(isSettled ? query : EVERY_RATING),
    enabled: isSettled,
    retry: false,
  })
  return isSettled && data && !isPlaceholderData
    ? formatCounted(data.page.total, 'rating')
    : undefined
}

const isRatings = (path: string) => path === '/'

function readShownView(path: string): RatingsView {
  const params = new URLSearchParams(window.location.search)
  if (isRatings(path)) return readRatingsView(params).query
  return { ...EVERY_VIEW, asof: readAsOf(params) }
}

function toApplyHref(query: RatingsQuery, shown: RatingsView): string {
  const { per_page } = shown
  return toRatingsHref({ ...shown, ...query, per_page, asof: query.asof ?? shown.asof, open: null })
}

export function useOpen(): (href: string) => void {
  const router = useRouter()
  const client = useQueryClient()
  const path = usePathname() ?? ''
  const { setQuery } = useUrlQuery(ratingsView)
  return useMemo(
    () => (href) => {
      const url = new URL(href, window.location.origin)
      if (!isRatings(url.pathname) || !isRatings(path)) {
        router.push(href)
        return
      }
      const { query } = readRatingsView(url.searchParams)
      void client.prefetchQuery(ratingsOptions(query))
      void client.prefetchQuery(facetsOptions(query))
      setQuery(query)
    },
    [router, client, path, setQuery],
  )
}
