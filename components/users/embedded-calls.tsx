'use client'

import { useQuery } from '@tanstack/react-query'
import { FailureNotice } from '#components/answer/failure-notice.tsx'
import { EmbedRule } from '#components/embed/embed-rule.tsx'
import { EMBED_LIVE_MS } from '#components/embed/embed-rules.ts'
import { Skeleton } from '#components/ui/skeleton.tsx'
import { callsOptions } from '#lib/client/query-options.ts'
import { CallsArea } from './calls-area.tsx'
import { CALLS_RULE } from './calls-facts.ts'
import { CALLS_PX } from './calls-sizes.ts'
import type { UserView } from './user-view.ts'

type EmbeddedChartProps = { userId: number; view: UserView }

/** A member's calls in the frame of another page. */
export function EmbeddedCalls({ userId, view }: EmbeddedChartProps) {
  const { data, error, refetch } = useQuery({
    ...callsOptions(userId, view.asof),
    refetchInterval: view.asof === null && EMBED_LIVE_MS,
  })
  const name = `Calls over time, user ${userId}`
  if (data === undefined && error !== null) {
    return <FailureNotice error={error} onRetry={() => void refetch()} what="The calls" />
  }
  if (data === undefined) return <Skeleton className="rounded-lg" height={CALLS_PX} />
  return (
    <figure aria-label={name} className="flex min-w-0 flex-col gap-2">
      <CallsArea answer={data} name={name} userId={userId} view={view} />
      <EmbedRule rule={CALLS_RULE} />
    </figure>
  )
}
