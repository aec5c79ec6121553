import { formatCount } from '#components/format/count.ts'
import { formatClock, formatDay, formatRelative } from '#components/format/instant.ts'
import { type Stat, StatStrip } from '#components/ui/stat-strip.tsx'
import type { Status } from '#lib/contract/answers/state.ts'

/** The archive in four figures. */
export function StatusFigures({ status, now }: { status: Status; now: number }) {
  const { archive, sync, quarantine } = status
  const stats: Stat[] = [
    {
      term: 'Ratings',
      figure: formatCount(archive.ratings),
      detail: 'in the archive',
    },
    {
      term: 'Complete to',
      figure: archive.complete_to === null ? 'not yet' : formatClock(archive.complete_to),
      detail: archive.complete_to === null ? undefined : `UTC, ${formatDay(archive.complete_to)}`,
    },
    {
      term: 'Checked',
      figure: sync.checked_at === null ? 'never' : formatRelative(sync.checked_at, now),
      detail: sync.checked_at === null ? undefined : `${formatClock(sync.checked_at)} UTC`,
    },
    {
      term: 'Set aside',
      figure: formatCount(quarantine.rows),
      detail: quarantine.rows === 1 ? 'row that is no rating' : 'rows that are no rating',
    },
  ]
  return <StatStrip stats={stats} />
}
