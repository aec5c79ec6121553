'use client'

import { useQuery } from '@tanstack/react-query'
import { FailureNotice } from '#components/answer/failure-notice.tsx'
import { EmbedRule } from '#components/embed/embed-rule.tsx'
import { EMBED_LIVE_MS } from '#components/embed/embed-rules.ts'
import { Skeleton } from '#components/ui/skeleton.tsx'
import { recordOptions } from '#lib/client/query-options.ts'
import { ActivityArea } from './activity-area.tsx'
import { ACTIVITY_RULE } from './activity-facts.ts'
import { toWeeks } from './activity-weeks.ts'
import type { UserView } from './user-view.ts'

type EmbeddedChartProps = { userId: number; view: UserView }

const MAP_PX = 140

/** A member's year of activity in the frame of another page. */
export function EmbeddedActivity({ userId, view }: EmbeddedChartProps) {
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
