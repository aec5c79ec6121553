'use client'

import { useQuery } from '@tanstack/react-query'
import { AsOfProvider } from '#components/address/as-of.tsx'
import { toUserHref } from '#components/address/page-address.ts'
import { type UserView, userPageQuery } from '#components/address/user-address.ts'
import { EMBED_LIVE_MS, EmbedFrame, EmbedRule, EmbedText } from '#components/embed/embed-frame.tsx'
import { FailureNotice } from '#components/feedback/failure-notice.tsx'
import { formatUtc } from '#components/format/instants.ts'
import { formatCount, formatCounted } from '#components/format/numbers.ts'
import { Skeleton } from '#components/ui/loading.tsx'
import { recordOptions, userOptions, userRatingsOptions } from '#lib/client/user-options.ts'
import type { Issue } from '#lib/contract/faults.ts'
import { toParams } from '#lib/contract/query-schema.ts'
import { ACTIVITY_RULE, toWeeks } from './activity.ts'
import { ActivityArea } from './activity-calendar.tsx'
import { RATINGS_PX, RATINGS_RULE } from './ratings.ts'
import { RatingsArea } from './ratings-area.tsx'

type EmbeddedUserProps = {
  userId: number
  chart: 'ratings' | 'activity'
  view: UserView
  ignored: readonly Issue[]
  /** Seconds since 1970, by the server's clock. */
  first: number
  now: number
}

export function EmbeddedUser({ first, now, ...props }: EmbeddedUserProps) {
  const { userId, chart, view, ignored } = props
  const { asof } = view
  const isTooEarly = asof !== null && asof < first
  const { data } = useQuery({
    ...userOptions(userId, asof),
    enabled: !isTooEarly,
    refetchInterval: asof === null && EMBED_LIVE_MS,
  })
  const isToCome = asof !== null && asof > now
  const Chart = chart === 'activity' ? EmbeddedActivity : EmbeddedRatings
  return (
    <AsOfProvider asof={asof}>
      <EmbedFrame
        href={toUserHref(userId, toParams(userPageQuery, view))}
        ignored={ignored}
        title={`User ${userId}`}
        figures={
          data && (
            <>
              <b>{formatCounted(data.data.ratings, 'rating')}</b> of{' '}
              {formatCounted(data.data.symbols, 'symbol')}, {formatCount(data.data.active)} active,
              as of {formatUtc(data.meta.as_of)}
              {isToCome ? ', if nothing is renewed' : asof !== null && ', frozen'}
            </>
          )
        }
      >
        {isTooEarly ? (
          <EmbedText title={`User ${userId} had not rated by ${formatUtc(asof)}`}>
            The first rating came at {formatUtc(first)}.
          </EmbedText>
        ) : (
          <Chart userId={userId} view={view} />
        )}
      </EmbedFrame>
    </AsOfProvider>
  )
}

type EmbeddedChartProps = { userId: number; view: UserView }

function EmbeddedRatings({ userId, view }: EmbeddedChartProps) {
  const { data, error, refetch } = useQuery({
    ...userRatingsOptions(userId, view.asof),
    refetchInterval: view.asof === null && EMBED_LIVE_MS,
  })
  const name = `Ratings over time, user ${userId}`
  if (data === undefined && error !== null) {
    return <FailureNotice error={error} onRetry={() => void refetch()} what="The ratings" />
  }
  if (data === undefined) return <Skeleton className="rounded-lg" height={RATINGS_PX} />
  return (
    <figure aria-label={name} className="flex min-w-0 flex-col gap-2">
      <RatingsArea answer={data} name={name} userId={userId} view={view} />
      <EmbedRule rule={RATINGS_RULE} />
    </figure>
  )
}

const MAP_PX = 140

function EmbeddedActivity({ userId, view }: EmbeddedChartProps) {
  const { data, error, refetch } = useQuery({
    ...recordOptions(userId, view.asof),
    refetchInterval: view.asof === null && EMBED_LIVE_MS,
  })
  const name = `Activity by day, user ${userId}`
  if (data === undefined && error !== null) {
    return <FailureNotice error={error} onRetry={() => void refetch()} what="The activity" />
  }
  if (data === undefined) return <Skeleton className="rounded-lg" height={MAP_PX} />
  const weeks = toWeeks(data.data.activity, data.meta.as_of)
  return (
    <figure aria-label={name} className="flex min-w-0 flex-col gap-2">
      <ActivityArea isTable={view.activity === 'table'} name={name} weeks={weeks} />
      <EmbedRule rule={ACTIVITY_RULE} />
    </figure>
  )
}
