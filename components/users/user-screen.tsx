'use client'

import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { AsOfProvider, useAsOfHref, useTimedTitle } from '#components/address/as-of.tsx'
import { IgnoredNotice } from '#components/address/ignored-notice.tsx'
import { toSymbolHref } from '#components/address/page-address.ts'
import {
  ratingsOfUser,
  toUserRatingsHref,
  type UserView,
} from '#components/address/user-address.ts'
import { FailureNotice } from '#components/feedback/failure-notice.tsx'
import {
  formatConsensus,
  formatCount,
  formatCounted,
  formatMeanPrediction,
} from '#components/format/numbers.ts'
import { Distribution, toActionBars, toRatingBars } from '#components/marks/distribution.tsx'
import { LatestRatings } from '#components/profile/latest-ratings.tsx'
import { ZonedDay } from '#components/time/instant.tsx'
import { TimeMachine } from '#components/time/time-machine.tsx'
import { ButtonLink } from '#components/ui/button.tsx'
import { classNames } from '#components/ui/class-names.ts'
import { FoldedPanel } from '#components/ui/fold.tsx'
import { Skeleton } from '#components/ui/loading.tsx'
import { Panel, type Stat, StatStrip } from '#components/ui/panels.tsx'
import { CalibrationFigure } from '#components/users/track/calibration-figure.tsx'
import { CallsPanel } from '#components/users/track/calls-panel.tsx'
import { NoPrices } from '#components/users/track/horizon-choice.tsx'
import {
  CoverageCard,
  ExcessCard,
  RankCard,
  RightCard,
} from '#components/users/track/track-cards.tsx'
import { toCoinVerdict } from '#components/users/track/track-texts.ts'
import { Meaning, VerdictLine } from '#components/users/track/verdict-line.tsx'
import { StarButton } from '#components/watch/star-button.tsx'
import { watchedUser } from '#components/watch/watched.ts'
import { recordOptions, trackOptions, userOptions } from '#lib/client/user-options.ts'
import type { RatingRow } from '#lib/contract/answers/ratings.ts'
import type { Track, TrackAnswer } from '#lib/contract/answers/track.ts'
import type { User, UserAnswer } from '#lib/contract/answers/users.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'
import { toClosenessVerdict } from './closeness.tsx'
import { RatingsFigure } from './ratings-figure.tsx'
import { RecordPanel } from './record-panel.tsx'
import { type ChangeUserView, useUserView } from './use-user-view.ts'
import { NotYetRated } from './user-absence.tsx'
import { UserSymbols } from './user-symbols.tsx'

const PAGE_PX = 1400
const ROWS_PX = 400

export function UserScreen({ userId }: { userId: number }) {
  const { view, change, given, ignored, canonicalHref } = useUserView(userId)
  const now = useQuery(userOptions(userId, null))
  const first = now.data?.data.first_created_at
  const { asof } = view
  const before = asof !== null && first !== undefined && asof < first ? { asof, first } : null
  // Not requested if the page is before the first rating.
  const then = useQuery({ ...userOptions(userId, asof), enabled: before === null })
  useTimedTitle(`User ${userId}`)
  const notice = <IgnoredNotice href={canonicalHref} ignored={ignored} params={given} />
  if (before !== null) {
    return (
      <>
        <Title userId={userId} />
        {notice}
        <NotYetRated {...before} userId={userId} />
      </>
    )
  }
  if (then.data !== undefined) {
    return (
      <AsOfProvider asof={view.asof}>
        <UserRecord
          answer={then.data}
          change={change}
          isStale={then.isPlaceholderData}
          notice={notice}
          view={view}
        />
      </AsOfProvider>
    )
  }
  return (
    <>
      <Title userId={userId} />
      {notice}
      {then.error === null ? (
        <Skeleton className="rounded-lg" height={PAGE_PX} />
      ) : (
        <FailureNotice
          error={then.error}
          onRetry={() => void then.refetch()}
          what={`User ${userId}`}
        />
      )}
    </>
  )
}

function Title({ userId }: { userId: number }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2">
      <h1 className="text-2xl">User {userId}</h1>
      <TimeMachine />
    </div>
  )
}

const BY_SYMBOL = {
  label: 'Symbol',
  href: (row: RatingRow) => toSymbolHref(row.symbol),
  text: (row: RatingRow) => toVisibleText(row.symbol),
}

type UserRecordProps = {
  answer: UserAnswer
  view: UserView
  change: ChangeUserView
  notice: ReactNode
  isStale: boolean
}

function UserRecord({ answer, view, change, notice, isStale }: UserRecordProps) {
  const user = answer.data
  const id = user.user_id
  const track = useQuery(trackOptions(id, view))
  return (
    <>
      <div className="flex flex-col gap-3">
        <div
          aria-busy={isStale}
          className={classNames('flex flex-col gap-3', isStale && 'opacity-60')}
        >
          <UserHeader user={user} />
        </div>
        <div
          aria-busy={track.isPlaceholderData}
          className={classNames(track.isPlaceholderData && 'opacity-60')}
        >
          {track.error === null && (
            <UserVerdict asof={view.asof} track={track.data?.data} userId={id} />
          )}
        </div>
      </div>
      {notice}
      <RatingsFigure change={change} userId={id} view={view} />
      <Rows change={change} track={track} userId={id} view={view} />
      <RecordPanel change={change} user={user} view={view} />
      <FoldedPanel isOpen={view.symbols !== null} title="Symbols and labels">
        <StatStrip stats={toStats(user)} />
        <div className="grid gap-x-6 gap-y-4 pt-2 lg:grid-cols-[minmax(0,1fr)_19rem]">
          <div className="flex min-w-0 flex-col gap-2">
            <UserSymbols change={change} user={user} view={view} />
          </div>
          <div className="flex flex-col gap-5">
            <Distribution
              bars={toRatingBars(user.by_rating, (rating) => toUserRatingsHref(id, { rating }))}
              title="All ratings by label"
            />
            <Distribution
              bars={toActionBars(user.by_action, (action) => toUserRatingsHref(id, { action }))}
              title="All ratings by action"
            />
          </div>
        </div>
      </FoldedPanel>
    </>
  )
}

