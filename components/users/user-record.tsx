'use client'

import type { ReactNode } from 'react'
import { Contradictions } from '#components/profile/contradictions.tsx'
import { Distribution } from '#components/profile/distribution.tsx'
import { LatestRatings } from '#components/profile/latest-ratings.tsx'
import { Panel } from '#components/profile/panel.tsx'
import { toActionBars, toRatingBars } from '#components/profile/rating-bars.tsx'
import { toSymbolHref } from '#components/symbols/symbol-address.ts'
import { ZoneControl } from '#components/time/zone-control.tsx'
import { useZonedHref } from '#components/time/zoned-link.tsx'
import { ButtonLink } from '#components/ui/button.tsx'
import type { RatingRow } from '#lib/contract/answers/ratings.ts'
import type { UserAnswer } from '#lib/contract/answers/users.ts'
import { CallsFigure } from './calls-figure.tsx'
import { RecordPanel } from './record-panel.tsx'
import type { ChangeUserView } from './use-user-view.ts'
import { ratingsOfUser, toUserRatingsHref } from './user-address.ts'
import { UserHeader } from './user-header.tsx'
import { UserSymbols } from './user-symbols.tsx'
import type { UserView } from './user-view.ts'

const BY_SYMBOL = {
  label: 'Symbol',
  href: (row: RatingRow) => toSymbolHref(row.symbol),
  text: (row: RatingRow) => row.symbol,
}

type UserRecordProps = {
  answer: UserAnswer
  view: UserView
  change: ChangeUserView
  /** Said of the address, above everything. */
  notice: ReactNode
  /** What is shown is of another instant, while this one loads. */
  isStale: boolean
}

/** A member who had rated by the instant that the page stands at. */
export function UserRecord({ answer, view, change, notice, isStale }: UserRecordProps) {
  const user = answer.data
  const id = user.user_id
  const zoned = useZonedHref()
  return (
    <>
      <div
        aria-busy={isStale}
        className={isStale ? 'flex flex-col gap-3 opacity-60' : 'flex flex-col gap-3'}
      >
        <UserHeader user={user} />
      </div>
      {notice}
      <CallsFigure change={change} userId={id} view={view} />
      <RecordPanel change={change} user={user} view={view} />
      <div className="grid gap-x-6 gap-y-4 lg:grid-cols-[minmax(0,1fr)_19rem]">
        <Panel title="Symbols">
          <UserSymbols user={user} />
        </Panel>
        <aside
          aria-label="Distribution and quality of the ratings"
          className="flex flex-col gap-5 lg:pt-12"
        >
          <Distribution
            bars={toRatingBars(user.by_rating, (rating) => toUserRatingsHref(id, { rating }))}
            title="All ratings by label"
          />
          <Distribution
            bars={toActionBars(user.by_action, (action) => toUserRatingsHref(id, { action }))}
            title="All ratings by action"
          />
          <Contradictions asof={view.asof} query={{ user: id }} />
        </aside>
      </div>
      <Panel
        action={
          <ButtonLink href={zoned(toUserRatingsHref(id))}>All ratings of user {id}</ButtonLink>
        }
        title="Latest ratings"
      >
        <LatestRatings
          query={ratingsOfUser(id, view.asof)}
          subject={BY_SYMBOL}
          title={`Latest ratings of user ${id}`}
        />
        <ZoneControl className="self-end" />
      </Panel>
    </>
  )
}
