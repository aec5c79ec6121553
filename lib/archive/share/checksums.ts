import { type Kysely, sql } from 'kysely'
import type { Applied } from '#lib/archive/archive.ts'
import type { Tables } from '#lib/archive/engine/tables.ts'
import type { ArchiveReader, SignalOptions } from '#lib/archive/reader.ts'
import { loadApplied } from './applied.ts'
import { toSharedText } from './shared-csv.ts'
import { CHECKSUM_DIGITS, toCanonicalSql } from './shared-rows.ts'

const CANONICAL = sql.raw(
  toCanonicalSql({ byteLength: (text) => `strlen(${text})`, toShared: toSharedText }),
)

export type ChecksumRanges = { from: number; width: number }

/** -1 holds ids below `from`. Empty ranges are omitted. */
export type RangeChecksum = { range: number; ratings: number; sum: string }

export type Checksums = { applied: Applied | null; ranges: RangeChecksum[] }

export const selectChecksums = async (
  reader: ArchiveReader,
  ranges: ChecksumRanges,
  { signal }: SignalOptions,
): Promise<Checksums> => await reader.read((db) => selectSums(db, ranges), signal)

async function selectSums(db: Kysely<Tables>, { from, width }: ChecksumRanges): Promise<Checksums> {
  return await db.transaction().execute(async (snapshot) => {
    const { rows: ranges } = await sql<RangeChecksum>`
      select range, count(*) as ratings, cast(sum(part) as text) as sum from (
        select case when id < ${sql.lit(from)} then -1 else (id - ${sql.lit(from)}) // ${sql.lit(width)} end as range,
          cast('0x' || substr(sha256(${CANONICAL}), 1, ${sql.lit(CHECKSUM_DIGITS)}) as bigint) as part
        from rating
      ) as parts
      group by range order by range`.execute(snapshot)
    return { applied: await loadApplied(snapshot), ranges }
  })
}
