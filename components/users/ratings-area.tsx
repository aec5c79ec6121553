'use client'

import { useMemo } from 'react'
import { formatCount, formatCounted, formatPrediction } from '#components/format/numbers.ts'
import { ActionMark, RatingMark } from '#components/marks/rating-marks.tsx'
import { AsOfLink, useAsOf } from '#components/time/as-of.tsx'
import { Instant } from '#components/time/instant.tsx'
import { Button } from '#components/ui/button.tsx'
import { Cell, HeaderCell, Table, TableFrame, TableHead } from '#components/ui/table.tsx'
import { useZone } from '#components/ui/time-zone.ts'
import type { UserRatingsAnswer } from '#lib/contract/answers/users.ts'
import { toRatingHref } from '#lib/contract/page-addresses.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'
import {
  type PlacedRating,
  type PlacedRow,
  placeRatings,
  ROWS_FIRST,
  selectShown,
  toEndWord,
  toLimitText,
  toRatingsSummary,
} from './ratings.ts'
import { RatingsChart, RatingsLegend } from './ratings-chart.tsx'
import type { ChangeUserView, UserView } from './user-view.ts'

type RatingsAreaProps = {
  answer: UserRatingsAnswer
  view: UserView
  userId: number
  name: string
  change: ChangeUserView
}

export function RatingsArea({ answer, view, userId, name, change }: RatingsAreaProps) {
  const zone = useZone()
  const { extent, ratings, found } = useMemo(() => selectShown(answer, view), [answer, view])
  const rows = placeRatings(ratings, extent, 1)
  if (rows.length === 0) {
    return (
      <p className="flex flex-wrap items-center gap-3 py-6 text-ink-3">
        No rating was active in this range.
        <Button onClick={() => change({ range: 'all' })} size="small">
          Show all {formatCounted(answer.data.calls_total, 'rating')}
        </Button>
      </p>
    )
  }
  const hasVanished = rows.some((row) => row.ratings.some(({ how }) => how === 'vanished'))
  return (
    <div className="flex flex-col gap-2">
      <p className="sr-only">{toRatingsSummary({ userId, rows, ...extent, zone })}</p>
      {view.view === 'table' ? (
        <RatingsTable name={name} rows={rows} />
      ) : (
        <>
          <RatingsChart ratings={ratings} extent={extent} name={name} />
          <RatingsLegend hasVanished={hasVanished} />
        </>
      )}
      <RatingsFoot
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
  total: UserRatingsAnswer['data']
  view: UserView
  change: ChangeUserView
}

function RatingsFoot({ shown, found, total, view, change }: FootProps) {
  const isAll = view.rows === 'all'
  const limit = toLimitText(total)
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-ink-3">
      <span>
        {formatCount(shown)} of {formatCounted(total.symbols_total, 'symbol')},{' '}
        {formatCounted(total.calls_total, 'rating')} in all. {limit}
      </span>
      {found > ROWS_FIRST && (
        <Button onClick={() => change({ rows: isAll ? null : 'all' })} size="small" variant="quiet">
          {isAll ? 'Show fewer' : `Show all ${formatCount(found)} in this range`}
        </Button>
      )}
    </p>
  )
}

type RatingsTableProps = {
  rows: readonly PlacedRow[]
  name: string
}

function RatingsTable({ rows, name }: RatingsTableProps) {
  return (
    <TableFrame aria-label={name} className="max-h-[32rem] overflow-y-auto">
      <Table compact aria-label={name}>
        <TableHead className="sticky top-0 bg-surface">
          <HeaderCell>Symbol</HeaderCell>
          <HeaderCell>Action</HeaderCell>
          <HeaderCell>Rating</HeaderCell>
          <HeaderCell numeric>Prediction</HeaderCell>
          <HeaderCell numeric>From</HeaderCell>
          <HeaderCell numeric>Until</HeaderCell>
          <HeaderCell>Ended</HeaderCell>
        </TableHead>
        <tbody>
          {rows.flatMap((row) =>
            row.ratings.map((placed) => <RatingsRow key={placed.rating.id} placed={placed} />),
          )}
        </tbody>
      </Table>
    </TableFrame>
  )
}

function RatingsRow({ placed: { rating, symbol } }: { placed: PlacedRating }) {
  const asof = useAsOf()
  return (
    <tr>
      <th className="pr-2.5 pl-4 text-left font-normal whitespace-nowrap" scope="row">
        <AsOfLink className="font-medium hover:underline" href={toRatingHref(rating.id, asof)}>
          {toVisibleText(symbol)}
        </AsOfLink>
      </th>
      <Cell>
        <ActionMark code={rating.action} label={rating.action_label} />
      </Cell>
      <Cell>
        <RatingMark code={rating.rating} label={rating.rating_label} />
      </Cell>
      <Cell numeric>{formatPrediction(rating.prediction)}</Cell>
      <Cell muted numeric>
        <Instant seconds={rating.created_at} />
      </Cell>
      <Cell muted numeric>
        {rating.until === null ? 'no expiry' : <Instant seconds={rating.until} />}
      </Cell>
      <Cell muted>{toEndWord(rating)}</Cell>
    </tr>
  )
}
