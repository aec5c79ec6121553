'use client'

import { useQueries, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { toSearch } from '#components/address/ratings-address.ts'
import { formatCounted } from '#components/format/numbers.ts'
import { toCompareParams } from '#components/symbols/compare/comparison.ts'
import { ratingsOptions } from '#lib/client/query-options.ts'
import { comparisonOptions, symbolsOptions } from '#lib/client/symbol-options.ts'
import { usersOptions } from '#lib/client/user-options.ts'
import type { SymbolRow } from '#lib/contract/answers/symbols.ts'
import { COMPARED_MAX } from '#lib/contract/api-queries.ts'
import { nearSymbolsQuery, symbolsQuery } from '#lib/contract/lists/symbols.ts'
import { usersQuery } from '#lib/contract/lists/users.ts'
import { toParams } from '#lib/contract/query-schema.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import {
  EVERY_RATING,
  type RatingsQuery,
  ratingsQuery,
  toQueryText,
} from '#lib/contract/ratings-query.ts'
import { only } from '#lib/contract/value-list.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'
import type { FilterText } from './filter-text/parse-filter-text.ts'
import type { Writing } from './filter-text/tokenizer.ts'
import type { PaletteState } from './sections.ts'
import { type Lookups, type MatchResult, NOTHING_FOUND } from './suggestions.ts'

const MOST = 6
const FEW = 3
const SHORTEST_LIKE = 2
const isFew = (rows: readonly unknown[]) => rows.length < FEW
/** No symbol or number is longer. */
const LONGEST = 64
const NUMBER = /^#?\d+$/

type LookupInput = Writing & { bare: readonly string[] }

/** Old results stay, marked, until the next answer. */
export function useLookups(
  { name, typed, bare }: LookupInput,
  isOn: boolean,
  asof: number | null,
): Lookups {
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
  const sort = typed === '' ? undefined : ({ column: 'user_id', direction: 'asc' } as const)
  const byNumber = toParams(usersQuery, { ...search, q, sort })
  const like = toParams(nearSymbolsQuery, { ...search, like: typed })
  const isRare =
    symbols.data !== undefined && !symbols.isPlaceholderData && isFew(symbols.data.data)
  const asksNear = asksSymbols && bare.includes(typed) && typed.length >= SHORTEST_LIKE && isRare
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
    symbols: asksSymbols ? toMatchResult('Symbols', symbols, toSymbol) : NOTHING_FOUND,
    near: asksNear
      ? { ...toMatchResult('Symbols', near, toSymbol), note: undefined }
      : NOTHING_FOUND,
    users: asksUsers
      ? toMatchResult('Users', users, ({ user_id: user, ratings }) => ({
          user,
          detail: toDetail(ratings),
        }))
      : NOTHING_FOUND,
    ratings: Number.isSafeInteger(number)
      ? toMatchResult('Ratings', ratings, ({ id }) => id)
      : NOTHING_FOUND,
  }
}

const MOST_LOOKED_UP = 20

/** Excludes symbols whose look-up failed. */
export function useUnknownSymbols(texts: readonly string[], asof: number | null) {
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

export function useHasSymbols({ typed }: Writing, asof: number | null): boolean {
  const { data } = useQuery({
    ...symbolsOptions(toParams(symbolsQuery, toSearch(typed, asof))),
    enabled: /\s/.test(typed) && typed.length <= LONGEST,
    retry: false,
  })
  return data?.data.some(isRated) ?? false
}

export function toLookupInput(writing: Writing, { words, query }: FilterText): Writing {
  const [user, ...users] = query.user.only
  if (writing.typed === '' && user !== undefined && users.length === 0) {
    return { ...writing, typed: String(user) }
  }
  const [word, ...others] = words
  const [item, ...more] = word?.items ?? []
  const isOne = word?.name === null && !word.isNot && others.length + more.length === 0
  return isOne && item && writing.typed === '' ? { ...writing, typed: item.text } : writing
}

export function useComparedSymbols(keys: string[] | null, asof: number | null) {
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

function toMatchResult<T extends object, F>(
  what: string,
  { data, ...state }: Answer<T>,
  to: (row: T) => F,
): MatchResult<F> {
  if (state.isError) return { found: [], isOld: false, note: `${what} could not be looked up.` }
  if (state.isPending) return { found: [], isOld: true, note: `Looking for ${what.toLowerCase()}…` }
  const rated = data?.data.filter(isRated) ?? []
  return { found: rated.slice(0, MOST).map(to), isOld: state.isPlaceholderData }
}

const PAUSE_MS = 150

/** Uses the table's query, so that applying the filter hits the cache. */
export function useMatches(query: RatingsQuery, isOn: boolean): PaletteState['matches'] {
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

function useSettled(text: string): string | null {
  const [settled, setSettled] = useState<string | null>(null)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
