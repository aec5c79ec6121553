'use client'

import { useCallback } from 'react'
import { symbolsOptions } from '#lib/client/query-options.ts'
import type { Facets } from '#lib/contract/answers/ratings.ts'
import type { SymbolsPage } from '#lib/contract/answers/symbols.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import { toTopRows } from './facet-rows.ts'
import type { QueryProps } from './query-change.ts'
import { selectFilters } from './select-filters.ts'
import { useToggle } from './use-toggle.ts'
import { useValueSearch } from './use-value-search.ts'
import { ValueFilter } from './value-filter.tsx'

const MOST = 6

const SYMBOLS = {
  ask: (params: URLSearchParams) => symbolsOptions(params),
  toFound: ({ data }: SymbolsPage) =>
    data.map(({ symbol, ratings }) => ({ value: toSymbolKey(symbol), label: symbol, ratings })),
}

/** The filter by symbol: any by search, and those with the most ratings. */
export function SymbolFilter({ query, change, facets }: QueryProps & { facets?: Facets }) {
  const { toggle, reset } = useToggle('symbol', query, change)
  const top = facets?.symbol.map(({ value, count }) => ({ value: toSymbolKey(value), count }))
  const isNarrowed = selectFilters(query).some(({ name }) => name !== 'symbol')
  return (
    <ValueFilter
      legend="Symbol"
      placeholder="Find a symbol"
      total={facets && { count: facets.distinct.symbols, of: 'symbols' }}
      rows={toTopRows({ top, chosen: query.symbol, most: MOST })}
      reserved={MOST}
      search={useValueSearch(SYMBOLS, isNarrowed)}
      chosen={query.symbol.only}
      onToggle={useCallback((symbol, how) => toggle(toSymbolKey(symbol), how), [toggle])}
      onReset={reset}
    />
  )
}
