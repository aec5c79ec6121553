import { DateTime } from 'luxon'

/** Where the dumps' Sunday begins: "EDT" in the specification is read as the zone, summer and winter. */
export const EDITION_ZONE = 'America/New_York'

/** The two dumps. */
export const DUMP_KINDS = ['posts', 'lookups'] as const
export type DumpKind = (typeof DUMP_KINDS)[number]

const SUNDAY = 7

type Week = { from: number; to: number }

/** The weeks that were asked for last: calendars are slow, and most questions are about this week and that of a dump. */
let lastWeeks: readonly Week[] = []
const WEEKS_KEPT = 4

/** Sunday 00:00 in New York and the one after it. Weeks with a clock change last 167 or 169 hours. */
function weekOf(at: number): Week {
  const known = lastWeeks.find(({ from, to }) => at >= from && at < to)
  if (known) return known
  const local = DateTime.fromSeconds(at, { zone: EDITION_ZONE })
  const daysSinceSunday = local.weekday % SUNDAY
  const sunday = local.startOf('day').minus({ days: daysSinceSunday }).startOf('day')
  const next = sunday.plus({ days: 7 }).startOf('day')
  const week = { from: sunday.toUnixInteger(), to: next.toUnixInteger() }
  lastWeeks = [week, ...lastWeeks].slice(0, WEEKS_KEPT)
  return week
}

/** The newest Sunday 00:00 in New York that is not after `at`; both in seconds since 1970. */
export const editionAt = (at: number): number => weekOf(at).from

/** The first Sunday 00:00 in New York after `at`. */
export const nextEditionAt = (at: number): number => weekOf(at).to

/** The Sunday that an edition is named after, `YYYY-MM-DD`. */
export const editionName = (at: number): string =>
  DateTime.fromSeconds(editionAt(at), { zone: EDITION_ZONE }).toFormat('yyyy-MM-dd')

/** The first second of the Sunday that an edition is named after, in New York. Throws where the name is none. */
export function editionStart(edition: string): number {
  const start = DateTime.fromISO(edition, { zone: EDITION_ZONE })
  if (!start.isValid) throw new Error('an edition is named by no day')
  return start.toUnixInteger()
}

/** The file name of an edition: `posts-2026-11-15.csv`. */
export const editionFileName = (kind: DumpKind, edition: string): string => `${kind}-${edition}.csv`
