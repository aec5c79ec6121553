'use client'

import { describeProgress, describeStep } from '#components/feedback/progress-text.ts'
import { formatDate, toClock } from '#components/format/instants.ts'
import { formatCount } from '#components/format/numbers.ts'
import { ProgressBar } from '#components/ui/loading.tsx'
import { type Stat, StatStrip } from '#components/ui/panels.tsx'
import { useZone } from '#components/ui/time-zone.ts'
import { CompletenessPanel } from './archive-panels.tsx'
import { describeQuiet, StateDot, selectFreshness } from './freshness.tsx'
import { Alarms, type CurrentStatus, StatusPage } from './status-page.tsx'
import { HEALTH_WORDS } from './status-texts.ts'
import { UptimeStrip } from './uptime-strip.tsx'

export const StatusScreen = () => (
  <StatusPage
    path="/status"
    render={({ status, now }) => (
      <>
        <Health status={status} now={now} />
        <Alarms alarms={status.alarms} now={now} />
        <UptimeStrip days={status.days} now={now} />
        <StatusFigures status={status} now={now} />
        <CompletenessPanel archive={status.archive} />
      </>
    )}
  />
)

function Health({ status, now }: CurrentStatus) {
  const { tone, text, detail, reason } = selectFreshness(status, now, { zone: useZone() })
  const { progress } = status.sync
  return (
    <section aria-label="Health" className="flex flex-col gap-2">
      <p className="flex items-baseline gap-2.5 text-lg">
        <StateDot tone={tone} />
        <span className="min-w-0">
          <strong>{HEALTH_WORDS[tone]}.</strong> {text}
          {detail !== null && `, ${detail}`}.
        </span>
      </p>
      {reason !== null && status.alarms.every(({ message }) => message !== reason) && (
        <p className="max-w-text text-ink-2">{reason}</p>
      )}
      {progress && (
        <ProgressBar
          label={describeStep(progress)}
          done={progress.done}
          total={progress.total}
          detail={describeProgress(progress)}
        />
      )}
    </section>
  )
}

function StatusFigures({ status: { archive, quarantine }, now }: CurrentStatus) {
  const zone = useZone()
  const { newest_created_at: newest } = archive
  const stats: Stat[] = [
    { term: 'Ratings', figure: formatCount(archive.ratings), detail: 'in the archive' },
    {
      term: 'Newest rating',
      figure: newest === null ? 'none' : formatDate(toClock(newest, zone)),
      detail: describeQuiet(archive, now) === null ? undefined : 'longer ago than is usual',
    },
    ...(archive.vanished > 0
      ? [
          {
            term: 'No longer listed',
            figure: formatCount(archive.vanished),
            detail: 'kept and marked',
          },
        ]
      : []),
    ...(quarantine.rows > 0
      ? [
          {
            term: 'Set aside',
            figure: formatCount(quarantine.rows),
            detail:
              quarantine.rows === 1 ? 'row that is not a rating' : 'rows that are not ratings',
          },
        ]
      : []),
  ]
  return <StatStrip stats={stats} />
}
