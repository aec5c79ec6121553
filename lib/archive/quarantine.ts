import { type Kysely, sql } from 'kysely'
import type { QuarantinedRow } from '#lib/contract/answers/quarantine.ts'
import type { ImportSource, QuarantinePage, QuarantineQuery } from './archive.ts'
import type { Tables } from './tables.ts'

/** So many rows are kept, and so many characters of them: beyond either the oldest go, and are only counted. */
export const QUARANTINE_ROWS = 100_000
export const QUARANTINE_CHARACTERS = 32 * 1024 * 1024

/** Reasons that are counted apart: a service can be wrong in as many ways as it likes. */
const REASONS = 100

type Rejections = { source: ImportSource; at: number; overflow: number }

/**
 * Keeps the staged rejected rows, each once: what the same kind of source gave before, for the same reason, is not
 * kept again. `overflow` more were not staged. Gives how many are new.
 */
export async function quarantineRejected(
  db: Kysely<Tables>,
  { source, at, overflow }: Rejections,
): Promise<number> {
  const result = await sql`
    insert into quarantine
    select cast(${source.kind} as text), cast(${source.name} as text), reason, raw,
      cast(${at} as bigint), rating_id
    from (
      select distinct reason, raw, rating_id from incoming_rejected where raw is not null
    ) as rejected
    where not exists (
      select 1 from quarantine
      where quarantine.source_kind = ${source.kind}
        and quarantine.reason = rejected.reason and quarantine.raw = rejected.raw
    )`.execute(db)
  const added = Number(result.numAffectedRows ?? 0)
  const dropped = overflow + (added > 0 ? await dropOldest(db) : 0)
  if (dropped > 0) {
    await sql`update journal set quarantine_dropped = quarantine_dropped + ${dropped}`.execute(db)
  }
  return added + overflow
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

/** The newest first, those of one run in an order of their own: texts are long, and are not sorted by. */
export const inQuarantine = (db: Kysely<Tables>, reason: string | null) =>
  db
    .selectFrom('quarantine')
    .$if(reason !== null, (rows) => rows.where('reason', '=', reason))
    .orderBy('quarantined_at', 'desc')
    .orderBy(sql`rowid`)

const SHOWN = ['quarantined_at as at', 'source_name as source', 'reason', 'raw'] as const

/** The newest of them. */
export const selectQuarantine = async (
  db: Kysely<Tables>,
  limit: number,
): Promise<QuarantinedRow[]> => await inQuarantine(db, null).select(SHOWN).limit(limit).execute()

/** One page of them, of one reason or of all. */
export async function selectQuarantinePage(
  db: Kysely<Tables>,
  { reason, page, perPage }: QuarantineQuery,
): Promise<QuarantinePage> {
  // One transaction: a commit between the reads would part the rows from their counts.
  return await db.transaction().execute(async (snapshot) => {
    const rows = await inQuarantine(snapshot, reason)
      .select(SHOWN)
      .limit(perPage)
      .offset((page - 1) * perPage)
      .execute()
    const { total } = await snapshot
      .selectFrom('quarantine')
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .$if(reason !== null, (all) => all.where('reason', '=', reason))
      .executeTakeFirstOrThrow()
    return { rows, total, reasons: await selectReasons(snapshot) }
  })
}

const selectReasons = async (db: Kysely<Tables>) =>
  await db
    .selectFrom('quarantine')
    .select((eb) => ['reason', eb.fn.countAll<number>().as('count')])
    .groupBy('reason')
    .orderBy('count', 'desc')
    .orderBy('reason')
    .limit(REASONS)
    .execute()
