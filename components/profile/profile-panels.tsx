'use client'

import { useQuery } from '@tanstack/react-query'
import { AsOfLink } from '#components/address/as-of.tsx'
import { FailureNotice } from '#components/feedback/failure-notice.tsx'
import { formatCount, formatCounted } from '#components/format/numbers.ts'
import {
  ActionMark,
  PredictionChange,
  RatingChange,
  StateMark,
} from '#components/marks/rating-marks.tsx'
import { Instant } from '#components/time/instant.tsx'
import { classNames } from '#components/ui/class-names.ts'
import { Skeleton } from '#components/ui/loading.tsx'
import { Cell, HeaderCell, Table, TableFrame, TableHead } from '#components/ui/table.tsx'
import { facetsOptions, ratingsOptions } from '#lib/client/query-options.ts'
import type { Facets, RatingRow } from '#lib/contract/answers/ratings.ts'
import { QUALITIES, type Quality } from '#lib/contract/quality.ts'
import { QUALITY_RULES } from '#lib/contract/quality-definitions.ts'
import { toParams } from '#lib/contract/query-schema.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import {
  EVERY_RATING,
  type RatingsQuery,
  ratingsQuery,
  toQueryText,
} from '#lib/contract/ratings-query.ts'
import { ANY, only } from '#lib/contract/value-list.ts'
import { toLatestQuery } from './latest-ratings.ts'

type LatestRatingsProps = {
  title: string
  query: RatingsQuery
  subject: { label: string; href: (row: RatingRow) => string; text: (row: RatingRow) => string }
}

export function LatestRatings({ title, query, subject }: LatestRatingsProps) {
  const { data, error, refetch } = useQuery(ratingsOptions(toLatestQuery(query)))
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

const ROW_PX = 26

type ContradictionsProps = {
  query: Subject
  /** Seconds since 1970; null is now. */
  asof: number | null
}

/** Fetched by the browser only. */
export function Contradictions({ query, asof }: ContradictionsProps) {
  const { data, error, refetch, isPlaceholderData } = useQuery(
    facetsOptions(toSubjectQuery(query, asof)),
  )
  // Labels partition all ratings.
  const n = data?.data.rating.reduce((sum, { count }) => sum + count, 0)
  return (
    <section
      aria-busy={(data === undefined && error === null) || isPlaceholderData}
      aria-label="Data quality"
      className={classNames('min-w-0', isPlaceholderData && 'opacity-60')}
    >
      <h3 className="pb-1.5 text-sm">
        Data quality{n !== undefined && `, of ${formatCounted(n, 'rating')}`}
      </h3>
      {data !== undefined && (
        <QualityFindings asof={asof} lenses={data.data.quality} query={query} />
      )}
      {data === undefined && error === null && <Skeleton height={QUALITIES.length * ROW_PX} />}
      {data === undefined && error !== null && (
        <FailureNotice error={error} onRetry={() => void refetch()} what="Data quality" />
      )}
    </section>
  )
}

function QualityFindings({
  lenses,
  query,
  asof,
}: ContradictionsProps & { lenses: Facets['quality'] }) {
  const found = lenses.filter(({ count }) => count > 0)
  if (found.length === 0) return <p className="text-ink-3">No contradiction was found.</p>
  return (
    <ul className="quality-counts">
      {found.map(({ value, label, count }) => (
        <li key={value} title={QUALITY_RULES[value]}>
          <AsOfLink href={toContradictionsHref(query, value, asof)}>
            {label} <span>{formatCount(count)}</span>
          </AsOfLink>
        </li>
      ))}
    </ul>
  )
}

type Subject = { symbol: string } | { user: number }

/** `asof`: seconds since 1970; null is now. */
export const toSubjectQuery = (subject: Subject, asof: number | null): RatingsQuery => ({
  ...EVERY_RATING,
  symbol: 'symbol' in subject ? only(toSymbolKey(subject.symbol)) : ANY,
  user: 'user' in subject ? only(subject.user) : ANY,
  asof,
})

export function toContradictionsHref(subject: Subject, lens: Quality, asof: number | null): string {
  const query = { ...toSubjectQuery(subject, asof), quality: only(lens) }
  return `/${toQueryText(toParams(ratingsQuery, query))}`
}
