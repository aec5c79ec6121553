'use client'

import { useQuery } from '@tanstack/react-query'
import { ZonedLink } from '#components/address/outlook.tsx'
import { toUserCallsParams, type UserView } from '#components/address/user-address.ts'
import { FailureNotice } from '#components/feedback/failure-notice.tsx'
import type { Formats } from '#components/format/numbers.ts'
import { useFormats } from '#components/format/use-formats.tsx'
import { useMay } from '#components/permissions/use-may.tsx'
import { Segmented } from '#components/ui/fields.tsx'
import { RuleNote } from '#components/ui/help-popover.tsx'
import { Skeleton } from '#components/ui/loading.tsx'
import { Panel, type Stat, StatStrip } from '#components/ui/panels.tsx'
import { trackOptions } from '#lib/client/query-options.ts'
import type { Track } from '#lib/contract/answers/track.ts'
import { withBase } from '#lib/contract/base-path.ts'
import { PLAIN_CSV, toFilePath } from '#lib/contract/export-choice.ts'
import { HORIZONS } from '#lib/contract/horizons.ts'
import { toSignedPercent, toTimes, toTrackSentence } from './track-texts.ts'
import type { ChangeUserView } from './use-user-view.ts'

const PANEL_PX = 190

type TrackPanelProps = { userId: number; view: UserView; change: ChangeUserView }

/** What became of a user's ratings by the prices after them; without prices one line says how to add some. */
export function TrackPanel({ userId, view, change }: TrackPanelProps) {
  const formats = useFormats()
  const { data, error, refetch, isPlaceholderData } = useQuery(trackOptions(userId, view))
  if (data?.data.prices.symbols === 0) return <NoPrices />
  return (
    <Panel
      action={
        <Segmented
          label="Days after each rating"
          labelShown
          onChange={(horizon) => change({ horizon })}
          options={HORIZONS.map((days) => ({ value: `${days}` as const, label: days }))}
          size="small"
          value={view.horizon}
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
          className={`flex flex-col gap-3 ${isPlaceholderData ? 'opacity-60' : ''}`}
        >
          <p className="max-w-[80ch] text-lg text-pretty">
            {toTrackSentence(data.data, formats)}{' '}
            <ZonedLink className="link text-base text-ink-3" href="/docs/records">
              Method
            </ZonedLink>
          </p>
          <StatStrip stats={toStats(data.data, formats)} />
          <Counted track={data.data} userId={userId} view={view} />
        </div>
      )}
    </Panel>
  )
}

const NoPrices = () => (
  <p className="text-sm text-ink-3">
    Whether ratings were right shows by prices, of which there are none here.{' '}
    <ZonedLink className="link" href="/docs/records#prices">
      How to add prices
    </ZonedLink>
  </p>
)

function toStats(track: Track, formats: Formats): Stat[] {
  const { formatCount, formatCounted, formatShare } = formats
  const share = (text: string | null) => (text === null ? '–' : formatShare(toTimes(text)))
  const percent = (text: string | null) => toSignedPercent(text, formats)
  const { hit_low, hit_high, excess_low, excess_high, luck, rank } = track
  return [
    {
      term: 'Right',
      figure: (
        <span className="inline-flex items-center">
          {share(track.hit_rate)}
          <RuleNote about="how often the user was right">
            A buy is right where the symbol did better than the{' '}
            {track.prices.benchmark ?? 'mean of all symbols'} over the {track.horizon} days after
            it, a sell where it did worse. Calls on one symbol whose days overlap count once. The
            interval (95 %) is Wilson’s.
          </RuleNote>
        </span>
      ),
      detail:
        hit_low === null
          ? 'none counts yet'
          : `${share(hit_low)} to ${share(hit_high)}; a coin 50%`,
    },
    { term: 'All users', figure: share(track.everybody), detail: 'right, of all calls' },
    {
      term: 'Better than the others by',
      figure: percent(track.excess),
      detail:
        excess_low === null
          ? 'too few for an interval'
          : `${percent(excess_low)} to ${percent(excess_high)}`,
    },
    {
      term: 'Rank',
      figure: rank === null ? '–' : formatCount(rank),
      detail:
        rank === null ? 'from 5 separate calls on' : `of ${formatCounted(track.ranked, 'user')}`,
    },
    {
      term: 'Coins that do as well',
      figure: luck === null ? '–' : `${toTimes(luck)} of 100`,
      detail: luck === null ? 'from 5 separate calls on' : 'by luck alone',
    },
  ]
}

type CountedProps = { userId: number; track: Track; view: UserView }

/** How many ratings were scored, what kept the others from it, and the way to all of them. */
function Counted({ userId, track, view }: CountedProps) {
  const { formatCount, formatCounted } = useFormats()
  const mayExport = useMay('export')
  const left = [
    [track.open, 'not over yet'],
    [track.hold, 'holds'],
    [track.no_price + track.no_entry, 'without a price'],
  ] as const
  const params = toUserCallsParams(userId, view)
  return (
    <p className="text-sm text-ink-3">
      {formatCount(track.scored)} of {formatCounted(track.calls, 'rating')} count
      {left.map(([count, what]) => (count > 0 ? `, ${formatCount(count)} ${what}` : ''))}.{' '}
      {mayExport && (
        <a className="link" download href={withBase(toFilePath('calls', params, PLAIN_CSV))}>
          All of them as CSV
        </a>
      )}
      {mayExport && ' · '}
      <ZonedLink className="link" href="/docs/records#a-record">
        What counts
      </ZonedLink>
    </p>
  )
}
