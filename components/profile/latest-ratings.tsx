'use client'

import { useQuery } from '@tanstack/react-query'
import { FailureNotice } from '#components/answer/failure-notice.tsx'
import { ActionMark } from '#components/rating/action-mark.tsx'
import { PredictionChange } from '#components/rating/prediction-change.tsx'
import { RatingChange } from '#components/rating/rating-change.tsx'
import { Instant } from '#components/time/instant.tsx'
import { useZone } from '#components/time/zone.tsx'
import { toZoneName } from '#components/time/zone-name.ts'
import { ZonedLink } from '#components/time/zoned-link.tsx'
import { Skeleton } from '#components/ui/skeleton.tsx'
import { Cell, HeaderCell, Row, Table, TableFrame, TableHead } from '#components/ui/table.tsx'
import { ratingsOptions } from '#lib/client/query-options.ts'
import type { RatingRow } from '#lib/contract/answers/ratings.ts'
import type { RatingsQuery } from '#lib/contract/ratings-query.ts'
import { LATEST, toLatestQuery } from './latest-query.ts'
import { StateMark } from './state-mark.tsx'

const TABLE_PX = 33 + LATEST * 26

type LatestRatingsProps = {
  title: string
  query: RatingsQuery
  /** The column that tells the ratings apart: on a symbol's page who, on a user's page what. */
  subject: { label: string; href: (row: RatingRow) => string; text: (row: RatingRow) => string }
}

/** The newest ratings of a symbol or a user, as changes. */
export function LatestRatings({ title, query, subject }: LatestRatingsProps) {
  const { data, error, refetch } = useQuery(ratingsOptions(toLatestQuery(query)))
  const zone = useZone()
  if (error !== null && data === undefined) {
    return <FailureNotice error={error} onRetry={() => void refetch()} what="The latest ratings" />
  }
  if (data === undefined) return <Skeleton className="rounded-lg" height={TABLE_PX} />
  return (
    <TableFrame aria-label={`${title}, scrollable`}>
      <Table aria-label={title}>
        <TableHead>
          <HeaderCell>Created, {toZoneName(zone)}</HeaderCell>
          <HeaderCell>{subject.label}</HeaderCell>
          <HeaderCell>Action</HeaderCell>
          <HeaderCell>Rating</HeaderCell>
          <HeaderCell numeric>Prediction</HeaderCell>
          <HeaderCell>State</HeaderCell>
        </TableHead>
        <tbody>
          {data.data.map((row) => (
            <LatestRow key={row.id} row={row} subject={subject} />
          ))}
        </tbody>
      </Table>
    </TableFrame>
  )
}

function LatestRow({ row, subject }: Pick<LatestRatingsProps, 'subject'> & { row: RatingRow }) {
  return (
    <Row compact>
      <Cell muted>
        <Instant seconds={row.created_at} />
      </Cell>
      <Cell>
        <ZonedLink className="font-medium hover:underline" href={subject.href(row)}>
          {subject.text(row)}
        </ZonedLink>
      </Cell>
      <Cell>
        <ActionMark code={row.action} label={row.action_label} />
      </Cell>
      <Cell>
        <RatingChange
          code={row.rating}
          label={row.rating_label}
          previousCode={row.previous_rating}
          className="w-max"
        />
      </Cell>
      <Cell numeric>
        <PredictionChange
          className="ml-auto w-max"
          prediction={row.prediction}
          previous={row.previous_prediction}
        />
      </Cell>
      <Cell>
        <StateMark state={row.state} />
      </Cell>
    </Row>
  )
}
