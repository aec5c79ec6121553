'use client'

import { useFormats } from '#components/format/use-formats.tsx'
import { useZone } from '#components/time/zone.tsx'
import { Button } from '#components/ui/button.tsx'
import type { CallsAnswer } from '#lib/contract/answers/user-record.ts'
import { toCallsSummary } from './call-texts.ts'
import { CallsChart } from './calls-chart.tsx'
import { toLimitText } from './calls-facts.ts'
import { placeCalls } from './calls-layout.ts'
import { CallsLegend } from './calls-legend.tsx'
import { selectShown } from './calls-shown.ts'
import { ROWS_FIRST } from './calls-sizes.ts'
import { CallsTable } from './calls-table.tsx'
import type { ChangeUserView } from './use-user-view.ts'
import type { UserView } from './user-view.ts'

type CallsAreaProps = {
  answer: CallsAnswer
  view: UserView
  userId: number
  /** Of the chart, and of the table in its place. */
  name: string
  /** Left out where nothing can be changed and nothing leads on: in the frame of another page. */
  change?: ChangeUserView
}

/** A member's calls as a chart or as the table of the same calls, with what they are of. */
export function CallsArea({ answer, view, userId, name, change }: CallsAreaProps) {
  const formats = useFormats()
  const zone = useZone()
  const { extent, calls, found } = selectShown(answer, view)
  const rows = placeCalls(calls, extent, 1)
  if (rows.length === 0) {
    return (
      <p className="flex flex-wrap items-center gap-3 py-6 text-ink-3">
        No call was in force in this range.
        {change && (
          <Button onClick={() => change({ range: 'all' })} size="small">
            Show all {formats.formatCounted(answer.data.calls_total, 'call')}
          </Button>
        )}
      </p>
    )
  }
  const hasVanished = rows.some((row) => row.calls.some(({ how }) => how === 'vanished'))
  const leads = change !== undefined
  return (
    <div className="flex flex-col gap-2">
      <p className="sr-only">{toCallsSummary({ userId, rows, ...extent, zone }, formats)}</p>
      {view.view === 'table' ? (
        <CallsTable leads={leads} name={name} rows={rows} />
      ) : (
        <>
          <CallsChart calls={calls} extent={extent} leads={leads} name={name} />
          <CallsLegend hasVanished={hasVanished} />
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
  change: ChangeUserView | undefined
}

function CallsFoot({ shown, found, total, view, change }: FootProps) {
  const formats = useFormats()
  const { formatCount, formatCounted } = formats
  const isAll = view.rows === 'all'
  const limit = toLimitText(total, formats)
  const ofThese = limit === '' ? 'in this range' : 'listed in this range'
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-ink-3">
      <span>
        {formatCount(shown)} of {formatCounted(total.symbols_total, 'symbol')},{' '}
        {formatCounted(total.calls_total, 'call')} in all. {limit}
      </span>
      {change && found > ROWS_FIRST && (
        <Button onClick={() => change({ rows: isAll ? null : 'all' })} size="small" variant="quiet">
          {isAll ? 'Show fewer' : `Show all ${formatCount(found)} ${ofThese}`}
        </Button>
      )}
    </p>
  )
}
