'use client'

import { useQuery } from '@tanstack/react-query'
import { EmbedFrame, EmbedText } from '#components/embed/embed-frame.tsx'
import { EMBED_LIVE_MS } from '#components/embed/embed-rules.ts'
import { formatUtc } from '#components/format/instant.ts'
import { useFormats } from '#components/format/use-formats.tsx'
import { OutlookHere } from '#components/time/zone.tsx'
import { userOptions } from '#lib/client/query-options.ts'
import type { Issue } from '#lib/contract/faults.ts'
import { toQueryText } from '#lib/contract/ratings-query.ts'
import { EmbeddedActivity } from './embedded-activity.tsx'
import { EmbeddedCalls } from './embedded-calls.tsx'
import { toUserParams, type UserView } from './user-view.ts'

type EmbeddedUserProps = {
  userId: number
  chart: 'calls' | 'activity'
  view: UserView
  /** What had to be ignored in the address. */
  ignored: readonly Issue[]
  /** The member's first rating, and now by the server's clock: seconds since 1970. */
  first: number
  now: number
}

/** A member's chart alone, live or frozen. It only shows: nothing in it acts, and its link opens a page of its own. */
export function EmbeddedUser({ first, now, ...props }: EmbeddedUserProps) {
  const { userId, chart, view, ignored } = props
  const { asof } = view
  const isTooEarly = asof !== null && asof < first
  const { data } = useQuery({
    ...userOptions(userId, asof),
    enabled: !isTooEarly,
    refetchInterval: asof === null && EMBED_LIVE_MS,
  })
  const isToCome = asof !== null && asof > now
  const { formatCount, formatCounted } = useFormats()
  const Chart = chart === 'activity' ? EmbeddedActivity : EmbeddedCalls
  return (
    // A frame tells UTC, whoever reads it: the page around it is somebody else's.
    <OutlookHere asof={asof} tz="UTC">
      <EmbedFrame
        href={`/users/${userId}${toQueryText(toUserParams(view))}`}
        ignored={ignored}
        title={`User ${userId}`}
        figures={
          data && (
            <>
              <b>{formatCounted(data.data.ratings, 'rating')}</b> of{' '}
              {formatCounted(data.data.symbols, 'symbol')}, {formatCount(data.data.active)} active,
              as of {formatUtc(data.meta.as_of)}
              {isToCome ? ', if nothing is renewed' : asof !== null && ', frozen'}
            </>
          )
        }
      >
        {isTooEarly ? (
          <EmbedText title={`User ${userId} had not rated by ${formatUtc(asof)}`}>
            The first rating came at {formatUtc(first)}.
          </EmbedText>
        ) : (
          <Chart userId={userId} view={view} />
        )}
      </EmbedFrame>
    </OutlookHere>
  )
}
