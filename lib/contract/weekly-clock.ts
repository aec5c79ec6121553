import { DateTime } from 'luxon'

/** Where the dumps' Sunday begins: "EDT" in the specification is read as the zone, summer and winter. */
export const EDITION_ZONE = 'America/New_York'

/** The two dumps. */
export const DUMP_KINDS = ['posts', 'lookups'] as const
export type DumpKind = (typeof DUMP_KINDS)[number]

const SUNDAY = 7

/** The newest Sunday 00:00 in New York that is not after `at`; both in seconds since 1970. */
export function editionAt(at: number): number {
  const local = DateTime.fromSeconds(at, { zone: EDITION_ZONE })
  const daysSinceSunday = local.weekday % SUNDAY
  return local.startOf('day').minus({ days: daysSinceSunday }).startOf('day').toUnixInteger()
}

/** The first Sunday 00:00 in New York after `at`. Weeks with a clock change last 167 or 169 hours. */
export function nextEditionAt(at: number): number {
  return DateTime.fromSeconds(editionAt(at), { zone: EDITION_ZONE })
    .plus({ days: 7 })
    .startOf('day')
    .toUnixInteger()
}

/** The Sunday that an edition is named after, `YYYY-MM-DD`. */
export const editionName = (at: number): string =>
  DateTime.fromSeconds(editionAt(at), { zone: EDITION_ZONE }).toFormat('yyyy-MM-dd')

/** The file name of an edition: `posts-2026-11-15.csv`. */
export const editionFileName = (kind: DumpKind, edition: string): string => `${kind}-${edition}.csv`
