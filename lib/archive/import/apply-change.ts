import { type Kysely, sql } from 'kysely'
import type { Change } from '#lib/archive/archive.ts'
import type { Session } from '#lib/archive/engine/duckdb-session.ts'
import { createStaging, dropStaging } from '#lib/archive/engine/migrations.ts'
import { setIncomingKeys } from '#lib/archive/engine/symbol-keys.ts'
import type { Tables } from '#lib/archive/engine/tables.ts'
import { isSameApplied, loadApplied, noteApplied } from '#lib/archive/share/applied.ts'
import { readSharedCsv } from '#lib/archive/share/shared-csv.ts'
import { QUARANTINE_COLUMNS, RATING_COLUMNS } from '#lib/archive/share/shared-rows.ts'
import { checkpointAfter } from './checkpoint.ts'
import { mergeIncoming, rebuild } from './merge.ts'
import { keepNewest } from './quarantine.ts'

type ApplyOptions = { now: () => number; rebuildAbove: number }

/**
 * Returns false, with nothing changed, if the archive holds a different state. Must be serialized
 * with imports.
 */
export async function applyChange(
  { db }: Session,
  change: Change,
  options: ApplyOptions,
): Promise<boolean> {
  if (!isSameApplied(await loadApplied(db), change.over)) return false
  try {
    const rows = await stageRows(db, change)
    await db.transaction().execute(async (transaction) => {
      if (change.isWhole) {
        await rebuild(transaction, { source: sql`incoming`, ontoNothing: true })
      } else if (rows > 0) {
        const vanishedAt = sql.ref('vanished_at')
        const { rebuildAbove } = options
        await mergeIncoming(transaction, { rebuildAbove, whole: undefined, csv: null, vanishedAt })
      }
      await takeQuarantine(transaction, change)
      await noteState(transaction, change, { rows, at: options.now() })
      await noteApplied(transaction, change.applied)
    })
    await checkpointAfter(db, rows)
    return true
  } finally {
    await dropStaging(db)
  }
}

async function stageRows(db: Kysely<Tables>, { files }: Change): Promise<number> {
  await createStaging(db)
  await sql`alter table incoming add column vanished_at bigint`.execute(db)
  if (files.rows === null) return 0
  const names = sql.join(RATING_COLUMNS.names.map((name) => sql.ref(name)))
  const inserted = await sql`
    insert into incoming (${names}, seq, symbol_key)
    select ${names}, 0, upper(symbol) from ${readSharedCsv(files.rows, RATING_COLUMNS)}`.execute(db)
  await setIncomingKeys(db)
  return Number(inserted.numAffectedRows ?? 0)
}

async function takeQuarantine(
  db: Kysely<Tables>,
  { isWhole, files, state }: Change,
): Promise<void> {
  if (isWhole) await sql`delete from quarantine`.execute(db)
  if (files.quarantine !== null) {
    const names = sql.join(QUARANTINE_COLUMNS.names.map((name) => sql.ref(name)))
    await sql`
      insert into quarantine (${names})
      select ${names} from ${readSharedCsv(files.quarantine, QUARANTINE_COLUMNS)}`.execute(db)
  }
  await keepNewest(db, state.quarantined)
}

async function noteState(
  db: Kysely<Tables>,
  { state, applied }: Change,
  { rows, at }: { rows: number; at: number },
): Promise<void> {
  await db
    .updateTable('journal')
    .set({
      generation: state.generation,
      complete_to: state.completeTo,
      covered_to_id: state.coveredToId,
      covered_at: state.coveredAt,
      quarantine_dropped: state.quarantineDropped,
      last_source: `store ${applied.revision}`,
      last_state: 'committed',
      last_at: at,
      last_inserted: 0,
      last_updated: rows,
      last_unchanged: 0,
    })
    .execute()
}
