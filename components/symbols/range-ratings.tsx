'use client'

import { useQuery } from '@tanstack/react-query'
import { useZonedHref } from '#components/address/outlook.tsx'
import { useFormats } from '#components/format/use-formats.tsx'
import { toLatestQuery } from '#components/league/league-query.ts'
import { LatestRatings } from '#components/league/profile-panels.tsx'
import { ZoneControl } from '#components/time/zone-select.tsx'
import { ButtonLink } from '#components/ui/button.tsx'
import { Panel } from '#components/ui/panels.tsx'
import { ratingsOptions } from '#lib/client/query-options.ts'
import type { RatingRow } from '#lib/contract/answers/ratings.ts'
import { ratingsInRange, type ShownRange } from './range-query.ts'
import { toRangeText } from './series-controls.tsx'
import { toSymbolRatingsHref } from './symbol-address.ts'

const BY_USER = {
  label: 'User',
  href: (row: RatingRow) => `/users/${row.user_id}`,
  text: (row: RatingRow) => `#${row.user_id}`,
}

/** The newest ratings in the chart's range, how many there are, and the way to all of them. */
export function RangeRatings({ symbol, view }: { symbol: string; view: ShownRange }) {
  const { formatCounted } = useFormats()
  const toCountText = (n: number) =>
    n === 1 ? 'The one rating' : `All ${formatCounted(n, 'rating')}`
  const zoned = useZonedHref()
  const { from, to, asof } = view
  const query = ratingsInRange(symbol, view)
  const total = useQuery(ratingsOptions(toLatestQuery(query))).data?.page.total
  const isWhole = from === null && to === null
  const count = total === undefined ? 'All' : toCountText(total)
  return (
    <Panel
      action={
        <ButtonLink
          className="max-w-full"
          href={zoned(toSymbolRatingsHref(symbol, { from, to, asof }))}
        >
          <span className="truncate">
            {count} {isWhole ? `of ${symbol}` : 'in this range'}
          </span>
        </ButtonLink>
      }
      title={isWhole ? 'Latest ratings' : `Latest ratings, ${toRangeText(view)}`}
    >
      {total === 0 ? (
        <p className="py-6 text-center text-ink-3">No rating was posted in this range.</p>
      ) : (
        <LatestRatings query={query} subject={BY_USER} title={`Latest ratings of ${symbol}`} />
      )}
      <ZoneControl className="self-end" />
    </Panel>
  )
}
