import { useFormats } from '#components/format/use-formats.tsx'
import { StateMark } from '#components/profile/state-mark.tsx'
import { RatingMark } from '#components/rating/rating-mark.tsx'
import { toSymbolHref } from '#components/symbols/symbol-address.ts'
import { Instant } from '#components/time/instant.tsx'
import { useZone } from '#components/time/zone.tsx'
import { toZoneName } from '#components/time/zone-name.ts'
import { ZonedLink } from '#components/time/zoned-link.tsx'
import { Cell, HeaderCell, Row, Table, TableFrame, TableHead } from '#components/ui/table.tsx'
import type { User, UserSymbol } from '#lib/contract/answers/users.ts'
import { toUserRatingsHref } from './user-address.ts'

const NAME = 'Latest rating by symbol'

/** The heading and whole rows: one that is cut looks like a fault. */
const TABLE_PX = 33 + 18 * 26

/** Where a user stands on each symbol, the most recently rated first. */
export function UserSymbols({ user }: { user: User }) {
  const { by_symbol: rows, symbols } = user
  const { formatCount } = useFormats()
  const zone = useZone()
  return (
    <>
      <TableFrame
        aria-label={`${NAME}, scrollable`}
        className="overflow-y-auto"
        style={{ maxHeight: TABLE_PX + 2 }}
      >
        <Table aria-label={NAME}>
          <TableHead className="sticky top-0 bg-surface">
            <HeaderCell>Symbol</HeaderCell>
            <HeaderCell numeric>Ratings</HeaderCell>
            <HeaderCell>Latest rating</HeaderCell>
            <HeaderCell numeric>Prediction</HeaderCell>
            <HeaderCell>State</HeaderCell>
            <HeaderCell numeric>Last rated, {toZoneName(zone)}</HeaderCell>
          </TableHead>
          <tbody>
            {rows.map((row) => (
              <UserSymbolRow key={row.symbol} row={row} userId={user.user_id} />
            ))}
          </tbody>
        </Table>
      </TableFrame>
      {symbols > rows.length && (
        <p className="flex flex-wrap gap-x-3 text-sm text-ink-3">
          The {formatCount(rows.length)} most recently rated of {formatCount(symbols)} symbols.
          <ZonedLink
            className="link"
            href={toUserRatingsHref(user.user_id, { sortedBy: 'symbol' })}
          >
            All {formatCount(symbols)} symbols, rating by rating
          </ZonedLink>
        </p>
      )}
    </>
  )
}

function UserSymbolRow({ row, userId }: { row: UserSymbol; userId: number }) {
  const { formatCount, formatPrediction } = useFormats()
  return (
    <Row compact>
      <th className="pr-2.5 pl-4 text-left whitespace-nowrap" scope="row">
        <ZonedLink className="font-semibold hover:underline" href={toSymbolHref(row.symbol)}>
          {row.symbol}
        </ZonedLink>
      </th>
      <Cell numeric>
        <ZonedLink
          className="hover:underline"
          href={toUserRatingsHref(userId, { symbol: row.symbol })}
        >
          {formatCount(row.ratings)}
        </ZonedLink>
      </Cell>
      <Cell>
        <RatingMark code={row.rating} label={row.rating_label} />
      </Cell>
      <Cell numeric>{formatPrediction(row.prediction)}</Cell>
      <Cell>
        <StateMark state={row.state} />
      </Cell>
      <Cell muted numeric>
        <Instant seconds={row.last_created_at} />
      </Cell>
    </Row>
  )
}
