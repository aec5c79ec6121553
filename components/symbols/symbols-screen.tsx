'use client'

import { useQuery } from '@tanstack/react-query'
import { type CSSProperties, useMemo } from 'react'
import { formatConsensus, formatMeanPrediction } from '#components/format/numbers.ts'
import { ListScreen } from '#components/list/list-screen.tsx'
import { ListSearch, NothingFound } from '#components/list/list-search.tsx'
import { ListSkeleton } from '#components/list/list-skeleton.tsx'
import type { ListCell } from '#components/list/list-table.tsx'
import { selectableRows } from '#components/list/selectable-rows.tsx'
import { useListView } from '#components/list/use-list.ts'
import { AsOfLink } from '#components/time/as-of.tsx'
import { Instant } from '#components/time/instant.tsx'
import { TimeMachine } from '#components/time/time-machine.tsx'
import { HelpPopover } from '#components/ui/popover.tsx'
import { symbolsOptions } from '#lib/client/symbol-options.ts'
import { CONSENSUS_MIN, UNMOVED } from '#lib/contract/answers/limits.ts'
import type { SymbolRow } from '#lib/contract/answers/symbols.ts'
import { COMPARED_MAX } from '#lib/contract/api-queries.ts'
import { symbolList, symbolsPageQuery, symbolsQuery } from '#lib/contract/lists/symbols.ts'
import { toSymbolHref } from '#lib/contract/page-addresses.ts'
import { EXTREME_PERCENT } from '#lib/contract/quality.ts'
import type { Sort } from '#lib/contract/query-parameters.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import { only } from '#lib/contract/value-list.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'
import { CompareBar } from './compare/compare-bar.tsx'
import { Movers } from './movers.tsx'
import { WhyChange } from './moves/why-change.tsx'
import { Sparkline } from './sparkline.tsx'
import { SymbolsTabs } from './symbols-tabs.tsx'

export function SymbolsScreen() {
  const view = useListView('/symbols', symbolsPageQuery, symbolsQuery)
  const { change } = view
  const answer = useQuery(symbolsOptions(view.params))
  const { data } = answer
  const { asof, q, page, per_page, selected } = view.query
  const selection = useMemo(
    () => ({
      selected: selected.only,
      most: COMPARED_MAX,
      select: (names: readonly string[]) => change({ selected: only(...names), page }, 'replace'),
    }),
    [selected, page, change],
  )
  const isEmpty = data?.page.total === 0 && q === ''
  return (
    <ListScreen
      actions={
        <>
          <ListSearch label="Search symbols" placeholder="Find a symbol" view={view} />
          <TimeMachine />
        </>
      }
      answer={answer}
      bar={<CompareBar asof={asof} selection={selection} />}
      cells={CELLS}
      empty={<NothingFound one={symbolList.one} refetch={answer.refetch} view={view} />}
      exported={
        data && {
          counted: { rows: data.page.total, asOf: data.meta.as_of },
          named: { of: 'symbols', list: symbolList, asked: view.query },
        }
      }
      head={
        <>
          <SymbolsTabs current="table" />
          {!isEmpty && <Movers asof={asof} />}
        </>
      }
      list={symbolList}
      selectable={selectableRows}
      loading={<ListSkeleton name={symbolList.page.title} rows={per_page} />}
      toKey={toKey}
      selection={selection}
      view={view}
    >
      <p className="text-sm text-ink-3">
        Consensus, its change, mean prediction and dispersion are over the active ratings: not
        expired and not replaced by the user’s next rating on the symbol.{' '}
        <AsOfLink className="link" href="/lookups">
          Look-ups of symbols
        </AsOfLink>
      </p>
    </ListScreen>
  )
}

const toKey = ({ symbol }: SymbolRow) => toSymbolKey(symbol)

type ConsensusScaleProps = {
  row: Pick<SymbolRow, 'consensus' | 'consensus_low' | 'consensus_high'>
  bound: 'low' | 'high'
}

function ConsensusScale({ row, bound }: ConsensusScaleProps) {
  const { consensus, consensus_low: low, consensus_high: high } = row
  if (consensus === null || low === null || high === null) {
    return <span className="text-ink-3">{formatConsensus(consensus)}</span>
  }
  return (
    <>
      <Scale consensus={Number(consensus)} high={Number(high)} low={Number(low)} />
      {formatConsensus(consensus)}
      <span aria-hidden>
        {bound === 'low' ? `≥ ${formatConsensus(low)}` : `≤ ${formatConsensus(high)}`}
      </span>
      <span className="sr-only">{`, may be ${toInterval(row)}`}</span>
    </>
  )
}

function toInterval(row: ConsensusScaleProps['row']) {
  const { consensus_low: low, consensus_high: high } = row
  return low === null || high === null
    ? null
    : `${formatConsensus(low)} to ${formatConsensus(high)}`
}

function Scale({ consensus, low, high }: Record<'consensus' | 'low' | 'high', number>) {
  const places = {
    '--low': toPlace(low),
    '--high': 100 - toPlace(high),
    '--at': toPlace(consensus),
  }
  const style: CSSProperties = Object.fromEntries(
    Object.entries(places).map(([name, place]) => [name, `${Math.round(place * 100) / 100}%`]),
  )
  return <i data-interval={Math.round(consensus)} style={style} />
}

/** 0 to 100; clamped, because codes vary by service. */
const toPlace = (rating: number) => Math.max(0, Math.min(100, 25 * (rating - 1)))

