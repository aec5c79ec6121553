'use client'

import { useQuery } from '@tanstack/react-query'
import type { Writing } from '#components/filter-text/word-at.ts'
import { useFormats } from '#components/format/use-formats.tsx'
import { toSearchParamsOf } from '#components/ratings/search-params.ts'
import { symbolsOptions, usersOptions } from '#lib/client/query-options.ts'
import { type Found, type Lookups, NOTHING_FOUND } from './lookups.ts'

const MOST = 6
/** No symbol or number is longer: a longer word finds nothing, and nobody is asked. */
const LONGEST = 64
const NUMBER = /^#?\d+$/

/**
 * Symbols and users for the word at the caret. A request for a word that has changed is called off; what was found for
 * it stays until the next answer, marked as old. Whoever is rewound to `asof` (seconds) finds what was there then.
 */
export function useLookups({ name, typed }: Writing, isOn: boolean, asof: number | null): Lookups {
  const { formatCounted } = useFormats()
  const toDetail = (ratings: number) => formatCounted(ratings, 'rating')
  const isShort = typed.length <= LONGEST
  const asksSymbols = isOn && isShort && (name === 'symbol' || (name === null && typed !== ''))
  const asksUsers =
    isOn &&
    isShort &&
    (name === null ? NUMBER.test(typed) : name === 'user' && !/[^#\d]/.test(typed))
  const params = toSearchParamsOf(typed.replace(/^#/, ''), asof)
  const symbols = useQuery({ ...symbolsOptions(params), enabled: asksSymbols, retry: false })
  // The number itself first, where somebody has it: it is the least of those that begin with it.
  if (typed !== '') params.set('sort', 'user_id')
  const users = useQuery({ ...usersOptions(params), enabled: asksUsers, retry: false })
  return {
    symbols: asksSymbols
      ? toFound('Symbols', symbols, ({ symbol, ratings }) => ({
          symbol,
          detail: toDetail(ratings),
        }))
      : NOTHING_FOUND,
    users: asksUsers
      ? toFound('Users', users, ({ user_id: user, ratings }) => ({
          user,
          detail: toDetail(ratings),
        }))
      : NOTHING_FOUND,
  }
}

type Answer<T> = {
  data?: { data: readonly T[] }
  isError: boolean
  isPending: boolean
  isPlaceholderData: boolean
}

function toFound<T, F>(what: string, { data, ...state }: Answer<T>, to: (row: T) => F): Found<F> {
  if (state.isError) return { found: [], isOld: false, note: `${what} could not be looked up.` }
  if (state.isPending) return { found: [], isOld: true, note: `Looking for ${what.toLowerCase()}…` }
  return { found: data?.data.slice(0, MOST).map(to) ?? [], isOld: state.isPlaceholderData }
}
