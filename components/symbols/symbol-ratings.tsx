'use client'

import { useQuery } from '@tanstack/react-query'
import { FailureNotice } from '#components/feedback/failure-notice.tsx'
import { formatDate, toZonedDay } from '#components/format/instants.ts'
import { formatCounted } from '#components/format/numbers.ts'
import { RatingChange } from '#components/marks/rating-marks.tsx'
import { LatestRatings } from '#components/profile/latest-ratings.tsx'
import { AsOfLink, useAsOfHref } from '#components/time/as-of.tsx'
import { Instant } from '#components/time/instant.tsx'
import { ButtonLink } from '#components/ui/button.tsx'
import { Skeleton } from '#components/ui/loading.tsx'
import { Panel } from '#components/ui/panels.tsx'
import { useZone } from '#components/ui/time-zone.ts'
import { latestRatingsOptions, ratingsOptions } from '#lib/client/query-options.ts'
import type { RatingRow } from '#lib/contract/answers/ratings.ts'
import { toRatingHref, toSymbolRatingsHref, toUserHref } from '#lib/contract/page-addresses.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'
import { toRangeText } from './series/series-controls.tsx'
import { ratingsInRange, type ShownRange, toChangesQuery } from './series-view.ts'

const BY_USER = {
  label: 'User',
  href: (row: RatingRow) => toUserHref(row.user_id),
  text: (row: RatingRow) => `#${row.user_id}`,
}

export function RangeRatings({ symbol, view }: { symbol: string; view: ShownRange }) {
  const toCountText = (n: number) =>
    n === 1 ? 'The one rating' : `All ${formatCounted(n, 'rating')}`
  const withAsOf = useAsOfHref()
  const { from, to, asof } = view
  const query = ratingsInRange(symbol, view)
  const total = useQuery(latestRatingsOptions(query)).data?.page.total
  const isWhole = from === null && to === null
  const count = total === undefined ? 'All' : toCountText(total)
  return (
    <Panel
      action={
        <ButtonLink
          className="max-w-full"
          href={withAsOf(toSymbolRatingsHref(symbol, { from, to, asof }))}
        >
          <span className="truncate">
            {count} {isWhole ? `of ${toVisibleText(symbol)}` : 'in this range'}
          </span>
        </ButtonLink>
      }
      title={toLatestTitle(view)}
    >
      {total === 0 ? (
        <p className="py-6 text-center text-ink-3">No rating was posted in this range.</p>
      ) : (
        <LatestRatings
          query={query}
          subject={BY_USER}
          title={`Latest ratings of ${toVisibleText(symbol)}`}
        />
      )}
    </Panel>
  )
}

function toLatestTitle({ from, to, asof }: ShownRange): string {
  if (from === null && to === null) return 'Latest ratings'
  return from !== null && to === null
    ? `Latest ratings since ${formatDate(from)}`
    : `Latest ratings, ${toRangeText({ from, to, asof })}`
}

type LatestChangesProps = { symbol: string; asof: number | null }

export function LatestChanges({ symbol, asof }: LatestChangesProps) {
  const { data, error, refetch } = useQuery(ratingsOptions(toChangesQuery(symbol, asof)))
  const title = 'Latest changes'
  return (
    <section aria-label={title}>
      <h3 className="pb-1.5 text-sm">{title}</h3>
      {data === undefined && error === null && <Skeleton height={160} />}
      {data === undefined && error !== null && (
        <FailureNotice error={error} onRetry={() => void refetch()} what="The latest changes" />
      )}
      {data?.data.length === 0 && <p className="text-ink-3">No upgrade or downgrade yet.</p>}
      <ul>
        {data?.data.map((row) => (
          <ChangeLine key={row.id} row={row} />
        ))}
      </ul>
    </section>
  )
}

function ChangeLine({ row }: { row: RatingRow }) {
  const zone = useZone()
  return (
    <li className="border-t py-0.5 first:border-t-0">
      <p className="flex items-center justify-between text-sm text-ink-3">
        <AsOfLink
          className="inline-flex min-h-6 items-center hover:underline"
          href={toUserHref(row.user_id)}
        >
          #{row.user_id}
        </AsOfLink>
        <Instant seconds={row.created_at}>{toZonedDay(row.created_at, zone)}</Instant>
      </p>
      <AsOfLink
        className="flex min-h-6 min-w-0 items-center rounded-sm hover:bg-sunk"
        href={toRatingHref(row.id)}
      >
        <RatingChange
          code={row.rating}
          label={row.rating_label}
          previousCode={row.previous_rating}
        />
      </AsOfLink>
    </li>
  )
}
