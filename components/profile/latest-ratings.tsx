'use client'

import { useQuery } from '@tanstack/react-query'
import { FailureNotice } from '#components/feedback/failure-notice.tsx'
import {
  ActionMark,
  PredictionChange,
  RatingChange,
  StateMark,
} from '#components/marks/rating-marks.tsx'
import { AsOfLink } from '#components/time/as-of.tsx'
import { Instant } from '#components/time/instant.tsx'
import { Skeleton } from '#components/ui/loading.tsx'
import { Cell, HeaderCell, Table, TableFrame, TableHead } from '#components/ui/table.tsx'
import { latestRatingsOptions } from '#lib/client/query-options.ts'
import type { RatingRow } from '#lib/contract/answers/ratings.ts'
import type { RatingsQuery } from '#lib/contract/ratings-query.ts'

type LatestRatingsProps = {
  title: string
  query: RatingsQuery
  subject: { label: string; href: (row: RatingRow) => string; text: (row: RatingRow) => string }
}

export function LatestRatings({ title, query, subject }: LatestRatingsProps) {
  const { data, error, refetch } = useQuery(latestRatingsOptions(query))
  if (error !== null && data === undefined) {
    return <FailureNotice error={error} onRetry={() => void refetch()} what="The latest ratings" />
  }
  if (data === undefined)
    return <Skeleton className="min-h-[293px] rounded-lg max-sm:min-h-[559px]" />
  return (
    <TableFrame aria-label={title}>
      <Table cards compact aria-label={title}>
        <TableHead>
          <HeaderCell>Posted</HeaderCell>
          <HeaderCell>{subject.label}</HeaderCell>
          <HeaderCell>Action</HeaderCell>
          <HeaderCell>Rating</HeaderCell>
          <HeaderCell numeric>Prediction</HeaderCell>
          <HeaderCell>State</HeaderCell>
        </TableHead>
        <tbody id="rows" tabIndex={-1}>
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
    <tr>
      <Cell muted card="foot">
        <Instant seconds={row.created_at} />
      </Cell>
      <th scope="row">
        <AsOfLink href={subject.href(row)}>{subject.text(row)}</AsOfLink>
      </th>
      <Cell>
        <ActionMark code={row.action} label={row.action_label} />
      </Cell>
      <Cell card="end">
        <RatingChange
          code={row.rating}
          label={row.rating_label}
          previousCode={row.previous_rating}
        />
      </Cell>
      <Cell numeric label="">
        <PredictionChange prediction={row.prediction} previous={row.previous_prediction} />
      </Cell>
      <Cell>
        <StateMark row={row} />
      </Cell>
    </tr>
  )
}