type RowsProps = {
  userId: number
  track: UseQueryResult<TrackAnswer>
  view: UserView
  change: ChangeUserView
}

function Rows({ userId, track, view, change }: RowsProps) {
  const { data, error, refetch, isPlaceholderData } = track
  if (data === undefined) {
    return error === null ? (
      <Skeleton className="rounded-lg" height={ROWS_PX} />
    ) : (
      <FailureNotice error={error} onRetry={() => void refetch()} what="The track record" />
    )
  }
  if (data.data.prices.symbols > 0) {
    return (
      <TrackPanel
        change={change}
        isStale={isPlaceholderData}
        track={data.data}
        userId={userId}
        view={view}
      />
    )
  }
  return (
    <Panel title="Latest ratings">
      <LatestRatings
        query={ratingsOfUser(userId, view.asof)}
        subject={BY_SYMBOL}
        title={`Latest ratings of user ${userId}`}
      />
    </Panel>
  )
}

function UserHeader({ user }: { user: User }) {
  const withAsOf = useAsOfHref()
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <h1 className="text-2xl">User {user.user_id}</h1>
      <StarButton isPage of={watchedUser(user.user_id)} />
      <p className="text-ink-3">
        {formatCounted(user.ratings, 'rating')} of {formatCounted(user.symbols, 'symbol')} since{' '}
        <ZonedDay seconds={user.first_created_at} />
      </p>
      <div className="flex flex-wrap items-center gap-2 sm:ml-auto">
        <TimeMachine />
        <ButtonLink href={withAsOf(toUserRatingsHref(user.user_id))} variant="solid">
          Ratings of user {user.user_id}
        </ButtonLink>
      </div>
    </div>
  )
}

function toStats(user: User): Stat[] {
  const ofAll = `of ${formatCounted(user.ratings, 'rating')}`
  return [
    { term: 'Active', figure: formatCount(user.active), detail: ofAll },
    { term: 'In 90 days', figure: formatCount(user.recent), detail: ofAll },
    { term: 'Mean rating, 1–5', figure: formatConsensus(user.avg_rating), detail: ofAll },
    { term: 'Mean prediction', figure: formatMeanPrediction(user.avg_prediction), detail: ofAll },
    {
      term: 'Last rated',
      figure: (
        <span className="whitespace-nowrap">
          <ZonedDay seconds={user.last_created_at} />
        </span>
      ),
    },
  ]
}

type UserVerdictProps = {
  userId: number
  /** Null is now. */
  asof: number | null
  /** Undefined while loading. */
  track: Track | undefined
}

function UserVerdict({ userId, asof, track }: UserVerdictProps) {
  if (track === undefined) return <LoadingVerdict />
  if (track.prices.symbols > 0) {
    return (
      <div className="flex flex-col gap-1">
        <VerdictLine of={toCoinVerdict(track)} />
        <Meaning of={track} />
      </div>
    )
  }
  return <UnpricedVerdict asof={asof} userId={userId} />
}

function UnpricedVerdict({ userId, asof }: Pick<UserVerdictProps, 'userId' | 'asof'>) {
  const record = useQuery(recordOptions(userId, asof)).data
  if (record === undefined) return <LoadingVerdict />
  return (
    <div className="flex flex-col gap-1">
      <VerdictLine of={toClosenessVerdict(record.data.closeness)} />
      <NoPrices>
        Whether ratings were right can be judged only with prices. None have been added here.
      </NoPrices>
    </div>
  )
}

const LoadingVerdict = () => <p aria-busy className="min-h-13 text-lg" />

type TrackPanelProps = {
  userId: number
  track: Track
  isStale: boolean
  view: UserView
  change: (changes: Partial<UserView>) => void
}

function TrackPanel({ userId, track, isStale, view, change }: TrackPanelProps) {
  return (
    <>
      <CallsPanel change={change} userId={userId} view={view} />
      <FoldedPanel title="Calls in figures">
        <div
          aria-busy={isStale}
          className={`flex min-w-0 flex-col gap-4 ${isStale ? 'opacity-60' : ''}`}
        >
          <div className="grid min-w-0 gap-x-8 border-b sm:grid-cols-2 xl:grid-cols-4">
            <RightCard of={track} everybody={track.everybody} />
            <ExcessCard of={track} />
            <RankCard track={track} />
            <CoverageCard of={track} />
          </div>
          <CalibrationFigure
            calibration={track.calibration}
            name={`Predicted and actual returns, user ${userId}`}
          />
        </div>
      </FoldedPanel>
    </>
  )
}
