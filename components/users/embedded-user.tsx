'use client'

import { useQuery } from '@tanstack/react-query'
import { formatUtc } from '#components/format/instant.ts'
import { useFormats } from '#components/format/use-formats.tsx'
import { EMBED_LIVE_MS } from '#components/symbols/embed-address.ts'
import { EmbedFrame, EmbedText } from '#components/symbols/embed-frame.tsx'
import { OutlookHere } from '#components/time/zone.tsx'
import { userOptions } from '#lib/client/query-options.ts'
import type { Issue } from '#lib/contract/faults.ts'
import { toQueryText } from '#lib/contract/ratings-query.ts'
import { EmbeddedActivity } from './embedded-activity.tsx'
import { EmbeddedCalls } from './embedded-calls.tsx'
import { toUserParams, type UserView } from './user-view.ts'

/** An answer about now may have been kept for so long: a chart frozen since then is not one to come. */
const KEPT_SECONDS = 60

type EmbeddedUserProps = {
  userId: number
  chart: 'calls' | 'activity'
  view: UserView
  /** What had to be ignored in the address. */
  ignored: readonly Issue[]
  /** The member's first rating, in seconds since 1970. */
  first: number
}

/** A member's chart alone, live or frozen. It only shows: nothing in it acts, and its link opens a page of its own. */
export function EmbeddedUser({ userId, chart, view, ignored, first }: EmbeddedUserProps) {
  const { asof } = view
  const isTooEarly = asof !== null && asof < first
  const { data } = useQuery({
    ...userOptions(userId, asof),
    enabled: !isTooEarly,
    refetchInterval: asof === null && EMBED_LIVE_MS,
  })
  // What the server found of now, which is asked for in any case.
  const now = useQuery(userOptions(userId, null)).data?.meta.as_of
  const isToCome = asof !== null && now !== undefined && asof > now + KEPT_SECONDS
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
