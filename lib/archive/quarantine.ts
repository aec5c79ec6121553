import { type Kysely, sql } from 'kysely'
import type { ImportSource, QuarantinedRow } from './archive.ts'
import type { Tables } from './tables.ts'

/**
 * Keeps the staged rejected rows, each once: what the same kind of source gave before, for the same reason, is not
 * kept again. Gives how many are new.
 */
export async function quarantineRejected(
  db: Kysely<Tables>,
  { source, at }: { source: ImportSource; at: number },
): Promise<number> {
  const result = await sql`
    insert into quarantine
    select cast(${source.kind} as text), cast(${source.name} as text), reason, raw,
      cast(${at} as bigint)
    from (select distinct reason, raw from incoming_rejected) as rejected
    where not exists (
      select 1 from quarantine
      where quarantine.source_kind = ${source.kind}
        and quarantine.reason = rejected.reason and quarantine.raw = rejected.raw
    )`.execute(db)
  return Number(result.numAffectedRows ?? 0)
}

/** The newest first. */
export async function selectQuarantine(
  db: Kysely<Tables>,
  limit: number,
): Promise<QuarantinedRow[]> {
  return await db
    .selectFrom('quarantine')
    .select(['reason', 'raw', 'quarantined_at as at'])
    .orderBy('quarantined_at', 'desc')
    .orderBy('reason')
    .orderBy('raw')
    .limit(limit)
    .execute()
}
