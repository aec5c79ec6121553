'use client'

import { useQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import { useEffect, useRef, useState } from 'react'
import { AsOfLink } from '#components/address/as-of.tsx'
import type { SeriesView } from '#components/address/series-address.ts'
import { FailureNotice } from '#components/feedback/failure-notice.tsx'
import {
  formatConsensus,
  formatCount,
  formatCounted,
  formatMeanPrediction,
} from '#components/format/numbers.ts'
import { toSignedPercent } from '#components/format/texts.ts'
import { Button } from '#components/ui/button.tsx'
import { Segmented } from '#components/ui/fields.tsx'
import { Skeleton } from '#components/ui/loading.tsx'
import { Panel } from '#components/ui/panels.tsx'
import { Cell, HeaderCell, Table, TableFrame, TableHead } from '#components/ui/table.tsx'
import { followedOptions } from '#lib/client/symbol-options.ts'
import type { Followed, FollowedMonth } from '#lib/contract/answers/prices.ts'
import { HORIZON_NAMES } from '#lib/contract/horizons.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'

const HEIGHT_PX = 320

const FollowedChart = dynamic(
  () => import('./followed-chart.tsx').then((module) => module.FollowedChart),
  { loading: () => <Skeleton className="rounded-lg" height={HEIGHT_PX} />, ssr: false },
)

type FollowedPanelProps = {
  symbol: string
  view: SeriesView
  change: (changes: Partial<SeriesView>) => void
}

export function FollowedPanel({ symbol, view, change }: FollowedPanelProps) {
  const [ref, isSeen] = useInView()
  const { horizon, asof } = view
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...followedOptions(symbol, { horizon, asof }),
    enabled: isSeen,
  })
  if (data?.data.prices.symbols === 0) return null
  if (data === undefined && error === null) return <div ref={ref} className="h-px" />
  return (
    <Panel
      action={
        <Segmented
          label="Days after each month"
          labelShown
          onChange={(chosen) => change({ horizon: chosen })}
          options={HORIZON_NAMES.map((days) => ({ value: days, label: days }))}
          size="small"
          value={horizon}
        />
      }
      title="What followed its consensus"
    >
      {data === undefined ? (
        <FailureNotice error={error} onRetry={() => void refetch()} what="What followed" />
      ) : (
        <div
          aria-busy={isPlaceholderData}
          className={`flex flex-col gap-3 ${isPlaceholderData ? 'opacity-60' : ''}`}
        >
          <FollowedFigure followed={data.data} />
        </div>
      )}
    </Panel>
  )
}

function FollowedFigure({ followed }: { followed: Followed }) {
  const [asTable, setAsTable] = useState(false)
  const name = `What followed the consensus of ${toVisibleText(followed.symbol)}`
  return (
    <>
      <p className="max-w-[80ch] text-lg text-pretty">
        {toFollowedSentence(followed)}{' '}
        <AsOfLink
          className="link text-base text-ink-3"
          href="/docs/prices#what-followed-a-consensus"
        >
          Method<span className="sr-only"> of measuring what followed</span>
        </AsOfLink>
      </p>
      {followed.scored > 0 && (
        <>
          <div className="print:hidden">
            <Button onClick={() => setAsTable(!asTable)} size="small">
              {asTable ? 'Show as chart' : 'Show as table'}
            </Button>
          </div>
          {asTable ? (
            <FollowedTable months={followed.months} name={name} />
          ) : (
            <figure aria-label={name} className="min-w-0">
              <p aria-hidden className="text-xs text-ink-3">
                How the price did over the next {followed.horizon} days, against the others
              </p>
              <FollowedChart followed={followed} name={name} />
            </figure>
          )}
          <p className="max-w-[80ch] text-sm text-ink-3">
            {toFollowedFacts(followed)} Each dot is a month. Past results do not predict future
            ones.
          </p>
        </>
      )}
    </>
  )
}

type FollowedTableProps = { months: readonly FollowedMonth[]; name: string }

const OUTCOMES: Readonly<Record<FollowedMonth['outcome'], string>> = {
  scored: '',
  open: 'not over yet',
  no_price: 'no price',
  no_entry: 'no price within 7 days',
  jump: 'across a price jump',
}

