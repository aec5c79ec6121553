'use client'

import { useQuery } from '@tanstack/react-query'
import { FailureNotice } from '#components/answer/failure-notice.tsx'
import { useFormats } from '#components/format/use-formats.tsx'
import { Panel } from '#components/profile/panel.tsx'
import { Skeleton } from '#components/ui/skeleton.tsx'
import { recordOptions } from '#lib/client/query-options.ts'
import type { User } from '#lib/contract/answers/users.ts'
import { ActivityFigure } from './activity-figure.tsx'
import { AgreementCard } from './agreement-card.tsx'
import { DistanceCard } from './distance-card.tsx'
import { LeadCard } from './lead-card.tsx'
import { PersistenceCard } from './persistence-card.tsx'
import type { ChangeUserView } from './use-user-view.ts'
import type { UserView } from './user-view.ts'

const RECORD_PX = 360

type RecordPanelProps = { user: User; view: UserView; change: ChangeUserView }

/** What can be judged of a member without prices, each with its n and its rule. */
export function RecordPanel({ user, view, change }: RecordPanelProps) {
  const { formatCount } = useFormats()
  const { data, error, refetch, isPlaceholderData } = useQuery(
    recordOptions(user.user_id, view.asof),
  )
  if (data === undefined) {
    return (
      <Panel title="Record, without prices">
        {error === null ? (
          <Skeleton className="rounded-lg" height={RECORD_PX} />
        ) : (
          <FailureNotice error={error} onRetry={() => void refetch()} what="The record" />
        )}
      </Panel>
    )
  }
  const record = data.data
  return (
    <Panel
      action={
        user.ratings > record.judged && (
          <p className="text-sm text-ink-3">
            Distance and lead: the latest {formatCount(record.judged)} of{' '}
            {formatCount(user.ratings)} ratings
          </p>
        )
      }
      title="Record, without prices"
    >
      <div
        aria-busy={isPlaceholderData}
        className={`grid min-w-0 gap-x-8 md:grid-cols-2 xl:grid-cols-4 ${isPlaceholderData ? 'opacity-60' : ''}`}
      >
        <DistanceCard record={record} />
        <LeadCard lead={record.lead} />
        <AgreementCard user={user} />
        <PersistenceCard persistence={record.persistence} />
      </div>
      <ActivityFigure answer={data} change={change} userId={user.user_id} view={view} />
    </Panel>
  )
}
