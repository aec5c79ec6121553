'use client'

import { useQuery } from '@tanstack/react-query'
import { useZone, ZonedLink } from '#components/address/outlook.tsx'
import { FailureNotice } from '#components/feedback/failure-notice.tsx'
import { toZonedDay } from '#components/format/instants.ts'
import { RatingChange } from '#components/marks/rating-marks.tsx'
import { InstantButton } from '#components/time/instant.tsx'
import { Skeleton } from '#components/ui/loading.tsx'
import { ratingsOptions } from '#lib/client/query-options.ts'
import type { RatingRow } from '#lib/contract/answers/ratings.ts'
import { toChangesQuery } from './changes-query.ts'
import { toRatingHref } from './symbol-address.ts'

type LatestChangesProps = { symbol: string; asof: number | null }

/** The last few who changed their mind on a symbol, as their service labelled it: upgraded or downgraded. */
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
      <ul className="divide-y">
        {data?.data.map((row) => (
          <ChangeLine key={row.id} asof={asof} row={row} />
        ))}
      </ul>
    </section>
  )
}

function ChangeLine({ row, asof }: { row: RatingRow; asof: number | null }) {
  const zone = useZone()
  return (
    <li className="py-0.5">
      <p className="flex items-center justify-between text-sm text-ink-3">
        <ZonedLink
          className="inline-flex min-h-6 items-center hover:underline"
          href={`/users/${row.user_id}`}
        >
          #{row.user_id}
        </ZonedLink>
        <InstantButton className="min-h-6" seconds={row.created_at}>
          {toZonedDay(row.created_at, zone)}
        </InstantButton>
      </p>
      <ZonedLink
        className="flex min-h-6 min-w-0 items-center rounded-sm hover:bg-sunk"
        href={toRatingHref(row.id, asof)}
        prefetch={false}
      >
        <RatingChange
          code={row.rating}
          label={row.rating_label}
          previousCode={row.previous_rating}
        />
      </ZonedLink>
    </li>
  )
}