function FollowedTable({ months, name }: FollowedTableProps) {
  return (
    <TableFrame aria-label={name} className="max-h-96 overflow-y-auto">
      <Table compact aria-label={name}>
        <TableHead className="sticky top-0 z-10 bg-surface">
          <HeaderCell>Month</HeaderCell>
          <HeaderCell numeric>Consensus at its end</HeaderCell>
          <HeaderCell numeric>Active, n</HeaderCell>
          <HeaderCell>From</HeaderCell>
          <HeaderCell>To</HeaderCell>
          <HeaderCell numeric>Return</HeaderCell>
          <HeaderCell numeric>Others</HeaderCell>
          <HeaderCell numeric>Difference</HeaderCell>
        </TableHead>
        <tbody>
          {months.toReversed().map((month) => (
            <tr key={month.month}>
              <th className="pl-4 text-left font-normal whitespace-nowrap" scope="row">
                {month.month}
              </th>
              <Cell numeric>{formatConsensus(month.consensus)}</Cell>
              <Cell numeric>{formatCount(month.active)}</Cell>
              <Cell>{month.entry_date ?? OUTCOMES[month.outcome]}</Cell>
              <Cell>{month.exit_date ?? (month.entry_date && OUTCOMES[month.outcome])}</Cell>
              <Cell numeric>{toSignedPercent(month.return)}</Cell>
              <Cell numeric>{toSignedPercent(month.benchmark)}</Cell>
              <Cell numeric>{toSignedPercent(month.excess)}</Cell>
            </tr>
          ))}
        </tbody>
      </Table>
    </TableFrame>
  )
}

export function toFollowedSentence(followed: Followed): string {
  const { horizon, scored, windows, slope, slope_low: low, slope_high: high } = followed
  const symbol = toVisibleText(followed.symbol)
  if (scored === 0) {
    return `No month of ${symbol} is complete enough to compare its price with its consensus.`
  }
  const known = `${formatCounted(scored, 'month')} ${scored === 1 ? 'is' : 'are'} known`
  if (low === null || high === null || slope === null) {
    const why =
      slope === null && windows >= 5
        ? 'its consensus hardly moved'
        : `too few, since ${horizon} days of one month overlap the next`
    return `Too little data to say whether the price of ${symbol} followed its consensus: ${known}, ${why}.`
  }
  const span = `${toPoints(low)} to ${toPoints(high)}`
  const step = 'a consensus 0.1 higher'
  if (Number(low) > 0) {
    return `The better the consensus on ${symbol}, the better its price did over the next ${horizon} days: ${step} went with ${span} percentage points more than the others.`
  }
  if (Number(high) < 0) {
    return `The better the consensus on ${symbol}, the worse its price did over the next ${horizon} days: ${step} went with ${span} percentage points compared with the others.`
  }
  return `A better consensus on ${symbol} was not followed by a significantly better price over the next ${horizon} days: the effect of ${step} is ${span} percentage points.`
}

/** From a fraction per rating point to percentage points per tenth: `0.512` is `+5.12`. */
function toPoints(fraction: string): string {
  return formatMeanPrediction((Number(fraction) * 10).toFixed(4)).replace('%', '')
}

export function toFollowedFacts(followed: Followed): string {
  const { scored, windows, mean, mean_low: low, mean_high: high, prices } = followed
  const n = `n = ${formatCounted(scored, 'month')}, of which ${formatCount(windows)} do not overlap; only those count for the 95% intervals.`
  const against = prices.benchmark ?? 'mean of all symbols'
  const after = `After an average month it was ${toSignedPercent(mean)} against the ${against}`
  return `${n} ${after}${low === null ? '' : ` (${toSignedPercent(low)} to ${toSignedPercent(high)})`}.`
}

const AHEAD = '300px'

function useInView() {
  const ref = useRef<HTMLDivElement>(null)
  const [isSeen, setSeen] = useState(false)
  useEffect(() => {
    const element = ref.current
    if (!element || isSeen) return
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setSeen(true),
      { rootMargin: AHEAD },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [isSeen])
  return [ref, isSeen] as const
}
