'use client'

import { useQuery } from '@tanstack/react-query'
import { ArchiveWaiting } from '#components/feedback/archive-filling.tsx'
import { FailureNotice } from '#components/feedback/failure-notice.tsx'
import { IgnoredNotice } from '#components/feedback/ignored-notice.tsx'
import { RatingMark } from '#components/marks/rating-marks.tsx'
import { useMay } from '#components/permissions/use-may.tsx'
import { AsOfProvider, useTimedTitle } from '#components/time/as-of.tsx'
import { TimeMachine } from '#components/time/time-machine.tsx'
import { Skeleton } from '#components/ui/loading.tsx'
import { PageHeader } from '#components/ui/page-layout.tsx'
import { useUrlQuery } from '#lib/client/url-query.ts'
import { communityOptions } from '#lib/client/user-options.ts'
import type { CommunityRecord } from '#lib/contract/answers/track.ts'
import { type TrackQuery, trackQuery } from '#lib/contract/api-queries.ts'
import { withBase } from '#lib/contract/base-path.ts'
import { EXPORT_FORMATS, FORMAT_NAMES } from '#lib/contract/export-formats.ts'
import { toPlainPath } from '#lib/contract/export-path.ts'
import { callsQuery } from '#lib/contract/lists/calls.ts'
import { toEveryoneHref } from '#lib/contract/page-addresses.ts'
import { toFullParams, toParams } from '#lib/contract/query-schema.ts'
import { UsersTabs } from '../users-tabs.tsx'
import { CalibrationFigure } from './calibration-figure.tsx'
import { HorizonChoice, NoPrices } from './horizon-choice.tsx'
import { TallyTable } from './tally-table.tsx'
import { toCoinVerdict } from './track-texts.ts'
import { Meaning, VerdictLine } from './verdict-line.tsx'

const PAGE_PX = 900

export function CommunityScreen() {
  const { view, change, given, ignored, canonicalHref } = useRecordView()
  const { data, error, refetch, isPlaceholderData } = useQuery(communityOptions(view))
  useTimedTitle('All users together')
  const hasPrices = data === undefined || data.data.prices.symbols > 0
  return (
    <AsOfProvider asof={view.asof}>
      <div className="flex flex-col gap-3">
        <PageHeader actions={<TimeMachine />} title="Users" />
        <IgnoredNotice href={canonicalHref} ignored={ignored} params={given} />
        <UsersTabs current="everyone" horizon={view.horizon} />
        {hasPrices && (
          <HorizonChoice horizon={view.horizon} onChange={(horizon) => change({ horizon })} />
        )}
      </div>
      {data === undefined && error === null && <Skeleton className="rounded-lg" height={PAGE_PX} />}
      {error !== null && (
        <FailureNotice
          error={error}
          kept={data && 'The content below was loaded earlier.'}
          onRetry={() => void refetch()}
          what="The record"
        />
      )}
      {data !== undefined && !hasPrices && (
        <NoPrices>
          Whether ratings were right shows by prices, of which there are none here.
        </NoPrices>
      )}
      {data !== undefined && hasPrices && data.data.calls === 0 && view.asof === null && (
        <ArchiveWaiting onArrival={() => void refetch()} />
      )}
      {data !== undefined && hasPrices && (data.data.calls > 0 || view.asof !== null) && (
        <div
          aria-busy={isPlaceholderData}
          className={`flex min-w-0 flex-col gap-5 ${isPlaceholderData ? 'opacity-60' : ''}`}
        >
          <Community record={data.data} view={view} />
        </div>
      )}
    </AsOfProvider>
  )
}

function useRecordView() {
  const { query: view, params: given, ignored, setQuery: change } = useUrlQuery(trackQuery)
  const canonicalHref = toEveryoneHref(view)
  return { view, change, given, ignored, canonicalHref }
}

type CommunityProps = { record: CommunityRecord; view: TrackQuery }

function Community({ record, view }: CommunityProps) {
  const name = 'Predictions against what came, all users'
  return (
    <>
      <div className="flex flex-col gap-1">
        <h2 className="text-sm font-medium text-ink-3">All users together</h2>
        <VerdictLine of={toCoinVerdict(record)} />
        <Meaning of={record} />
      </div>
      {record.calls > 0 && (
        <>
          <Tables record={record} />
          <CalibrationFigure calibration={record.calibration} name={name} />
        </>
      )}
      <Foot view={view} />
    </>
  )
}

function Tables({ record }: { record: CommunityRecord }) {
  return (
    <>
      <TallyTable
        of="Rating"
        rows={record.by_label
          .toReversed()
          .filter(({ clusters }) => clusters > 0)
          .map(({ rating, label, ...tally }) => ({
            key: String(rating),
            name: <RatingMark aligned code={rating} label={label} />,
            tally,
          }))}
        title="By rating"
      />
      <TallyTable
        of="Year"
        rows={record.by_year
          .filter(({ clusters }) => clusters > 0)
          .toReversed()
          .map(({ year, ...tally }) => ({ key: String(year), name: year, tally }))}
        title="By the year of the rating"
      />
    </>
  )
}

function Foot({ view }: { view: TrackQuery }) {
  const mayExport = useMay('export')
  const { horizon } = view
  // The horizon is always explicit, so that a file states it.
  const params = toFullParams(callsQuery, { horizon }, toParams(trackQuery, view))
  return (
    <p className="text-sm text-ink-3">
      This says what was, of symbols that there are prices for. It is no advice.
      {mayExport && (
        <>
          {' Every call as '}
          {EXPORT_FORMATS.map((format, index) => (
            <span key={format}>
              {index > 0 && ', '}
              <a className="link" download href={withBase(toPlainPath('calls', params, format))}>
                <span className="sr-only">every call as </span>
                {FORMAT_NAMES[format]}
              </a>
            </span>
          ))}
        </>
      )}
    </p>
  )
}
