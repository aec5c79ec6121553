'use client'

import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { SaveChart } from '#components/charts/save/save-chart.tsx'
import { FailureNotice } from '#components/feedback/failure-notice.tsx'
import { Button } from '#components/ui/button.tsx'
import { Segmented } from '#components/ui/fields.tsx'
import { Skeleton } from '#components/ui/loading.tsx'
import { HelpPopover } from '#components/ui/popover.tsx'
import { userRatingsOptions } from '#lib/client/user-options.ts'
import type { UserRatingsAnswer } from '#lib/contract/answers/users.ts'
import { toUserLinks } from '#lib/contract/page-addresses.ts'
import { placeRatings, RATINGS_PX, RATINGS_RULE, selectShown, toRatingsFacts } from './ratings.ts'
import { RatingsArea } from './ratings-area.tsx'
import type { ChangeUserView, UserView } from './user-view.ts'

const RANGES = [
  { value: '1y', label: '1Y' },
  { value: '3y', label: '3Y' },
  { value: 'all', label: 'All' },
] as const

type RatingsFigureProps = { userId: number; view: UserView; change: ChangeUserView }

export function RatingsFigure({ userId, view, change }: RatingsFigureProps) {
  const areaId = useId()
  const { data, error, refetch, isPlaceholderData } = useQuery(
    userRatingsOptions(userId, view.asof),
  )
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
          <HelpPopover label="About the ratings">
            <p>
              {RATINGS_RULE} Symbols are in the order of their latest rating; at most 40 symbols and
              1,000 ratings are listed.
            </p>
          </HelpPopover>
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
          {data && !isPlaceholderData && <SaveRatings answer={data} userId={userId} view={view} />}
        </div>
      </div>
      <div
        aria-busy={data === undefined || isPlaceholderData}
        className={isPlaceholderData ? 'opacity-60' : undefined}
        id={areaId}
      >
        {data === undefined && error === null && (
          <Skeleton className="rounded-lg" height={RATINGS_PX} />
        )}
        {data === undefined && error !== null && (
          <FailureNotice error={error} onRetry={() => void refetch()} what="The ratings" />
        )}
        {data && (
          <RatingsArea answer={data} change={change} name={name} userId={userId} view={view} />
        )}
      </div>
    </figure>
  )
}

type SaveRatingsProps = { answer: UserRatingsAnswer; view: UserView; userId: number }

function SaveRatings({ answer, view, userId }: SaveRatingsProps) {
  const { extent, ratings } = selectShown(answer, view)
  const toFacts = () => {
    const rows = placeRatings(ratings, extent, 1)
    return toRatingsFacts({ userId, ratings: answer.data, rows, extent, meta: answer.meta })
  }
  return <SaveChart links={toUserLinks(userId)} toFacts={toFacts} />
}
