import { type Kysely, sql } from 'kysely'
import type {
  ImportSource,
  QuarantineExport,
  QuarantinePage,
  QuarantineQuery,
} from '#lib/archive/archive.ts'
import type { Engine, Snapshot } from '#lib/archive/engine/duckdb-engine.ts'
import type { Tables } from '#lib/archive/engine/tables.ts'
import type { QuarantinedRow } from '#lib/contract/answers/status.ts'

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

/** Keeps so many of them, the newest, as the archive did that these came from. */
export async function keepNewest(db: Kysely<Tables>, rows: number): Promise<void> {
  await sql`
    delete from quarantine where rowid in (
      select rowid from quarantine order by quarantined_at desc, rowid desc offset ${sql.lit(rows)}
    )`.execute(db)
}

/** The newest first, those of one run in an order of their own: texts are long, and are not sorted by. */
const inQuarantine = (db: Kysely<Tables>, reason: string | null) =>
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

/** Rows that are in memory at a time: at 4,096 characters each some megabytes. */
const WINDOW_ROWS = 1000

/** Counts what is in quarantine and holds the snapshot to write it from. Whoever opens it closes it. */
export async function openQuarantine(
  engine: Engine,
  signal?: AbortSignal,
): Promise<QuarantineExport> {
  const snapshot = await engine.openSnapshot(signal)
  try {
    const rows = await snapshot.read(async ({ db }) => {
      const ordered = inQuarantine(db, null).select(sql<number>`rowid`.as('row_id'))
      await sql`
        create temporary table export_order as
        select row_number() over () - 1 as place, row_id from ${ordered} as ordered`.execute(db)
      const counted = await db
        .selectFrom('export_order')
        .select((eb) => eb.fn.countAll<number>().as('rows'))
        .executeTakeFirstOrThrow()
      return counted.rows
    })
    return {
      rows,
      lines: () => streamLines(snapshot, rows),
      close: async () => await snapshot.close(),
    }
  } catch (error) {
    await snapshot.close()
    throw error
  }
}

async function* streamLines(
  snapshot: Snapshot,
  rows: number,
): AsyncGenerator<string[], void, undefined> {
  for (let from = 0; from < rows; from += WINDOW_ROWS) {
    const window = await snapshot.read(
      async ({ db }) =>
        await db
          .selectFrom('export_order')
          .innerJoin('quarantine', (join) => join.on(sql`quarantine.rowid`, '=', sql.ref('row_id')))
          .select(['quarantined_at as at', 'source_name as source', 'reason', 'raw'])
          .where('place', '>=', from)
          .where('place', '<', from + WINDOW_ROWS)
          .orderBy('place')
          .execute(),
    )
    yield window.map((row) => JSON.stringify(row))
  }
}
