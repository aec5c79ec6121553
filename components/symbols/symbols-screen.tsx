'use client'

import { useQuery } from '@tanstack/react-query'
import { Count, MeanPrediction } from '#components/format/number-text.tsx'
import { LeagueScreen } from '#components/league/league-screen.tsx'
import type { LeagueColumn } from '#components/league/league-table.tsx'
import { useLeague } from '#components/league/use-league.ts'
import { Instant } from '#components/time/instant.tsx'
import { ZonedLink } from '#components/time/zoned-link.tsx'
import { symbolsOptions } from '#lib/client/query-options.ts'
import type { SymbolRow } from '#lib/contract/answers/symbols.ts'
import { type SYMBOL_SORTS, symbolsQuery } from '#lib/contract/other-queries.ts'
import { CONSENSUS_HEAD, ConsensusScale } from './consensus-scale.tsx'
import { toSymbolHref } from './symbol-address.ts'

const COLUMNS: readonly LeagueColumn<SymbolRow, (typeof SYMBOL_SORTS)[number]>[] = [
  {
    label: 'Symbol',
    sort: 'symbol',
    usual: 'asc',
    render: ({ symbol }) => (
      <ZonedLink className="font-semibold hover:underline" href={toSymbolHref(symbol)}>
        {symbol}
      </ZonedLink>
    ),
  },
  {
    label: 'Ratings',
    sort: 'ratings',
    usual: 'desc',
    numeric: true,
    render: ({ ratings }) => <Count of={ratings} />,
  },
  {
    label: 'Active',
    sort: 'active',
    usual: 'desc',
    numeric: true,
    render: ({ active }) => <Count of={active} />,
  },
  {
    label: 'Consensus',
    sort: 'consensus',
    usual: 'desc',
    numeric: true,
    headClassName: CONSENSUS_HEAD,
    render: ({ consensus, active }) => <ConsensusScale active={active} consensus={consensus} />,
  },
  {
    label: 'Mean prediction',
    sort: 'avg_prediction',
    usual: 'desc',
    numeric: true,
    render: ({ avg_prediction }) => <MeanPrediction of={avg_prediction} />,
  },
  {
    label: 'Last rated',
    sort: 'last_created_at',
    usual: 'desc',
    numeric: true,
    render: ({ last_created_at }) => <Instant seconds={last_created_at} />,
  },
]

/** Every symbol that was ever rated, as a league table. */
export function SymbolsScreen() {
  const league = useLeague('/symbols', symbolsQuery)
  const answer = useQuery(symbolsOptions(league.params))
  return (
    <LeagueScreen
      answer={answer}
      columns={COLUMNS}
      league={league}
      name="Symbols"
      one="symbol"
      rowKey={(row) => row.symbol}
      search={{ label: 'Search symbols', placeholder: 'Find a symbol' }}
    >
      Consensus and mean prediction are over the active ratings: not expired and not replaced by the
      member’s next rating on the symbol.
    </LeagueScreen>
  )
}
