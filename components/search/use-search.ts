'use client'

import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { usePathname, useRouter } from 'next/navigation'
import { useEffect, useMemo, useState } from 'react'
import { toFilterPhrase } from '#components/format/filter-words.ts'
import { formatCounted } from '#components/format/numbers.ts'
import { useMay, useSignsIn } from '#components/permissions/use-may.tsx'
import { selectRatingFilters } from '#components/ratings/filters/filter-summary.ts'
import { useStored } from '#components/store/store.ts'
import { useSearchActions } from '#components/ui/search-actions.ts'
import { useZone } from '#components/ui/time-zone.ts'
import { ratingsOptions } from '#lib/client/query-options.ts'
import { symbolsOptions } from '#lib/client/symbol-options.ts'
import { useUrlQuery } from '#lib/client/url-query.ts'
import { usersOptions } from '#lib/client/user-options.ts'
import { docsIndex } from '#lib/contract/answers/described.ts'
import type { SymbolRow } from '#lib/contract/answers/symbols.ts'
import { readAsOf, toSearch } from '#lib/contract/api-queries.ts'
import { withBase } from '#lib/contract/base-path.ts'
import { symbolsQuery } from '#lib/contract/lists/symbols.ts'
import { usersQuery } from '#lib/contract/lists/users.ts'
import { toRatingsHref } from '#lib/contract/page-addresses.ts'
import { toParams, toQueryText } from '#lib/contract/query-schema.ts'
import { EVERY_RATING, type RatingsQuery, ratingsQuery } from '#lib/contract/ratings-query.ts'
import {
  EVERY_VIEW,
  type RatingsView,
  ratingsView,
  readRatingsView,
} from '#lib/contract/ratings-view.ts'
import { only } from '#lib/contract/value-list.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'
import { parseFilterText } from './filter-text.ts'
import {
  type Found,
  findSearch,
  GROUPS,
  isSearch,
  type Search,
  type SearchState,
  selectSections,
  toShownText,
} from './sections.ts'
import { type Writing, writingAt } from './tokenizer.ts'

export function useSearch(typed: string) {
  const view = useShownView()
  const zone = useZone()
  const [{ text, caret }, setField] = useState({ text: typed, caret: typed.length })
  const reader = { signsIn: useSignsIn(), mayManage: useMay('manage') }
  const [hasTried, setTried] = useState(false)
  const read = useMemo(() => parseFilterText(text), [text])
  const writing = useMemo(() => writingAt(read.words, caret), [read, caret])
  const search = findSearch(text, read.words, caret)
  const lookups = useLookups(writing, search, view.asof)
  const { problem, query } = read
  const isFilter = read.words.length > 0 && !isSearch(read) && problem === null
  const matches = useMatches({ ...query, asof: query.asof ?? view.asof }, isFilter)
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
    actions: useSearchActions(),
    shownText: toShownText(view),
    asof: view.asof,
    reader,
    toHref: (query) => toApplyHref(query, view),
    toPhrase: (query) => toFilterPhrase(selectRatingFilters(query, zone)),
  })
  const isAtCaret = problem && problem.word.start <= caret && caret <= problem.word.end
  const shownProblem = isAtCaret && !hasTried ? null : problem
  const isUndecided = isSearch(read) && (lookups.isLoading || docs.isPending)
  const isNothing = isSearch(read) && sections.length === 0 && !isUndecided
  return {
    text,
    caret,
    sections,
    isUndecided,
    isWrong: shownProblem !== null,
    message: shownProblem ? `${shownProblem.message}.` : isNothing ? toNothing(text) : null,
    writing,
    hasTried,
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

const LONGEST_SHOWN = 40

const toNothing = (text: string) =>
  `Nothing found for “${toVisibleText(text.trim().slice(0, LONGEST_SHOWN))}”.`

const docsIndexOptions = {
  queryKey: ['docs-index'],
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    const answer = await fetch(withBase('/docs/search.json'), { signal })
    return docsIndex.parse(await answer.json())
  },
  staleTime: Number.POSITIVE_INFINITY,
  retry: false,
}

/** No symbol or number is longer. */
const LONGEST = 64
const NUMBER = /^#?\d+$/

