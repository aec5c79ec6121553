'use client'

import { type UseQueryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useCallback, useState } from 'react'
import { formatCount } from '#components/format/numbers.ts'
import { toNamedText } from '#components/format/texts.ts'
import {
  FacetList,
  type FacetRow,
  FilterGroup,
  type ToggleValue,
  toTopRows,
  useToggle,
} from '#components/list/facet-list.tsx'
import { useStableOrder } from '#components/list/stable-order.ts'
import { useAsOf } from '#components/time/as-of.tsx'
import { Combobox, type ComboboxOption } from '#components/ui/combobox.tsx'
import { symbolsOptions } from '#lib/client/symbol-options.ts'
import { usersOptions } from '#lib/client/user-options.ts'
import type { Facets } from '#lib/contract/answers/ratings.ts'
import type { SymbolsPage } from '#lib/contract/answers/symbols.ts'
import type { UsersPage } from '#lib/contract/answers/users.ts'
import { type SearchQuery, searchQuery, toSearch } from '#lib/contract/api-queries.ts'
import { toParams } from '#lib/contract/query-schema.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import type { QueryProps } from '#lib/contract/ratings-view.ts'
import type { Chosen } from '#lib/contract/value-list.ts'
import { fromVisibleText } from '#lib/contract/visible-text.ts'
import { selectRatingFilters } from './filter-summary.ts'

const SYMBOLS_LISTED = 6

const SYMBOLS: ValueSource<SymbolsPage> = {
  toOptions: (search) => symbolsOptions(toParams(searchQuery, search)),
  toFound: ({ data }) =>
    data.map(({ symbol, name, ratings }) => ({
      value: toSymbolKey(symbol),
      label: toNamedText(symbol, name),
      ratings,
    })),
}

export function SymbolFilter({ query, change, facets }: QueryProps & { facets?: Facets }) {
  const { toggle, reset } = useToggle('symbol', query, change)
  const top = facets?.symbol.map(({ value, count }) => ({ value: toSymbolKey(value), count }))
  const chosen = query.symbol
  const distinct = facets?.distinct.symbols ?? 0
  const { places, lines } = useStableOrder({ top, chosen, most: SYMBOLS_LISTED })
  const isNarrowed = selectRatingFilters(query).some(({ name }) => name !== 'symbol')
  return (
    <ValueFilter
      legend="Symbol"
      placeholder="Find a symbol"
      total={facets && { count: facets.distinct.symbols, of: 'symbols' }}
      rows={toTopRows({ top, distinct, chosen, places })}
      lines={lines}
      search={useValueSearch(SYMBOLS, isNarrowed)}
      chosen={chosen}
      onToggle={useCallback((symbol, how) => toggle(toSymbolKey(symbol), how), [toggle])}
      onReset={reset}
    />
  )
}

const USERS_LISTED = 5

const USERS: ValueSource<UsersPage> = {
  toOptions: (search) => usersOptions(toParams(searchQuery, search)),
  toFound: ({ data }) =>
    data.map(({ user_id, ratings }) => ({
      value: String(user_id),
      label: `#${user_id}`,
      ratings,
    })),
}

export function UserFilter({ query, change, facets }: QueryProps & { facets?: Facets }) {
  const { toggle, reset } = useToggle('user', query, change)
  const top = facets?.user
  const chosen = query.user
  const distinct = facets?.distinct.users ?? 0
  const { places, lines } = useStableOrder({ top, chosen, most: USERS_LISTED })
  const rows = toTopRows({ top, distinct, chosen, places })
  const isNarrowed = selectRatingFilters(query).some(({ name }) => name !== 'user')
  return (
    <ValueFilter
      legend="User"
      placeholder="Find a user by number"
      total={facets && { count: facets.distinct.users, of: 'users' }}
      rows={rows.map((row) => ({ ...row, value: String(row.value), label: `#${row.label}` }))}
      lines={lines}
      search={useValueSearch(USERS, isNarrowed)}
      chosen={{ only: chosen.only.map(String), not: chosen.not.map(String) }}
      onToggle={useCallback((user, how) => toggle(Number(user), how), [toggle])}
      onReset={reset}
    />
  )
}