function ConsensusRule() {
  return (
    <HelpPopover label="How consensus is ranked">
      <p>
        The dot and the number are the mean of the active ratings; the thin line is its interval.
        “Highest first” sorts by the lower end of the line (≥), “lowest first” by the upper end (≤),
        so symbols with few ratings come first in neither order.
      </p>
      <p>
        One extra rating of each value, 1 to 5, is added to the n ratings. With N = n + 5, mean m
        and mean of squares q:
      </p>
      <p className="rounded bg-sunk px-2 py-1 font-mono text-ink">
        m ∓ 1.65 · √((q − m²) / (N + 1))
      </p>
      <p>
        Evan Miller,{' '}
        <a
          className="link"
          href="https://www.evanmiller.org/ranking-items-with-star-ratings.html"
          rel="noreferrer"
          target="_blank"
        >
          “Ranking Items With Star Ratings”
        </a>
        , 2014; 1.65 leaves 5% beyond either end. The extra ratings pull the line toward 3: with
        very few ratings, the dot can be outside it.
      </p>
    </HelpPopover>
  )
}

function ChangeRule() {
  return (
    <HelpPopover label="How the 30-day change is ranked">
      <p>
        The consensus minus the one 30 days earlier, each over the ratings active at the time. A
        dash if fewer than {CONSENSUS_MIN} were active at either: two ratings are too few for a
        consensus. Sorted by that change as if {UNMOVED} more opinions had not moved, where n is the
        smaller count of the two:
      </p>
      <p className="rounded bg-sunk px-2 py-1 font-mono text-ink">change · n / (n + {UNMOVED})</p>
      <p>
        Shrinkage toward no change, after W. James and C. Stein, “Estimation with Quadratic Loss”,
        1961; the weight of {UNMOVED} is our choice. The line beside it is the consensus every two
        weeks over a year, from its lowest to its highest value; less than half a step is drawn
        flatter.
      </p>
    </HelpPopover>
  )
}

function PredictionRule() {
  return (
    <HelpPopover label="How mean prediction is ranked">
      <p>
        The mean of the active predictions. For sorting, each prediction p counts as at most{' '}
        {EXTREME_PERCENT}% up or down, and the mean is pulled toward the mean of all symbols, c, as
        if there were 10 more predictions of c:
      </p>
      <p className="rounded bg-sunk px-2 py-1 font-mono text-ink">(Σ p + 10 · c) / (n + 10)</p>
      <p>
        Shrinkage toward the common mean, after W. James and C. Stein, “Estimation with Quadratic
        Loss”, 1961; the weight of 10 and the limit are our choice.
      </p>
    </HelpPopover>
  )
}

function DispersionRule() {
  return (
    <HelpPopover label="What dispersion is">
      <p>
        How much opinions differ: the population standard deviation of the active ratings, in steps
        of the scale. 0.00 means all agree, 2.00 means half say Strong Buy and half Strong Sell.
      </p>
    </HelpPopover>
  )
}

function LookupsRule() {
  return (
    <HelpPopover label="What look-ups are">
      <p>
        How often the symbol was looked up, in the last 30 days with look-ups.{' '}
        <AsOfLink className="link" href="/lookups">
          All look-ups
        </AsOfLink>
      </p>
    </HelpPopover>
  )
}

const CELLS: Readonly<Record<(typeof symbolList.table)[number], ListCell<SymbolRow>>> = {
  symbol: {
    card: 'name',
    widthPx: 240,
    toTitle: ({ name }) => (name === null ? undefined : toVisibleText(name)),
    render: ({ symbol, name }) => (
      <>
        <AsOfLink href={toSymbolHref(symbol)}>{toVisibleText(symbol)}</AsOfLink>
        {name !== null && <bdi>{toVisibleText(name)}</bdi>}
      </>
    ),
  },
  active: { cardLabel: 'Active', widthPx: 70 },
  consensus: {
    card: 'end',
    cardLabel: 'Consensus',
    widthPx: 232,
    rule: <ConsensusRule />,
    className: 'consensus',
    toTitle: (row) => {
      const interval = toInterval(row)
      return interval === null ? undefined : `Sorted by the interval’s end: ${interval}`
    },
    render: (row, sort) => <ConsensusScale bound={toBound(sort)} row={row} />,
  },
  change_30d: {
    widthPx: 90,
    rule: <ChangeRule />,
    render: ({ symbol, change_30d }) => <WhyChange days={30} of={change_30d} symbol={symbol} />,
  },
  spark: {
    widthPx: 192,
    leaves: 3,
    card: 'sorted',
    className: 'sparkline',
    render: ({ spark }) => <Sparkline spark={spark} />,
  },
  avg_prediction: {
    leaves: 4,
    cardLabel: 'Prediction',
    rule: <PredictionRule />,
    render: ({ avg_prediction }) => formatMeanPrediction(avg_prediction),
  },
  dispersion: {
    leaves: 2,
    card: 'sorted',
    rule: <DispersionRule />,
    render: ({ dispersion }) => formatConsensus(dispersion),
  },
  ratings: { leaves: 2, card: 'sorted', widthPx: 90 },
  lookups_30d: {
    leaves: 3,
    card: 'sorted',
    rule: <LookupsRule />,
  },
  last_created_at: {
    leaves: 5,
    card: 'sorted',
    render: ({ last_created_at }) => <Instant seconds={last_created_at} />,
  },
}

/** Ascending order sorts by the upper bound. */
const toBound = ({ column, direction }: Sort<string>) =>
  column === 'consensus' && direction === 'asc' ? 'high' : 'low'
