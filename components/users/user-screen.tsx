'use client'

import { useQuery } from '@tanstack/react-query'
import { IgnoredNotice } from '#components/address/ignored-notice.tsx'
import { FailureNotice } from '#components/answer/failure-notice.tsx'
import { OutlookHere, useZone } from '#components/time/zone.tsx'
import { TimeMachine } from '#components/time-machine/time-machine.tsx'
import { useTimedTitle } from '#components/time-machine/use-timed-title.ts'
import { Skeleton } from '#components/ui/skeleton.tsx'
import { userOptions } from '#lib/client/query-options.ts'
import { NotYetRated } from './not-yet-rated.tsx'
import { useUserView } from './use-user-view.ts'
import { UserRecord } from './user-record.tsx'

const PAGE_PX = 1400

/** One member, now or at any other instant: what they said and for how long, and what can be judged of it. */
export function UserScreen({ userId }: { userId: number }) {
  const zone = useZone()
  const { view, change, given, ignored, canonicalHref } = useUserView(userId)
  const now = useQuery(userOptions(userId, null))
  const first = now.data?.data.first_created_at
  const { asof } = view
  const before = asof !== null && first !== undefined && asof < first ? { asof, first } : null
  // Nothing is asked where the answer is known.
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
      <OutlookHere asof={view.asof} tz={zone}>
        <UserRecord
          answer={then.data}
          change={change}
          isStale={then.isPlaceholderData}
          notice={notice}
          view={view}
        />
      </OutlookHere>
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
