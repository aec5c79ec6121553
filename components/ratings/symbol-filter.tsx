'use client'

import { symbolsOptions } from '#lib/client/query-options.ts'
import type { Facets } from '#lib/contract/answers/ratings.ts'
import type { SymbolsPage } from '#lib/contract/answers/symbols.ts'
import { toSymbolKey } from '#lib/contract/rating.ts'
import { toToggled } from '#lib/contract/value-list.ts'
import { toTopRows } from './facet-rows.ts'
import { type QueryProps, withFilter } from './query-change.ts'
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
  const top = facets?.symbol.map(({ value, count }) => ({ value: toSymbolKey(value), count }))
  return (
    <ValueFilter
      legend="Symbol"
      placeholder="Find a symbol"
      rows={toTopRows({ top, chosen: query.symbol, most: MOST })}
      reserved={MOST}
      search={useValueSearch(SYMBOLS)}
      chosen={query.symbol.only}
      onToggle={(symbol) =>
        change((last) => withFilter(last, { symbol: toToggled(last.symbol, toSymbolKey(symbol)) }))
      }
    />
  )
}
