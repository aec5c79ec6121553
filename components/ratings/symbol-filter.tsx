'use client'

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { formatCount } from '#components/format/count.ts'
import { symbolsOptions } from '#lib/client/query-options.ts'
import type { Facets } from '#lib/contract/answers/ratings.ts'
import type { SymbolsPage } from '#lib/contract/answers/symbols.ts'
import { toSymbolKey } from '#lib/contract/rating.ts'
import { toTopRows } from './facet-rows.ts'
import { type QueryProps, toToggled, withFilter } from './query-change.ts'
import { toSearchParamsOf, toSearchState } from './search-params.ts'
import { ValueFilter } from './value-filter.tsx'

const MOST = 6

/** The filter by symbol: any by search, and those with the most ratings. */
export function SymbolFilter({ query, change, facets }: QueryProps & { facets?: Facets }) {
  const [text, setText] = useState('')
  const [isUsed, setIsUsed] = useState(false)
  const client = useQueryClient()
  const asked = symbolsOptions(toSearchParamsOf(text))
  const found = useQuery({ ...asked, enabled: isUsed })
  const search = {
    text,
    setText,
    options: toOptions(found.data),
    state: toSearchState(found),
    begin: () => setIsUsed(true),
    load: async () => toOptions(await client.fetchQuery(asked).catch(() => undefined)),
  }
  const top = facets?.symbol.map(({ value, count }) => ({ value: toSymbolKey(value), count }))
  return (
    <ValueFilter
      legend="Symbol"
      placeholder="Find a symbol"
      rows={toTopRows({ top, chosen: query.symbol, most: MOST })}
      reserved={MOST}
      search={search}
      chosen={query.symbol}
      onToggle={(symbol) =>
        change((last) => withFilter(last, { symbol: toToggled(last.symbol, toSymbolKey(symbol)) }))
      }
    />
  )
}

const toOptions = (page: SymbolsPage | undefined) =>
  (page?.data ?? []).map(({ symbol, ratings }) => ({
    value: toSymbolKey(symbol),
    label: symbol,
    detail: formatCount(ratings),
  }))
