'use client'

import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { FailureNotice } from '#components/answer/failure-notice.tsx'
import { SaveChart } from '#components/chart-files/save-chart.tsx'
import { useFormats } from '#components/format/use-formats.tsx'
import { RuleNote } from '#components/symbols/rule-note.tsx'
import { useZone } from '#components/time/zone.tsx'
import { Button } from '#components/ui/button.tsx'
import { Segmented } from '#components/ui/segmented.tsx'
import { Skeleton } from '#components/ui/skeleton.tsx'
import { callsOptions } from '#lib/client/query-options.ts'
import type { CallsAnswer } from '#lib/contract/answers/record.ts'
import { toCallsSummary } from './call-texts.ts'
import { CallsChart } from './calls-chart.tsx'
import { CALLS_RULE, toCallsFacts } from './calls-facts.ts'
import { placeCalls, toCallsExtent } from './calls-layout.ts'
import { CallsLegend } from './calls-legend.tsx'
import { AXIS_PX, ROW_PX, ROWS_FIRST } from './calls-sizes.ts'
import { CallsTable } from './calls-table.tsx'
import type { ChangeUserView } from './use-user-view.ts'
import type { UserView } from './user-view.ts'

const RANGES = [
  { value: '1y', label: '1Y' },
  { value: '3y', label: '3Y' },
  { value: 'all', label: 'All' },
] as const

const AREA_PX = AXIS_PX + ROWS_FIRST * ROW_PX + 26

type CallsFigureProps = { userId: number; view: UserView; change: ChangeUserView }

/** What a member said of each symbol and for how long it held, as a chart or as the table of the same calls. */
export function CallsFigure({ userId, view, change }: CallsFigureProps) {
  const areaId = useId()
  const { data, error, refetch, isPlaceholderData } = useQuery(callsOptions(userId, view.asof))
  const name = `Calls over time, user ${userId}`
  const isTable = view.view === 'table'
  return (
    <figure
      aria-label={name}
      className="flex min-w-0 flex-col gap-2 rounded-lg border bg-surface p-4"
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h2 className="inline-flex items-center text-lg">
          Calls over time
          <RuleNote about="the calls">
            <p>
              {CALLS_RULE} Where nothing is drawn, the member had no rating in force. Symbols stand
              in the order of their latest call; at most 40 of them and 1,000 calls are listed.
            </p>
          </RuleNote>
        </h2>
        <div className="flex flex-wrap items-center gap-2 sm:ml-auto">
          <Segmented
            label="Range"
            onChange={(range) => change({ range })}
            options={RANGES}
            size="small"
            value={view.range}
          />
          <Button
            aria-controls={areaId}
            className="w-28"
            onClick={() => change({ view: isTable ? null : 'table' })}
            size="small"
          >
            {isTable ? 'Show as chart' : 'Show as table'}
          </Button>
          {data && <SaveCalls answer={data} userId={userId} view={view} />}
        </div>
      </div>
      <div
        aria-busy={data === undefined || isPlaceholderData}
        className={isPlaceholderData ? 'opacity-60' : undefined}
        id={areaId}
      >
        {data === undefined && error === null && (
          <Skeleton className="rounded-lg" height={AREA_PX} />
        )}
        {data === undefined && error !== null && (
          <FailureNotice error={error} onRetry={() => void refetch()} what="The calls" />
        )}
        {data && (
          <CallsArea answer={data} change={change} name={name} userId={userId} view={view} />
        )}
      </div>
    </figure>
  )
}

type AreaProps = { answer: CallsAnswer; view: UserView; userId: number }

/** The calls of the rows that are displayed. */
function selectShown({ data, meta }: CallsAnswer, view: UserView) {
  const extent = toCallsExtent(data, view.range, meta.as_of)
  const inRange = new Set(placeCalls(data, extent, 1).map((row) => row.symbol))
  const symbols = data.symbols.filter((row) => inRange.has(row.symbol))
  const shown = view.rows === 'all' ? symbols : symbols.slice(0, ROWS_FIRST)
  return { extent, calls: { ...data, symbols: shown }, found: symbols.length }
}

function SaveCalls({ answer, view, userId }: AreaProps) {
  const toFacts = () => {
    const { extent, calls } = selectShown(answer, view)
    return toCallsFacts({ userId, rows: placeCalls(calls, extent, 1), extent, meta: answer.meta })
  }
  return <SaveChart toFacts={toFacts} />
}

function CallsArea(props: AreaProps & { name: string; change: ChangeUserView }) {
  const { answer, view, userId, name, change } = props
  const formats = useFormats()
  const zone = useZone()
  const { extent, calls, found } = selectShown(answer, view)
  const rows = placeCalls(calls, extent, 1)
  if (rows.length === 0) {
    return (
      <p className="flex flex-wrap items-center gap-3 py-6 text-ink-3">
        No call was in force in this range.
        <Button onClick={() => change({ range: 'all' })} size="small">
          Show all {formats.formatCounted(answer.data.calls_total, 'call')}
        </Button>
      </p>
    )
  }
  return (
    <div className="flex flex-col gap-2">
      <p className="sr-only">{toCallsSummary({ userId, rows, ...extent, zone }, formats)}</p>
      {view.view === 'table' ? (
        <CallsTable name={name} rows={rows} />
      ) : (
        <>
          <CallsChart calls={calls} extent={extent} name={name} />
          <CallsLegend />
        </>
      )}
      <CallsFoot
        change={change}
        found={found}
        shown={rows.length}
        total={answer.data}
        view={view}
      />
    </div>
  )
}

type FootProps = {
  shown: number
  found: number
  total: CallsAnswer['data']
  view: UserView
  change: ChangeUserView
}

function CallsFoot({ shown, found, total, view, change }: FootProps) {
  const { formatCount, formatCounted } = useFormats()
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-ink-3">
      {formatCount(shown)} of {formatCounted(total.symbols_total, 'symbol')},{' '}
      {formatCounted(total.calls_total, 'call')} in all
      {found > ROWS_FIRST && (
        <Button
          onClick={() => change({ rows: view.rows === 'all' ? null : 'all' })}
          size="small"
          variant="quiet"
        >
          {view.rows === 'all' ? 'Show fewer' : `Show all ${formatCount(found)} in this range`}
        </Button>
      )}
    </p>
  )
}
