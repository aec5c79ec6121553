'use client'

import { useQuery } from '@tanstack/react-query'
import { FailureNotice } from '#components/answer/failure-notice.tsx'
import { RatingChange } from '#components/rating/rating-change.tsx'
import { ZonedLink } from '#components/time/zoned-link.tsx'
import { Skeleton } from '#components/ui/skeleton.tsx'
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
      {data === undefined && error === null && <Skeleton height={130} />}
      {data === undefined && error !== null && (
        <FailureNotice error={error} onRetry={() => void refetch()} what="The latest changes" />
      )}
      {data?.data.length === 0 && <p className="text-ink-3">No upgrade or downgrade yet.</p>}
      <ul className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-4">
        {data?.data.map((row) => (
          <ChangeLine key={row.id} asof={asof} row={row} />
        ))}
      </ul>
    </section>
  )
}

function ChangeLine({ row, asof }: { row: RatingRow; asof: number | null }) {
  return (
    <li className="col-span-2 grid h-6.5 grid-cols-subgrid items-center">
      <ZonedLink className="text-ink-3 hover:underline" href={`/users/${row.user_id}`}>
        #{row.user_id}
      </ZonedLink>
      <ZonedLink
        className="min-w-0 rounded-sm hover:bg-sunk"
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
