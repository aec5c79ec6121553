'use client'

import { useQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import { useState } from 'react'
import { ZonedLink } from '#components/address/outlook.tsx'
import type { SeriesView } from '#components/address/series-address.ts'
import { FailureNotice } from '#components/feedback/failure-notice.tsx'
import { toSignedPercent } from '#components/format/texts.ts'
import { useFormats } from '#components/format/use-formats.tsx'
import { Button } from '#components/ui/button.tsx'
import { Segmented } from '#components/ui/fields.tsx'
import { Skeleton } from '#components/ui/loading.tsx'
import { Panel } from '#components/ui/panels.tsx'
import { Cell, HeaderCell, Row, Table, TableFrame, TableHead } from '#components/ui/table.tsx'
import { useInView } from '#components/ui/use-in-view.ts'
import { followedOptions } from '#lib/client/symbol-options.ts'
import type { Followed, FollowedMonth } from '#lib/contract/answers/prices.ts'
import { HORIZON_NAMES } from '#lib/contract/horizons.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'
import { toFollowedFacts, toFollowedSentence } from './followed-texts.ts'

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
  const formats = useFormats()
  const [asTable, setAsTable] = useState(false)
  const name = `What followed the consensus of ${toVisibleText(followed.symbol)}`
  return (
    <>
      <p className="max-w-[80ch] text-lg text-pretty">
        {toFollowedSentence(followed, formats)}{' '}
        <ZonedLink
          className="link text-base text-ink-3"
          href="/docs/prices#what-followed-a-consensus"
        >
          Method<span className="sr-only"> of measuring what followed</span>
        </ZonedLink>
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
            {toFollowedFacts(followed, formats)} Each dot is a month. Past results do not predict
            future ones.
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
}

function FollowedTable({ months, name }: FollowedTableProps) {
  const formats = useFormats()
  const percent = (fraction: string | null) => toSignedPercent(fraction, formats)
  return (
    <TableFrame aria-label={name} className="max-h-96 overflow-y-auto">
      <Table aria-label={name}>
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
            <Row key={month.month} compact>
              <th className="pl-4 text-left font-normal whitespace-nowrap" scope="row">
                {month.month}
              </th>
              <Cell numeric>{formats.formatConsensus(month.consensus)}</Cell>
              <Cell numeric>{formats.formatCount(month.active)}</Cell>
              <Cell>{month.entry_date ?? OUTCOMES[month.outcome]}</Cell>
              <Cell>{month.exit_date ?? (month.entry_date && OUTCOMES[month.outcome])}</Cell>
              <Cell numeric>{percent(month.return)}</Cell>
              <Cell numeric>{percent(month.benchmark)}</Cell>
              <Cell numeric>{percent(month.excess)}</Cell>
            </Row>
          ))}
        </tbody>
      </Table>
    </TableFrame>
  )
}
