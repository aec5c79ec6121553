'use client'

import { useQuery } from '@tanstack/react-query'
import { ZonedLink } from '#components/address/outlook.tsx'
import type { UserView } from '#components/address/user-address.ts'
import { FailureNotice } from '#components/feedback/failure-notice.tsx'
import { useFormats } from '#components/format/use-formats.tsx'
import { Skeleton } from '#components/ui/loading.tsx'
import { Panel } from '#components/ui/panels.tsx'
import { trackOptions } from '#lib/client/query-options.ts'
import type { Track } from '#lib/contract/answers/track.ts'
import { CalibrationFigure } from './calibration-figure.tsx'
import { CallsTable } from './calls-table.tsx'
import { HorizonChoice, NoPrices } from './horizon-choice.tsx'
import { CoverageCard, ExcessCard, RankCard, RightCard } from './track-cards.tsx'
import { toMeaningText, toTrackSentence } from './track-texts.ts'

const PANEL_PX = 620

type TrackPanelProps = {
  userId: number
  view: UserView
  change: (changes: Partial<UserView>) => void
}

/** What became of a user's ratings by the prices after them; without prices one line says how to add some. */
export function TrackPanel({ userId, view, change }: TrackPanelProps) {
  const { data, error, refetch, isPlaceholderData } = useQuery(trackOptions(userId, view))
  if (data?.data.prices.symbols === 0) {
    return (
      <NoPrices>Whether ratings were right shows by prices, of which there are none here.</NoPrices>
    )
  }
  return (
    <Panel
      action={
        <HorizonChoice
          horizon={view.horizon}
          onChange={(horizon) => change({ horizon, page: 1 })}
        />
      }
      title="Track record"
    >
      {data === undefined && error === null && (
        <Skeleton className="rounded-lg" height={PANEL_PX} />
      )}
      {data === undefined && error !== null && (
        <FailureNotice error={error} onRetry={() => void refetch()} what="The track record" />
      )}
      {data !== undefined && (
        <div
          aria-busy={isPlaceholderData}
          className={`flex min-w-0 flex-col gap-4 ${isPlaceholderData ? 'opacity-60' : ''}`}
        >
          <TrackHead track={data.data} />
          <CalibrationFigure
            calibration={data.data.calibration}
            name={`Predictions against what came, user ${userId}`}
          />
          <CallsTable change={change} userId={userId} view={view} />
        </div>
      )}
    </Panel>
  )
}

/** The sentence, what it means, and the figures behind it. */
function TrackHead({ track }: { track: Track }) {
  const formats = useFormats()
  return (
    <>
      <div className="flex flex-col gap-1">
        <p className="max-w-[80ch] text-lg text-pretty">{toTrackSentence(track, formats)}</p>
        <Meaning of={track} />
      </div>
      <div className="grid min-w-0 gap-x-8 border-b sm:grid-cols-2 xl:grid-cols-4">
        <RightCard of={track} everybody={track.everybody} />
        <ExcessCard of={track} />
        <RankCard track={track} />
        <CoverageCard of={track} />
      </div>
    </>
  )
}

/** What right means here, and the way to how all of it is worked out. */
export function Meaning({
  of,
}: {
  of: Parameters<typeof toTrackSentence>[0] & Pick<Track, 'prices'>
}) {
  const formats = useFormats()
  const { horizon, clusters, prices } = of
  return (
    <p className="max-w-[100ch] text-ink-3">
      {toMeaningText({ horizon, clusters, benchmark: prices.benchmark }, formats)}{' '}
      <ZonedLink className="link" href="/docs/records">
        Method
      </ZonedLink>
    </p>
  )
}
