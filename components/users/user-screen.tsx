'use client'

import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { FailureNotice } from '#components/feedback/failure-notice.tsx'
import { IgnoredNotice } from '#components/feedback/ignored-notice.tsx'
import { formatCounted } from '#components/format/numbers.ts'
import { LatestRatings } from '#components/profile/latest-ratings.tsx'
import { StarButton } from '#components/saved/star-button.tsx'
import { watchedUser } from '#components/saved/stars.ts'
import { AsOfProvider, useAsOfHref, useTimedTitle } from '#components/time/as-of.tsx'
import { ZonedDay } from '#components/time/instant.tsx'
import { TimeMachine } from '#components/time/time-machine.tsx'
import { ButtonLink } from '#components/ui/button.tsx'
import { classNames } from '#components/ui/class-names.ts'
import { FoldedPanel } from '#components/ui/fold.tsx'
import { Skeleton } from '#components/ui/loading.tsx'
import { Panel } from '#components/ui/panels.tsx'
import { CallsPanel } from '#components/users/track/calls-panel.tsx'
import { NoPrices } from '#components/users/track/horizon-choice.tsx'
import { toUserVerdict } from '#components/users/track/track-texts.ts'
import { Meaning, VerdictLine } from '#components/users/track/verdict-line.tsx'
import { useUrlQuery } from '#lib/client/url-query.ts'
import { trackOptions, userOptions } from '#lib/client/user-options.ts'
import type { RatingRow } from '#lib/contract/answers/ratings.ts'
import type { Track, TrackAnswer } from '#lib/contract/answers/track.ts'
import type { User, UserAnswer } from '#lib/contract/answers/users.ts'
import {
  ratingsOfUser,
  toSymbolHref,
  toUserHref,
  toUserRatingsHref,
} from '#lib/contract/page-addresses.ts'
import { toParams } from '#lib/contract/query-schema.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'
import { RatingsFigure } from './ratings-figure.tsx'
import { NotYetRated } from './user-absence.tsx'
import { UserSymbols } from './user-symbols.tsx'
import { type ChangeUserView, type UserView, userPageQuery } from './user-view.ts'

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

/** `canonicalHref` leaves out ignored parameters. */
function useUserView(userId: number) {
  const { query: view, params: given, ignored, setQuery } = useUrlQuery(userPageQuery)
  const change: ChangeUserView = setQuery
  const canonicalHref = toUserHref(userId, toParams(userPageQuery, view))
  return { view, change, given, ignored, canonicalHref }
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
          {track.error === null && <UserVerdict track={track.data?.data} />}
        </div>
      </div>
      {notice}
      <RatingsFigure change={change} userId={id} view={view} />
      <Rows change={change} track={track} userId={id} view={view} />
      <FoldedPanel isOpen={view.symbols !== null} title="Symbols">
        <UserSymbols change={change} user={user} view={view} />
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
  const { data, error, refetch } = track
  if (data === undefined) {
    return error === null ? (
      <Skeleton className="rounded-lg" height={ROWS_PX} />
    ) : (
      <FailureNotice error={error} onRetry={() => void refetch()} what="The track record" />
    )
  }
  if (data.data.prices.symbols > 0) {
    return <CallsPanel change={change} userId={userId} view={view} />
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

/** `track`: undefined while loading. */
function UserVerdict({ track }: { track: Track | undefined }) {
  if (track === undefined) return <p aria-busy className="min-h-13 text-lg" />
  if (track.prices.symbols > 0) {
    return (
      <div className="flex flex-col gap-1">
        <VerdictLine of={toUserVerdict(track)} />
        <Meaning of={track} />
      </div>
    )
  }
  return (
    <NoPrices>
      Whether ratings were right can be judged only with prices. None have been added here.
    </NoPrices>
  )
}
