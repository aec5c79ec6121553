import { type Kysely, sql } from 'kysely'
import type { Applied, SharedState } from '#lib/archive/archive.ts'
import type { Tables } from '#lib/archive/engine/tables.ts'

/** Null if not a replica. */
export async function loadApplied(db: Kysely<Tables>): Promise<Applied | null> {
  const { rows: found } = await sql`
    select 1 from information_schema.tables
    where table_catalog = current_database() and table_name = 'replica'`.execute(db)
  if (found.length === 0) return null
  const row = await db.selectFrom('replica').selectAll().executeTakeFirst()
  if (!row) return null
  const { quarantine_seq: quarantineSeq, ...rest } = row
  return { ...rest, quarantineSeq }
}

/** Must run within the transaction of the change. */
export async function noteApplied(
  db: Kysely<Tables>,
  { generation, mark, revision, quarantineSeq }: Applied,
): Promise<void> {
  await sql`
    create table if not exists replica (
      generation bigint not null, mark text not null, revision bigint not null,
      quarantine_seq bigint not null
    )`.execute(db)
  await db.deleteFrom('replica').execute()
  await db
    .insertInto('replica')
    .values({ generation, mark, revision, quarantine_seq: quarantineSeq })
    .execute()
}

export async function forgetApplied(db: Kysely<Tables>): Promise<void> {
  await sql`drop table if exists replica`.execute(db)
}

export const isSameApplied = (a: Applied | null, b: Applied | null): boolean =>
  a === b ||
  (a !== null &&
    b !== null &&
    a.generation === b.generation &&
    a.mark === b.mark &&
    a.revision === b.revision &&
    a.quarantineSeq === b.quarantineSeq)

export async function loadSharedState(db: Kysely<Tables>): Promise<SharedState> {
  const journal = await db
    .selectFrom('journal')
    .select([
      'generation',
      'complete_to as completeTo',
      'covered_to_id as coveredToId',
      'covered_at as coveredAt',
      'quarantine_dropped as quarantineDropped',
    ])
    .executeTakeFirstOrThrow()
  const { quarantined } = await db
    .selectFrom('quarantine')
    .select((eb) => eb.fn.countAll<number>().as('quarantined'))
    .executeTakeFirstOrThrow()
  return { ...journal, quarantined }
}
