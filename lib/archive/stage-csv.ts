import { type Kysely, sql } from 'kysely'
import type { CsvImport } from './archive.ts'
import { type CsvFile, selectAdmittedKeys } from './csv-source.ts'
import { countPlainRecords, readCsvForm } from './csv-text.ts'
import { refuseAborted, type Session } from './duckdb-session.ts'
import type { Tables } from './tables.ts'

/** A file whose records are all ratings, each of another id. `isAscending`: they stand in order of time and id. */
export type StagedCsv = CsvFile & { isAscending: boolean }

/** What the engine would take for a pattern, naming files. */
const PATTERN = /[*?[\]{}]/

/**
 * Stages the keys of a file's ratings as `keyed`, in the file's order, where the engine reads that file certainly as
 * `parseCsvRating` does; null, and nothing staged, where it may not. Throws AppError('busy') when aborted.
 */
export async function stageCsv(
  session: Session,
  { path, rows, signal }: CsvImport,
): Promise<StagedCsv | null> {
  try {
    const form = PATTERN.test(path) ? null : await readCsvForm(path)
    if (!form) return null
    const csv = { ...form, path, rows }
    // Looked through while the engine reads it; what cannot be looked through is not plain.
    const looking = countPlainRecords(path, form.newline, signal).catch(() => null)
    const order = await session
      .interruptible(signal, async () => await stageKeys(session.db, csv))
      .finally(async () => await looking)
    if (order && (await looking) === rows) return { ...csv, ...order }
  } catch {
    // Whatever was wrong with it, record by record is how it is found out.
  }
  await dropKeys(session.db)
  refuseAborted(signal)
  return null
}

/** Puts the staged keys in the place of `incoming`: what asks which ratings came is answered by them. */
export async function adoptKeys(db: Kysely<Tables>): Promise<void> {
  await sql`drop table incoming`.execute(db)
  await sql`alter table keyed rename to incoming`.execute(db)
}

const dropKeys = async (db: Kysely<Tables>) => {
  await sql`drop table if exists keyed`.execute(db)
}

async function stageKeys(
  db: Kysely<Tables>,
  csv: CsvFile,
): Promise<Pick<StagedCsv, 'isAscending'> | null> {
  await dropKeys(db)
  await sql`create temporary table keyed as ${selectAdmittedKeys(csv)}`.execute(db)
  const { rows } = await sql<{ rows: number; unordered: number; backward: number }>`
    select count(*) as rows,
      count(*) filter (where id <= id_before) as unordered,
      count(*) filter (
        where created_at < created_before or created_at = created_before and id <= id_before
      ) as backward
    from (
      select id, created_at, lag(id) over () as id_before, lag(created_at) over () as created_before
      from keyed
    ) as following`.execute(db)
  const [found] = rows
  if (!found || found.rows !== csv.rows) return null
  // Ids that only grow are each another: then they need not be counted.
  if (found.unordered > 0 && (await countIds(db)) !== csv.rows) return null
  return { isAscending: found.backward === 0 }
}

async function countIds(db: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ ids: number }>`select count(distinct id) as ids from keyed`.execute(
    db,
  )
  return rows[0]?.ids ?? 0
}