/** What the value or the search at the caret names. */
function useLookups({ name, typed: value }: Writing, search: Search | null, asof: number | null) {
  const field = name === 'symbol' || name === 'user' ? name : null
  const typed = field === null ? (search?.text ?? '') : value
  const isOn = (field !== null || search !== null) && typed.length <= LONGEST
  const text = typed.replace(/^#/, '')
  const wanted = toSearch(text, asof)
  const symbols = useQuery({
    ...symbolsOptions(toParams(symbolsQuery, wanted)),
    enabled: isOn && field !== 'user',
    retry: false,
  })
  const sort = typed === '' ? undefined : ({ column: 'user_id', direction: 'asc' } as const)
  const users = useQuery({
    ...usersOptions(toParams(usersQuery, { ...wanted, sort })),
    enabled:
      isOn && (field === 'user' ? /^\d*$/.test(typed) : field === null && NUMBER.test(typed)),
    retry: false,
  })
  const number = field === null && NUMBER.test(typed) ? Number(text) : Number.NaN
  const ratings = useQuery({
    ...ratingsOptions({ ...EVERY_RATING, id: only(number), per_page: 1, asof }),
    enabled: isOn && Number.isSafeInteger(number),
    retry: false,
  })
  const rating = ratings.isEnabled && !ratings.isPlaceholderData && ratings.data?.data[0]?.id
  return {
    symbols: toFound('symbol', text, symbols, toSymbol),
    users: toFound('user', text, users, toUser),
    rating: rating === number ? number : null,
    isLoading: [symbols, users, ratings].some(
      (one) => one.isEnabled && (one.isLoading || one.isPlaceholderData),
    ),
  }
}

const toSymbol = ({ symbol, name, ratings }: SymbolRow) => {
  const count = formatCounted(ratings, 'rating')
  return { value: symbol, detail: name === null ? count : `${toVisibleText(name)} · ${count}` }
}

const toUser = ({ user_id: user, ratings }: { user_id: number; ratings: number }) => ({
  value: String(user),
  detail: formatCounted(ratings, 'rating'),
})

type Answer<T> = Pick<
  UseQueryResult<{ data: readonly T[] }>,
  'data' | 'isEnabled' | 'isError' | 'isPending' | 'isPlaceholderData'
>

const MOST = 6

/** Until the answer comes, earlier rows stay that have what is typed. */
function toFound<T extends { ratings: number }>(
  field: Found['field'],
  text: string,
  { data, isEnabled, isError, isPending, isPlaceholderData }: Answer<T>,
  toRow: (row: T) => Found['rows'][number],
): Found {
  if (!isEnabled) return { field, rows: [] }
  if (isError) return { field, rows: [], note: `${GROUPS[field]} could not be looked up.` }
  if (isPending) return { field, rows: [], note: `Looking for ${field}s…` }
  const rows = data?.data.filter(({ ratings }) => ratings > 0).map(toRow) ?? []
  const isLeft = ({ value, detail }: Found['rows'][number]) =>
    `${value} ${detail}`.toLowerCase().includes(text.trim().toLowerCase())
  return { field, rows: rows.filter((row) => !isPlaceholderData || isLeft(row)).slice(0, MOST) }
}

const PAUSE_MS = 150

/** Uses the table's query, so that applying the filter hits the cache. */
function useMatches(query: RatingsQuery, isOn: boolean): SearchState['matches'] {
  const address = toQueryText(toParams(ratingsQuery, query))
  const [settled, setSettled] = useState<string | null>(null)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(address), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [address])
  const { data, isPlaceholderData } = useQuery({
    ...ratingsOptions(query),
    enabled: isOn && settled === address,
    retry: false,
  })
  return isOn && data && !isPlaceholderData ? formatCounted(data.page.total, 'rating') : undefined
}

const isRatings = (path: string) => path === '/'

function useShownView(): RatingsView {
  const { query, params } = useUrlQuery(ratingsView)
  return isRatings(usePathname() ?? '') ? query : { ...EVERY_VIEW, asof: readAsOf(params) }
}

function toApplyHref(query: RatingsQuery, shown: RatingsView): string {
  const { per_page } = shown
  return toRatingsHref({ ...shown, ...query, per_page, asof: query.asof ?? shown.asof, open: null })
}

export function useOpen(): (href: string) => void {
  const router = useRouter()
  const path = usePathname() ?? ''
  const { setQuery } = useUrlQuery(ratingsView)
  return (href) => {
    const { pathname, searchParams } = new URL(href, window.location.origin)
    if (isRatings(pathname) && isRatings(path)) setQuery(readRatingsView(searchParams).query)
    else router.push(href)
  }
}
