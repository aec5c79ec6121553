'use client'

import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import type { UserView } from '#components/address/user-address.ts'
import { SaveChart } from '#components/charts/save/save-chart.tsx'
import { FailureNotice } from '#components/feedback/failure-notice.tsx'
import { Button } from '#components/ui/button.tsx'
import { Segmented } from '#components/ui/fields.tsx'
import { Skeleton } from '#components/ui/loading.tsx'
import { RuleNote } from '#components/ui/rule-note.tsx'
import { callsOptions } from '#lib/client/query-options.ts'
import type { CallsAnswer } from '#lib/contract/answers/user-record.ts'
import { CALLS_PX, CALLS_RULE, placeCalls, selectShown, toCallsFacts } from './calls.ts'
import { CallsArea } from './calls-area.tsx'
import type { ChangeUserView } from './use-user-view.ts'
import { toCallsEmbed } from './user-embed.ts'

const RANGES = [
  { value: '1y', label: '1Y' },
  { value: '3y', label: '3Y' },
  { value: 'all', label: 'All' },
] as const

type CallsFigureProps = { userId: number; view: UserView; change: ChangeUserView }

/** What a user said of each symbol and for how long it held, as a chart or as the table of the same calls. */
export function CallsFigure({ userId, view, change }: CallsFigureProps) {
  const areaId = useId()
  const { data, error, refetch, isPlaceholderData } = useQuery(callsOptions(userId, view.asof))
  const name = `Ratings over time, user ${userId}`
  const isTable = view.view === 'table'
  return (
    <figure
      aria-label={name}
      className="flex min-w-0 flex-col gap-2 rounded-lg border bg-surface p-4"
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h2 className="inline-flex items-center text-lg">
          Ratings over time
          <RuleNote about="the ratings">
            <p>
              {CALLS_RULE} Symbols stand in the order of their latest rating; at most 40 of them and
              1,000 ratings are listed.
            </p>
          </RuleNote>
        </h2>
        <div className="flex flex-wrap items-center gap-2 sm:ml-auto">
          <Segmented
            label="Range"
            onChange={(range) => change({ range })}
            options={RANGES}
            size="small"
            value={view.range}
          />
          <Button
            aria-controls={areaId}
            className="w-28"
            onClick={() => change({ view: isTable ? null : 'table' })}
            size="small"
          >
            {isTable ? 'Show as chart' : 'Show as table'}
          </Button>
          {data && !isPlaceholderData && <SaveCalls answer={data} userId={userId} view={view} />}
        </div>
      </div>
      <div
        aria-busy={data === undefined || isPlaceholderData}
        className={isPlaceholderData ? 'opacity-60' : undefined}
        id={areaId}
      >
        {data === undefined && error === null && (
          <Skeleton className="rounded-lg" height={CALLS_PX} />
        )}
        {data === undefined && error !== null && (
          <FailureNotice error={error} onRetry={() => void refetch()} what="The ratings" />
        )}
        {data && (
          <CallsArea answer={data} change={change} name={name} userId={userId} view={view} />
        )}
      </div>
    </figure>
  )
}

type SaveCallsProps = { answer: CallsAnswer; view: UserView; userId: number }

/** Files of the calls as they are displayed, and the lines that embed them. */
function SaveCalls({ answer, view, userId }: SaveCallsProps) {
  const { extent, calls } = selectShown(answer, view)
  const toFacts = () => {
    const rows = placeCalls(calls, extent, 1)
    return toCallsFacts({ userId, calls: answer.data, rows, extent, meta: answer.meta })
  }
  const embed = toCallsEmbed({ userId, view, rows: calls.symbols.length })
  return <SaveChart embed={embed} toFacts={toFacts} />
}