type ValueFilterProps = {
  legend: string
  placeholder: string
  total: { count: number; of: string } | undefined
  rows: readonly FacetRow<string>[]
  lines: number
  search: ValueSearch
  chosen: Chosen<string>
  onToggle: ToggleValue<string>
  onReset?: () => void
}

const LINE_PX = 26
const MOST_LINES = 12

function ValueFilter(props: ValueFilterProps) {
  const { legend, rows, search, onToggle } = props
  const select = (value: string, how: 'only' | 'not') => {
    onToggle(value, how)
    search.setText('')
  }
  // Selects the exact match, otherwise the best one.
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const text = toSymbolKey(search.asked)
    if (text === '') return
    const found = await search.find()
    const best = found.find(({ value }) => toSymbolKey(value) === text) ?? found[0]
    if (best) select(best.value, search.isNot ? 'not' : 'only')
  }
  return (
    <FilterGroup legend={legend} hasField total={props.total} onReset={props.onReset}>
      <form onSubmit={submit} onFocus={search.begin}>
        <Combobox
          label={legend}
          placeholder={props.placeholder}
          query={search.text}
          onQuery={search.setText}
          options={search.options}
          selected={props.chosen.only}
          onSelect={(value) => select(value, search.isNot ? 'not' : 'only')}
          excluded={props.chosen.not}
          onExclude={(value) => select(value, 'not')}
          state={search.state}
          emptyText="None found"
        />
      </form>
      <FacetList
        rows={rows}
        onToggle={onToggle}
        strong
        className="mt-1.5 overflow-y-auto [scrollbar-width:thin]"
        style={{ height: LINE_PX * Math.min(MOST_LINES, props.lines) }}
      />
    </FilterGroup>
  )
}

type FoundValue = { value: string; label: string; ratings: number }

type ValueSource<A> = {
  toOptions: (search: SearchQuery) => UseQueryOptions<A, Error, A, string[]>
  toFound: (answer: A) => readonly FoundValue[]
}

/** A leading minus excludes the value. */
const WRITTEN = /^\s*([-−]?)\s*#?\s*/

/**
 * Sends no request before the field is used. Counts cover all ratings; `isNarrowed` labels them so.
 */
function useValueSearch<A>(source: ValueSource<A>, isNarrowed: boolean) {
  const [text, setText] = useState('')
  const [isUsed, setUsed] = useState(false)
  const client = useQueryClient()
  const asked = fromVisibleText(text.replace(WRITTEN, '')).trim()
  const search = toSearch(asked, useAsOf())
  const found = useQuery({ ...source.toOptions(search), enabled: isUsed })
  const toDetail = (ratings: number) => `${formatCount(ratings)}${isNarrowed ? ' in all' : ''}`
  const toRows = (answer: A | undefined): ComboboxOption[] =>
    answer === undefined
      ? []
      : source
          .toFound(answer)
          .map(({ ratings, ...rest }) => ({ ...rest, detail: toDetail(ratings) }))
  return {
    text,
    setText,
    asked,
    isNot: WRITTEN.exec(text)?.[1] !== '',
    options: toRows(found.data),
    state: toSearchState(found),
    begin: () => setUsed(true),
    find: async () =>
      toRows(await client.fetchQuery(source.toOptions(search)).catch(() => undefined)),
  } as const
}

type ValueSearch = ReturnType<typeof useValueSearch>

type SearchState = { isError: boolean; isPending: boolean; isPlaceholderData: boolean }

const toSearchState = ({
  isError,
  isPending,
  isPlaceholderData,
}: SearchState): 'ready' | 'loading' | 'failed' => {
  if (isError) return 'failed'
  return isPending || isPlaceholderData ? 'loading' : 'ready'
}
