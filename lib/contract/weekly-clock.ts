import { DateTime } from 'luxon'

/** The specification says "EDT", read as the zone in summer and winter. */
export const EDITION_ZONE = 'America/New_York'

export const DUMP_KINDS = ['posts', 'lookups'] as const
export type DumpKind = (typeof DUMP_KINDS)[number]

const SUNDAY = 7

type Week = { from: number; to: number }

/** Cache: zone arithmetic is slow. */
let lastWeeks: readonly Week[] = []
const WEEKS_KEPT = 4

/** Sunday to Sunday, 00:00 in New York: 167 to 169 hours. */
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

/** Both are in seconds since 1970. */
export const editionAt = (at: number): number => weekOf(at).from

export const nextEditionAt = (at: number): number => weekOf(at).to

export const editionName = (at: number): string =>
  DateTime.fromSeconds(editionAt(at), { zone: EDITION_ZONE }).toFormat('yyyy-MM-dd')

/** Throws if the name is invalid. */
export function editionStart(edition: string): number {
  const start = DateTime.fromISO(edition, { zone: EDITION_ZONE })
  if (!start.isValid) throw new Error('an edition is named by no day')
  return start.toUnixInteger()
}

export const editionFileName = (kind: DumpKind, edition: string): string => `${kind}-${edition}.csv`
