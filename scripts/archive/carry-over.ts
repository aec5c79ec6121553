import { type Kysely, sql } from 'kysely'
import { openEngine } from '#lib/archive/duckdb-engine.ts'
import { isDamage } from '#lib/archive/engine-problems.ts'
import { qualityBit } from '#lib/archive/quality-bits.ts'
import type { Tables } from '#lib/archive/tables.ts'
import { LIMITS } from './by-hand.ts'
import type { OldArchive } from './old-archive.ts'

/** Ratings that are no longer listed: by their id since when, in seconds. */
export type Marks = ReadonlyMap<number, number>

/**
 * Takes over what stands beside the ratings: `marks`, the quarantine, and how far the archive had come. What of it cannot be
 * read is left.
 */
export async function carryOver(next: string, old: OldArchive, marks: Marks): Promise<void> {
  const engine = await openEngine({ ...LIMITS, path: next })
  const { db } = engine.writer
  try {
    await keepMarks(db, marks)
    await sql`attach ${sql.lit(old.path)} as old (read_only)`.execute(db)
    const steps = [keepQuarantine, keepGeneration, ...(old.isWhole ? [keepCovered] : [])]
    for (const step of steps) {
      await step(db).catch((error: unknown) => {
        if (!isDamage(error)) throw error
      })
    }
    await sql`detach old`.execute(db)
    await sql`checkpoint`.execute(db)
  } finally {
    await engine.close()
  }
}

/** So many at a time. */
const SLICE_MARKS = 10_000

/** A rating that the dump made vanish later than it had is given the earlier instant. */
async function keepMarks(db: Kysely<Tables>, marks: Marks): Promise<void> {
  const all = [...marks].map(([id, at]) => sql`(${sql.lit(id)}, ${sql.lit(at)})`)
  await sql`create temporary table mark (id bigint, since bigint)`.execute(db)
  for (let from = 0; from < all.length; from += SLICE_MARKS) {
    const slice = all.slice(from, from + SLICE_MARKS)
    await sql`insert into mark values ${sql.join(slice)}`.execute(db)
  }
  await sql`
    update rating set
      vanished_at = least(coalesce(rating.vanished_at, since), since),
      effective_until = least(rating.effective_until, since),
      quality = quality | ${sql.lit(qualityBit('vanished'))}
    from mark where mark.id = rating.id`.execute(db)
  await sql`drop table mark`.execute(db)
}

async function keepQuarantine(db: Kysely<Tables>): Promise<void> {
  await sql`
    insert into quarantine by name
    select * from old.quarantine as earlier where not exists (
      select 1 from quarantine where quarantine.source_kind = earlier.source_kind
        and quarantine.reason = earlier.reason and quarantine.raw = earlier.raw
    )`.execute(db)
}

/** Higher than before, so that nothing that was kept of the old one is taken for this one's. */
async function keepGeneration(db: Kysely<Tables>): Promise<void> {
  await sql`
    update journal set generation = greatest(journal.generation, earlier.generation) + 1
    from old.journal as earlier`.execute(db)
}

/** What an archive lacked up to its last whole dump, the service did not list: true of the new one only if it holds all of it. */
async function keepCovered(db: Kysely<Tables>): Promise<void> {
  const { rows: columns } = await sql`
    select 1 from duckdb_columns() where database_name = 'old'
      and table_name = 'journal' and column_name = 'covered_to_id'`.execute(db)
  if (columns.length === 0) return
  await sql`
    update journal set covered_to_id = earlier.covered_to_id, covered_at = earlier.covered_at
    from old.journal as earlier
    where earlier.covered_to_id > coalesce(journal.covered_to_id, earlier.covered_to_id - 1)`.execute(
    db,
  )
}
