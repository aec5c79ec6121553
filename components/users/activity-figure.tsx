'use client'

import { useId } from 'react'
import { SaveChart } from '#components/chart-files/save-chart.tsx'
import { RuleNote } from '#components/symbols/rule-note.tsx'
import { Button } from '#components/ui/button.tsx'
import type { RecordAnswer } from '#lib/contract/answers/user-record.ts'
import { ActivityArea, ActivityTotal } from './activity-area.tsx'
import { ACTIVITY_RULE, toActivityFacts } from './activity-facts.ts'
import { toWeeks } from './activity-weeks.ts'
import type { ChangeUserView } from './use-user-view.ts'
import { toActivityEmbed } from './user-embed.ts'
import type { UserView } from './user-view.ts'

type ActivityFigureProps = {
  userId: number
  answer: RecordAnswer
  view: UserView
  change: ChangeUserView
}

/** A year of activity as a calendar, or by month as a table. */
export function ActivityFigure({ userId, answer, view, change }: ActivityFigureProps) {
  const areaId = useId()
  const name = `Activity by day, user ${userId}`
  const weeks = toWeeks(answer.data.activity, answer.meta.as_of)
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
        <SaveChart
          embed={toActivityEmbed(userId, view)}
          toFacts={() => toActivityFacts({ userId, weeks, meta: answer.meta })}
        />
      </div>
      <div id={areaId} className="min-w-0">
        <ActivityArea isTable={isTable} name={name} weeks={weeks} />
      </div>
    </figure>
  )
}
