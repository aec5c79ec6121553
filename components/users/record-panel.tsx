'use client'

import { useQuery } from '@tanstack/react-query'
import { useId, useMemo } from 'react'
import type { UserView } from '#components/address/user-address.ts'
import { SaveChart } from '#components/charts/save/save-chart.tsx'
import { FailureNotice } from '#components/feedback/failure-notice.tsx'
import { formatCount } from '#components/format/numbers.ts'
import { Button } from '#components/ui/button.tsx'
import { FoldedPanel } from '#components/ui/fold.tsx'
import { RuleNote } from '#components/ui/help-popover.tsx'
import { Skeleton } from '#components/ui/loading.tsx'
import { recordOptions } from '#lib/client/user-options.ts'
import type { RecordAnswer, User } from '#lib/contract/answers/users.ts'
import { ACTIVITY_RULE, toActivityFacts, toWeeks } from './activity.ts'
import { ActivityArea, ActivityTotal } from './activity-calendar.tsx'
import { ClosenessCard } from './closeness.tsx'
import {
  AgreementCard,
  BiasCard,
  DistanceCard,
  LeadCard,
  PersistenceCard,
} from './record-cards.tsx'
import type { ChangeUserView } from './use-user-view.ts'

const RECORD_PX = 360

type RecordPanelProps = { user: User; view: UserView; change: ChangeUserView }

export const RecordPanel = (props: RecordPanelProps) => (
  <FoldedPanel isOpen={props.view.activity !== null} title="Judged without prices">
    <UnpricedRecord {...props} />
  </FoldedPanel>
)

/** Apart from its panel, so that the record is loaded when the panel is opened. */
function UnpricedRecord({ user, view, change }: RecordPanelProps) {
  const { data, error, refetch, isPlaceholderData } = useQuery(
    recordOptions(user.user_id, view.asof),
  )
  return (
    <>
      {data === undefined && error === null && (
        <Skeleton className="rounded-lg" height={RECORD_PX} />
      )}
      {data === undefined && error !== null && (
        <FailureNotice error={error} onRetry={() => void refetch()} what="The record" />
      )}
      {data !== undefined && (
        <>
          <div
            aria-busy={isPlaceholderData}
            className={`grid min-w-0 gap-x-8 md:grid-cols-2 xl:grid-cols-3 ${isPlaceholderData ? 'opacity-60' : ''}`}
          >
            <ClosenessCard answer={data} asof={view.asof} userId={user.user_id} />
            <BiasCard user={user} />
            <DistanceCard record={data.data} />
            <LeadCard lead={data.data.lead} />
            <AgreementCard user={user} />
            <PersistenceCard persistence={data.data.persistence} />
          </div>
          {user.ratings > data.data.judged && (
            <p className="text-sm text-ink-3">
              Distance and lead: the latest {formatCount(data.data.judged)} of{' '}
              {formatCount(user.ratings)} ratings
            </p>
          )}
          <ActivityFigure answer={data} change={change} userId={user.user_id} view={view} />
        </>
      )}
    </>
  )
}

type ActivityFigureProps = {
  userId: number
  answer: RecordAnswer
  view: UserView
  change: ChangeUserView
}

function ActivityFigure({ userId, answer, view, change }: ActivityFigureProps) {
  const areaId = useId()
  const name = `Activity by day, user ${userId}`
  const weeks = useMemo(() => toWeeks(answer.data.activity, answer.meta.as_of), [answer])
  const isTable = view.activity === 'table'
  return (
    <figure aria-label={name} className="flex min-w-0 flex-col gap-2 border-t py-3">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <h3 className="flex items-center text-sm font-medium text-ink-3">
          Activity
          <RuleNote about="activity: why this number">
            <p>{ACTIVITY_RULE}</p>
          </RuleNote>
        </h3>
        <p aria-hidden className="text-sm text-ink-3">
          <ActivityTotal weeks={weeks} />
        </p>
        <Button
          aria-controls={areaId}
          className="ml-auto w-28"
          onClick={() => change({ activity: isTable ? null : 'table' })}
          size="small"
        >
          {isTable ? 'Show as chart' : 'Show as table'}
        </Button>
        <SaveChart toFacts={() => toActivityFacts({ userId, weeks, meta: answer.meta })} />
      </div>
      <div id={areaId} className="min-w-0">
        <ActivityArea isTable={isTable} name={name} weeks={weeks} />
      </div>
    </figure>
  )
}
