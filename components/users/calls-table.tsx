import { useFormats } from '#components/format/use-formats.tsx'
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

type CallsTableProps = { rows: readonly CallRow[]; name: string }

/** The same calls as a table, in the order of the rows. */
export function CallsTable({ rows, name }: CallsTableProps) {
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
            row.calls.map((placed) => <CallsRow key={placed.call.id} placed={placed} />),
          )}
        </tbody>
      </Table>
    </TableFrame>
  )
}

function CallsRow({ placed: { call, symbol } }: { placed: PlacedCall }) {
  const { formatPrediction } = useFormats()
  const outlook = useOutlook()
  return (
    <Row compact>
      <th className="pr-2.5 pl-4 text-left font-normal whitespace-nowrap" scope="row">
        <ZonedLink className="font-medium hover:underline" href={toRatingHref(call.id, outlook)}>
          {symbol}
        </ZonedLink>
      </th>
      <Cell>
        <ActionMark code={call.action} label={call.action_label} />
      </Cell>
      <Cell>
        <RatingMark code={call.rating} label={call.rating_label} />
      </Cell>
      <Cell numeric>{formatPrediction(call.prediction)}</Cell>
      <Cell muted numeric>
        <Instant seconds={call.created_at} />
      </Cell>
      <Cell muted numeric>
        {call.until === null ? 'no expiry' : <Instant seconds={call.until} />}
      </Cell>
      <Cell muted>{toEndWord(call)}</Cell>
    </Row>
  )
}
