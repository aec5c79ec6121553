'use client'

import { formatRelative } from '#components/format/relative.ts'
import { useFormats } from '#components/format/use-formats.tsx'
import { toZonedDay, toZonedTime } from '#components/format/zoned.ts'
import { InstantButton } from '#components/time/instant.tsx'
import { useZone } from '#components/time/zone.tsx'
import { toZoneName } from '#components/time/zone-name.ts'
import { type Stat, StatStrip } from '#components/ui/stat-strip.tsx'
import type { Status } from '#lib/contract/answers/status.ts'

/** The archive in four figures. */
export function StatusFigures({ status, now }: { status: Status; now: number }) {
  const { archive, sync, quarantine } = status
  const { formatCount } = useFormats()
  const zone = useZone()
  const stats: Stat[] = [
    {
      term: 'Ratings',
      figure: formatCount(archive.ratings),
      detail: 'in the archive',
    },
    {
      term: 'Complete to',
      figure: archive.complete_to === null ? 'not yet' : toZonedTime(archive.complete_to, zone),
      detail:
        archive.complete_to === null ? undefined : (
          <>
            {toZoneName(zone)},{' '}
            <InstantButton seconds={archive.complete_to}>
              {toZonedDay(archive.complete_to, zone)}
            </InstantButton>
          </>
        ),
    },
    {
      term: 'Checked',
      figure: sync.checked_at === null ? 'never' : formatRelative(sync.checked_at, now),
      detail:
        sync.checked_at === null ? undefined : (
          <InstantButton seconds={sync.checked_at}>
            {toZonedTime(sync.checked_at, zone)} {toZoneName(zone)}
          </InstantButton>
        ),
    },
    {
      term: 'Set aside',
      figure: formatCount(quarantine.rows),
      detail: quarantine.rows === 1 ? 'row that is no rating' : 'rows that are no rating',
    },
  ]
  return <StatStrip stats={stats} />
}
