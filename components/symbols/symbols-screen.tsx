'use client'

import { useQuery } from '@tanstack/react-query'
import { LeagueScreen } from '#components/league/league-screen.tsx'
import { useLeague } from '#components/league/league-table.tsx'
import { symbolsOptions } from '#lib/client/query-options.ts'
import type { SymbolRow } from '#lib/contract/answers/symbols.ts'
import { symbolsQuery } from '#lib/contract/api-queries.ts'
import { Overview } from './overview.tsx'
import { SYMBOL_COLUMNS, type SymbolSort } from './symbol-columns.tsx'

/** What happened lately, and every symbol that had been rated as a league table. */
export function SymbolsScreen() {
  const league = useLeague('/symbols', symbolsQuery)
  const answer = useQuery(symbolsOptions(league.params))
  const isEmpty = answer.data?.page.total === 0 && league.query.q === ''
  return (
    <LeagueScreen<SymbolRow, SymbolSort>
      answer={answer}
      columns={SYMBOL_COLUMNS}
      head={isEmpty ? undefined : <Overview asof={league.query.asof} />}
      league={league}
      name="Symbols"
      one="symbol"
      rowKey={(row) => row.symbol}
      search={{ label: 'Search symbols', placeholder: 'Find a symbol' }}
    >
      Consensus, its change, mean prediction and dispersion are over the active ratings: not expired
      and not replaced by the member’s next rating on the symbol.
    </LeagueScreen>
  )
}
