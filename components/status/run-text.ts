import type { Formats } from '#components/format/formats.ts'
import type { SyncRun } from '#lib/contract/answers/status.ts'

/** How long something took, from seconds: `under 1 s`, `42 s`, `3 min 5 s`, `1 h 2 min`. */
export function toTook(seconds: number): string {
  if (seconds < 1) return 'under 1 s'
  const [hours, minutes, rest] = [seconds / 3600, (seconds % 3600) / 60, seconds % 60].map(
    Math.floor,
  )
  if (hours) return minutes ? `${hours} h ${minutes} min` : `${hours} h`
  if (minutes) return rest ? `${minutes} min ${rest} s` : `${minutes} min`
  return `${rest} s`
}

/** What a run did to the archive: `1,204 new, 88 changed, 2 gone`; `nothing new` where it did nothing. */
export function toRowChanges(rows: SyncRun['rows'], { formatCount }: Formats): string {
  if (rows === null) return ''
  const parts = [
    [rows.inserted, 'new'],
    [rows.updated, 'changed'],
    [rows.vanished, 'gone'],
    [rows.quarantined, 'set aside'],
  ] as const
  const told = parts.filter(([count]) => count > 0)
  if (told.length === 0) return 'nothing new'
  return told.map(([count, word]) => `${formatCount(count)} ${word}`).join(', ')
}
