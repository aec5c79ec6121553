import { useFormats } from '#components/format/use-formats.tsx'
import { toZonedText } from '#components/format/zoned.ts'
import { ActionMark } from '#components/rating/action-mark.tsx'
import { RatingMark } from '#components/rating/rating-mark.tsx'
import { toRatingHref } from '#components/sheet/rating-address.ts'
import { Instant } from '#components/time/instant.tsx'
import { useOutlook } from '#components/time/zone.tsx'
import { toZoneName } from '#components/time/zone-name.ts'
import { ZonedLink } from '#components/time/zoned-link.tsx'
import { Cell, HeaderCell, Row, Table, TableFrame, TableHead } from '#components/ui/table.tsx'
import { toEndWord } from './call-texts.ts'
import type { CallRow, PlacedCall } from './calls-layout.ts'

type CallsTableProps = {
  rows: readonly CallRow[]
  name: string
  /** Whether the calls lead to their ratings. */
  leads: boolean
}

/** The same calls as a table, in the order of the rows. */
export function CallsTable({ rows, name, leads }: CallsTableProps) {
  const { tz } = useOutlook()
  return (
    <TableFrame aria-label={`${name}, scrollable`} className="max-h-[32rem] overflow-y-auto">
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
