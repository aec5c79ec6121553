import type { ReactNode } from 'react'
import { AsOfLink, SymbolLink } from '#components/address/as-of.tsx'
import { toHappenedHref } from '#components/address/changes-address.ts'
import { toUserHref } from '#components/address/page-address.ts'
import { toRatingHref } from '#components/address/rating-address.ts'
import { formatCount, formatCounted } from '#components/format/numbers.ts'
import { RatingChange } from '#components/marks/rating-marks.tsx'
import { Instant } from '#components/time/instant.tsx'
import { RuleNote } from '#components/ui/help-popover.tsx'
import { Panel } from '#components/ui/panels.tsx'
import { Cell, HeaderCell, Table, TableFrame, TableHead } from '#components/ui/table.tsx'
import type { Changes } from '#lib/contract/answers/changes.ts'
import { moveLabel } from '#lib/contract/moves.ts'

type OfChanges = { changes: Changes }

type ListProps = {
  title: string
  note?: ReactNode
  empty: string
  columns: ReactNode
  cards?: boolean
  children: ReactNode[]
}

function ReportTable({ title, note, empty, columns, cards, children }: ListProps) {
  return (
    <Panel action={note && <RuleNote about={title.toLowerCase()}>{note}</RuleNote>} title={title}>
      {children.length === 0 ? (
        <p className="text-ink-3">{empty}</p>
      ) : (
        <TableFrame aria-label={title}>
          <Table aria-label={title} cards={cards}>
            <TableHead>{columns}</TableHead>
            <tbody>{children}</tbody>
          </Table>
        </TableFrame>
      )}
    </Panel>
  )
}

const SymbolCell = ({ symbol }: { symbol: string }) => (
  <th scope="row">
    <SymbolLink className="link font-semibold" symbol={symbol} />
  </th>
)

export function MindsTable({ changes }: OfChanges) {
  return (
    <ReportTable
      cards
      columns={
        <>
          <HeaderCell>Symbol</HeaderCell>
          <HeaderCell>User</HeaderCell>
          <HeaderCell>Rating</HeaderCell>
          <HeaderCell>Posted</HeaderCell>
        </>
      }
      empty="No user replaced a rating with a higher or lower one."
      note="Ratings that replaced the same user’s active rating of the symbol, largest difference first."
      title="Who changed their minds"
    >
      {changes.minds.map(({ id, user_id, symbol, before, rating, created_at }) => (
        <tr key={id}>
          <SymbolCell symbol={symbol} />
          <Cell label="user">
            <AsOfLink className="link" href={toUserHref(user_id)}>
              {user_id}
            </AsOfLink>
          </Cell>
          <Cell card="end">
            <AsOfLink href={toRatingHref(id)}>
              <RatingChange code={rating} previousCode={before} />
            </AsOfLink>
          </Cell>
          <Cell card="foot">
            <Instant seconds={created_at} />
          </Cell>
        </tr>
      ))}
    </ReportTable>
  )
}

export function EventsTable({ changes }: OfChanges) {
  return (
    <ReportTable
      columns={
        <>
          <HeaderCell>Events</HeaderCell>
          <HeaderCell numeric>Ratings</HeaderCell>
          <HeaderCell numeric>Symbols</HeaderCell>
        </>
      }
      empty="No rating began or ended."
      note={`Each rating that became active or ended, by what happened rather than by its own action. A replacement counts once. ${formatCounted(changes.active_from, 'rating')} active at the start, ${formatCount(changes.active_to)} at the end.`}
      title="What happened to ratings"
    >
      {changes.events.map(({ kind, events, symbols }) => (
        <tr key={kind}>
          <th scope="row" className="font-normal">
            {moveLabel(kind)}
          </th>
          <Cell numeric>
            <AsOfLink className="link" href={toHappenedHref(changes, kind)}>
              {formatCount(events)}
              <span className="sr-only"> ratings: {moveLabel(kind)}</span>
            </AsOfLink>
          </Cell>
          <Cell numeric>{formatCount(symbols)}</Cell>
        </tr>
      ))}
    </ReportTable>
  )
}

export function EndedList({ changes }: OfChanges) {
  return (
    <ReportTable
      columns={
        <>
          <HeaderCell>Symbol</HeaderCell>
          <HeaderCell numeric>Ended</HeaderCell>
          <HeaderCell numeric>Active after</HeaderCell>
        </>
      }
      empty="No rating ended."
      note="Ratings that expired or are no longer listed and were not replaced by the same user."
      title="What ended"
    >
      {changes.lapsed.map(({ symbol, events, active }) => (
        <tr key={symbol}>
          <SymbolCell symbol={symbol} />
          <Cell numeric>{formatCount(events)}</Cell>
          <Cell numeric>{formatCount(active)}</Cell>
        </tr>
      ))}
    </ReportTable>
  )
}
