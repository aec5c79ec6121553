'use client'

import { keepPreviousData, type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useCallback, useState } from 'react'
import { useAsof } from '#components/address/outlook.tsx'
import {
  type QueryProps,
  type Search,
  toSearch,
  toSearchState,
} from '#components/address/ratings-address.ts'
import { toNamedText } from '#components/format/texts.ts'
import { useFormats } from '#components/format/use-formats.tsx'
import {
  FacetList,
  type FacetRow,
  FilterGroup,
  type ToggleValue,
  toTopRows,
  useToggle,
} from '#components/list/facet-list.tsx'
import { useStableOrder } from '#components/list/stable-order.ts'
import { Typeahead } from '#components/ui/typeahead.tsx'
import type { TypeaheadOption } from '#components/ui/typeahead-list.tsx'
import type { Facets } from '#lib/contract/answers/ratings.ts'
import { symbolsQuery, usersQuery } from '#lib/contract/api-queries.ts'
import { toParams } from '#lib/contract/query-schema.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import type { Chosen } from '#lib/contract/value-list.ts'
import { fromVisibleText } from '#lib/contract/visible-text.ts'
import { selectFilters } from './filter-summary.ts'

const SYMBOLS_LISTED = 6

const SYMBOLS: ValueSource = {
  name: 'symbols',
  find: async (search, client) => {
    const { symbolsOptions } = await import('#lib/client/symbol-options.ts')
    const { data } = await client.fetchQuery(symbolsOptions(toParams(symbolsQuery, search)))
    return data.map(({ symbol, name, ratings }) => ({
      value: toSymbolKey(symbol),
      label: toNamedText(symbol, name),
      ratings,
    }))
  },
}

export function SymbolFilter({ query, change, facets }: QueryProps & { facets?: Facets }) {
  const { toggle, reset } = useToggle('symbol', query, change)
  const top = facets?.symbol.map(({ value, count }) => ({ value: toSymbolKey(value), count }))
  const chosen = query.symbol
  const distinct = facets?.distinct.symbols ?? 0
  const { places, lines, sort } = useStableOrder({ top, chosen, most: SYMBOLS_LISTED })
  const isNarrowed = selectFilters(query).some(({ name }) => name !== 'symbol')
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
      onSort={sort}
    />
  )
}

const USERS_LISTED = 5

const USERS: ValueSource = {
  name: 'users',
  find: async (search, client) => {
    const { usersOptions } = await import('#lib/client/user-options.ts')
    const { data } = await client.fetchQuery(usersOptions(toParams(usersQuery, search)))
    return data.map(({ user_id, ratings }) => ({
      value: String(user_id),
      label: `#${user_id}`,
      ratings,
    }))
  },
}

export function UserFilter({ query, change, facets }: QueryProps & { facets?: Facets }) {
  const { toggle, reset } = useToggle('user', query, change)
  const top = facets?.user
  const chosen = query.user
  const distinct = facets?.distinct.users ?? 0
  const { places, lines, sort } = useStableOrder({ top, chosen, most: USERS_LISTED })
  const rows = toTopRows({ top, distinct, chosen, places })
  const isNarrowed = selectFilters(query).some(({ name }) => name !== 'user')
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
      onSort={sort}
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
  onSort?: () => void
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
    const text = search.asked.toUpperCase()
    if (text === '') return
    const found = await search.load()
    const best = found.find(({ value }) => value.toUpperCase() === text) ?? found[0]
    if (best) select(best.value, search.isNot ? 'not' : 'only')
  }
  return (
    <FilterGroup
      legend={legend}
      hasField
      total={props.total}
      onReset={props.onReset}
      onSort={props.onSort}
    >
      <form onSubmit={submit} onFocus={search.begin}>
        <Typeahead
          label={legend}
          labelHidden
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

/** Loads its question when it is first used. */
type ValueSource = {
  name: string
  find: (search: Search, client: QueryClient) => Promise<readonly FoundValue[]>
}

/** A leading minus excludes the value. */
const WRITTEN = /^\s*([-−]?)\s*#?\s*/

/**
 * Sends no request before the field is used. Counts cover all ratings; `isNarrowed` labels them so.
 */
function useValueSearch({ name, find }: ValueSource, isNarrowed: boolean) {
  const { formatCount } = useFormats()
  const [text, setText] = useState('')
  const [isUsed, setIsUsed] = useState(false)
  const client = useQueryClient()
  const sought = fromVisibleText(text.replace(WRITTEN, '')).trim()
  const search = toSearch(sought, useAsof())
  const asked = {
    queryKey: ['values', name, search],
    queryFn: () => find(search, client),
  }
  const found = useQuery({ ...asked, placeholderData: keepPreviousData, enabled: isUsed })
  const toDetail = (ratings: number) => `${formatCount(ratings)}${isNarrowed ? ' in all' : ''}`
  const toOptions = (values: readonly FoundValue[] = []): TypeaheadOption[] =>
    values.map(({ ratings, ...rest }) => ({ ...rest, detail: toDetail(ratings) }))
  return {
    text,
    setText,
    asked: sought,
    isNot: WRITTEN.exec(text)?.[1] !== '',
    options: toOptions(found.data),
    state: toSearchState(found),
    begin: () => setIsUsed(true),
    load: async () => toOptions(await client.fetchQuery(asked).catch(() => undefined)),
  }
}

type ValueSearch = ReturnType<typeof useValueSearch>
