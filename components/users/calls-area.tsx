'use client'

import { useOutlook, useZone, ZonedLink } from '#components/address/outlook.tsx'
import { toRatingHref } from '#components/address/rating-address.ts'
import type { UserView } from '#components/address/user-address.ts'
import { toZonedText, toZoneName } from '#components/format/instants.ts'
import { useFormats } from '#components/format/use-formats.tsx'
import { ActionMark, RatingMark } from '#components/marks/rating-marks.tsx'
import { Instant } from '#components/time/instant.tsx'
import { Button } from '#components/ui/button.tsx'
import { Cell, HeaderCell, Row, Table, TableFrame, TableHead } from '#components/ui/table.tsx'
import type { CallsAnswer } from '#lib/contract/answers/user-record.ts'
import {
  type CallRow,
  type PlacedCall,
  placeCalls,
  ROWS_FIRST,
  selectShown,
  toCallsSummary,
  toEndWord,
  toLimitText,
} from './calls.ts'
import { CallsChart, CallsLegend } from './calls-chart.tsx'
import type { ChangeUserView } from './use-user-view.ts'

type CallsAreaProps = {
  answer: CallsAnswer
  view: UserView
  userId: number
  /** Of the chart, and of the table in its place. */
  name: string
  /** Left out where nothing can be changed and nothing leads on: in the frame of another page. */
  change?: ChangeUserView
}

/** A user's calls as a chart or as the table of the same calls, with what they are of. */
export function CallsArea({ answer, view, userId, name, change }: CallsAreaProps) {
  const formats = useFormats()
  const zone = useZone()
  const { extent, calls, found } = selectShown(answer, view)
  const rows = placeCalls(calls, extent, 1)
  if (rows.length === 0) {
    return (
      <p className="flex flex-wrap items-center gap-3 py-6 text-ink-3">
        No rating was active in this range.
        {change && (
          <Button onClick={() => change({ range: 'all' })} size="small">
            Show all {formats.formatCounted(answer.data.calls_total, 'rating')}
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
        {formatCounted(total.calls_total, 'rating')} in all. {limit}
      </span>
      {change && found > ROWS_FIRST && (
        <Button onClick={() => change({ rows: isAll ? null : 'all' })} size="small" variant="quiet">
          {isAll ? 'Show fewer' : `Show all ${formatCount(found)} ${ofThese}`}
        </Button>
      )}
    </p>
  )
}

type CallsTableProps = {
  rows: readonly CallRow[]
  name: string
  /** Whether the calls lead to their ratings. */
  leads: boolean
}

/** The same calls as a table, in the order of the rows. */
function CallsTable({ rows, name, leads }: CallsTableProps) {
  const { tz } = useOutlook()
  return (
    <TableFrame aria-label={name} className="max-h-[32rem] overflow-y-auto">
      <Table aria-label={name}>
        <TableHead className="sticky top-0 bg-surface">
          <HeaderCell>Symbol</HeaderCell>
          <HeaderCell>Action</HeaderCell>
          <HeaderCell>Rating</HeaderCell>
          <HeaderCell numeric>Prediction</HeaderCell>
          <HeaderCell numeric>From, {toZoneName(tz)}</HeaderCell>
          <HeaderCell numeric>Until, {toZoneName(tz)}</HeaderCell>
          <HeaderCell>Ended</HeaderCell>
        </TableHead>
        <tbody>
          {rows.flatMap((row) =>
            row.calls.map((placed) => (
              <CallsRow key={placed.call.id} leads={leads} placed={placed} />
            )),
          )}
        </tbody>
      </Table>
    </TableFrame>
  )
}

type CallsRowProps = Pick<CallsTableProps, 'leads'> & { placed: PlacedCall }

function CallsRow({ placed: { call, symbol }, leads }: CallsRowProps) {
  const { formatPrediction } = useFormats()
  const outlook = useOutlook()
  // The card of a time has buttons: in the frame of another page a time is a text.
  const toTime = (seconds: number) =>
    leads ? <Instant seconds={seconds} /> : toZonedText(seconds, outlook.tz)
  return (
    <Row compact>
      <th className="pr-2.5 pl-4 text-left font-normal whitespace-nowrap" scope="row">
        {leads ? (
          <ZonedLink className="font-medium hover:underline" href={toRatingHref(call.id, outlook)}>
            {symbol}
          </ZonedLink>
        ) : (
          <span className="font-medium">{symbol}</span>
        )}
      </th>
      <Cell>
        <ActionMark code={call.action} label={call.action_label} />
      </Cell>
      <Cell>
        <RatingMark code={call.rating} label={call.rating_label} />
      </Cell>
      <Cell numeric>{formatPrediction(call.prediction)}</Cell>
      <Cell muted numeric>
        {toTime(call.created_at)}
      </Cell>
      <Cell muted numeric>
        {call.until === null ? 'no expiry' : toTime(call.until)}
      </Cell>
      <Cell muted>{toEndWord(call)}</Cell>
    </Row>
  )
}
