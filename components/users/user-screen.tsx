'use client'

import { useQuery } from '@tanstack/react-query'
import { FailureNotice } from '#components/answer/failure-notice.tsx'
import { Distribution } from '#components/profile/distribution.tsx'
import { LatestRatings } from '#components/profile/latest-ratings.tsx'
import { Panel } from '#components/profile/panel.tsx'
import { toActionBars, toRatingBars } from '#components/profile/rating-bars.tsx'
import { toSymbolHref } from '#components/symbols/symbol-address.ts'
import { ZoneControl } from '#components/time/zone-control.tsx'
import { useZonedHref } from '#components/time/zoned-link.tsx'
import { ButtonLink } from '#components/ui/button.tsx'
import { Skeleton } from '#components/ui/skeleton.tsx'
import { userOptions } from '#lib/client/query-options.ts'
import type { RatingRow } from '#lib/contract/answers/ratings.ts'
import type { User } from '#lib/contract/answers/users.ts'
import { ratingsOfUser, toUserRatingsHref } from './user-address.ts'
import { UserHeader } from './user-header.tsx'
import { UserSymbols } from './user-symbols.tsx'

const BY_SYMBOL = {
  label: 'Symbol',
  href: (row: RatingRow) => toSymbolHref(row.symbol),
  text: (row: RatingRow) => row.symbol,
}

/** One member: how much, of what, how it was received, and what they said last. */
export function UserScreen({ userId }: { userId: number }) {
  const { data, error, refetch } = useQuery(userOptions(userId))
  if (data !== undefined) return <KnownUser user={data.data} />
  return (
    <>
      <h1 className="text-2xl">User {userId}</h1>
      {error === null ? (
        <Skeleton className="rounded-lg" height={480} />
      ) : (
        <FailureNotice error={error} onRetry={() => void refetch()} what={`User ${userId}`} />
      )}
    </>
  )
}

function KnownUser({ user }: { user: User }) {
  const id = user.user_id
  const zoned = useZonedHref()
  return (
    <>
      <UserHeader user={user} />
      <div className="grid gap-x-6 gap-y-4 lg:grid-cols-[minmax(0,1fr)_19rem]">
        <Panel title="Symbols">
          <UserSymbols user={user} />
        </Panel>
        <aside aria-label="Distribution of the ratings" className="flex flex-col gap-5 lg:pt-12">
          <Distribution
            bars={toRatingBars(user.by_rating, (rating) => toUserRatingsHref(id, { rating }))}
            title="All ratings by label"
          />
          <Distribution
            bars={toActionBars(user.by_action, (action) => toUserRatingsHref(id, { action }))}
            title="All ratings by action"
          />
        </aside>
      </div>
      <Panel
        action={
          <ButtonLink href={zoned(toUserRatingsHref(id))}>All ratings of user {id}</ButtonLink>
        }
        title="Latest ratings"
      >
        <LatestRatings
          query={ratingsOfUser(id)}
          subject={BY_SYMBOL}
          title={`Latest ratings of user ${id}`}
        />
        <ZoneControl className="self-end" />
      </Panel>
    </>
  )
}
