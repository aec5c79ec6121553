import { type Kysely, sql } from 'kysely'
import type { ChecksumRanges, Checksums, RangeChecksum } from '#lib/archive/archive.ts'
import type { Tables } from '#lib/archive/engine/tables.ts'
import { loadApplied } from './applied.ts'
import { toSharedText } from './shared-csv.ts'
import { CHECKSUM_DIGITS, toCanonicalSql } from './shared-rows.ts'

const CANONICAL = sql.raw(
  toCanonicalSql({ byteLength: (text) => `strlen(${text})`, toShared: toSharedText }),
)

/** Sums over all that is shared of the ratings, whatever their order; a store makes the same ones. Of one state. */
export async function selectChecksums(
  db: Kysely<Tables>,
  { from, width }: ChecksumRanges,
): Promise<Checksums> {
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
