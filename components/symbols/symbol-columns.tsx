import { ZonedLink } from '#components/address/outlook.tsx'
import { Count, MeanPrediction } from '#components/format/use-formats.tsx'
import type { LeagueColumn } from '#components/league/league-table.tsx'
import { Instant } from '#components/time/instant.tsx'
import type { SymbolRow } from '#lib/contract/answers/symbols.ts'
import type { SYMBOL_SORTS } from '#lib/contract/api-queries.ts'
import type { Sort } from '#lib/contract/parameters.ts'
import { ConsensusChange } from './consensus-change.tsx'
import { ConsensusScale } from './consensus-scale.tsx'
import { Dispersion } from './dispersion.tsx'
import { ChangeRule, ConsensusRule, DispersionRule, PredictionRule } from './ranking-rules.tsx'
import { Sparkline } from './sparkline.tsx'
import { toSymbolHref } from './symbol-address.ts'

export type SymbolSort = (typeof SYMBOL_SORTS)[number]

type Column = LeagueColumn<SymbolRow, SymbolSort>

/** The button of the rule before it hangs over a heading's beginning. */
const BESIDE_RULE = 'pl-7'

/** What the league table of symbols shows, what matters most first: a narrow screen sees the beginning. */
export const SYMBOL_COLUMNS: readonly Column[] = [
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
    label: 'Active, n',
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
    rule: <ConsensusRule />,
    render: (row, sort) => <ConsensusScale bound={toBound(sort)} row={row} />,
  },
  {
    label: '30 days',
    sort: 'change_30d',
    usual: 'desc',
    numeric: true,
    headClassName: BESIDE_RULE,
    rule: <ChangeRule />,
    render: ({ change_30d }) => <ConsensusChange of={change_30d} />,
  },
  {
    label: 'A year, 1–5',
    sort: null,
    headClassName: BESIDE_RULE,
    render: ({ spark }) => (
      <span className="pl-4">
        <Sparkline spark={spark} />
      </span>
    ),
  },
  {
    label: 'Mean prediction',
    sort: 'avg_prediction',
    usual: 'desc',
    numeric: true,
    rule: <PredictionRule />,
    render: ({ avg_prediction }) => <MeanPrediction of={avg_prediction} />,
  },
  {
    label: 'Dispersion',
    sort: 'dispersion',
    usual: 'desc',
    numeric: true,
    headClassName: BESIDE_RULE,
    rule: <DispersionRule />,
    render: ({ dispersion }) => <Dispersion of={dispersion} />,
  },
  {
    label: 'Ratings',
    sort: 'ratings',
    usual: 'desc',
    numeric: true,
    headClassName: BESIDE_RULE,
    render: ({ ratings }) => <Count of={ratings} />,
  },
  {
    label: 'Last rated',
    sort: 'last_created_at',
    usual: 'desc',
    numeric: true,
    render: ({ last_created_at }) => <Instant seconds={last_created_at} />,
  },
]

/** Lowest first goes by the upper ends. */
const toBound = ({ column, direction }: Sort<SymbolSort>) =>
  column === 'consensus' && direction === 'asc' ? 'high' : 'low'
