import { type Kysely, sql } from 'kysely'
import type { ImportSource } from '#lib/archive/archive.ts'
import type { Tables } from '#lib/archive/engine/tables.ts'

/** Beyond either limit, the oldest rows are only counted. */
export const QUARANTINE_ROWS = 100_000
export const QUARANTINE_CHARACTERS = 32 * 1024 * 1024

type Rejections = { source: ImportSource; at: number; overflow: number }

/**
 * Skips repeated rows. Returns the number of new rows. Of `overflow`, whose texts are unknown, only
 * rows beyond those that were dropped before are new.
 */
export async function quarantineRejected(
  db: Kysely<Tables>,
  { source, at, overflow }: Rejections,
): Promise<number> {
  const result = await sql`
    insert into quarantine
    select cast(${source.kind} as text), concat(cast(${source.name} as text), ', line ' || line),
      reason, raw, cast(${at} as bigint), rating_id
    from (
      select reason, raw, rating_id, min(line) as line from incoming_rejected
      where raw is not null group by reason, raw, rating_id
    ) as rejected
    where not exists (
      select 1 from quarantine
      where quarantine.source_kind = ${source.kind}
        and quarantine.reason = rejected.reason and quarantine.raw = rejected.raw
    )`.execute(db)
  const added = Number(result.numAffectedRows ?? 0)
  const { quarantine_dropped: before } = await db
    .selectFrom('journal')
    .select('quarantine_dropped')
    .executeTakeFirstOrThrow()
  const beyond = Math.max(0, overflow - before)
  const dropped = beyond + (added > 0 ? await dropOldest(db) : 0)
  if (dropped > 0) {
    await sql`update journal set quarantine_dropped = quarantine_dropped + ${dropped}`.execute(db)
  }
  return added + beyond
}

async function dropOldest(db: Kysely<Tables>): Promise<number> {
  const result = await sql`
    delete from quarantine where rowid in (
      select place from (
        select rowid as place, row_number() over newest_first as kept,
          sum(length(reason) + length(raw)) over newest_first as characters
        from quarantine
        window newest_first as (
          order by quarantined_at desc, rowid desc rows between unbounded preceding and current row
        )
      ) as counted
      where kept > ${sql.lit(QUARANTINE_ROWS)} or characters > ${sql.lit(QUARANTINE_CHARACTERS)}
    )`.execute(db)
  return Number(result.numAffectedRows ?? 0)
}

export async function keepNewest(db: Kysely<Tables>, rows: number): Promise<void> {
  await sql`
    delete from quarantine where rowid in (
      select rowid from quarantine order by quarantined_at desc, rowid desc offset ${sql.lit(rows)}
    )`.execute(db)
}
