import { type DuckDBValue, INTEGER } from '@duckdb/node-api'
import { RATING_FIELDS } from '#lib/contract/rating-fields.ts'
import { readCsv } from './csv-records.ts'
import { CSV_TYPES, createRowReader } from './csv-row.ts'
import { CHUNK_ROWS, type ColumnChunks, type Database } from './database.ts'
import { SourceProblem } from './source.ts'

export const CSV_TABLE = 'ratings'

const STAGED = 'staged'
const LOGGED_LINES = 20

export type ImportReport = { rows: number; skipped: number; duplicates: number }

/**
 * Imports ratings from a CSV in the dump layout, columns in any order. Rows that are no ratings are skipped and logged
 * with their line; of rows with the same id the last one stays. Throws SourceProblem where the file is no such CSV.
 */
export async function importCsv(
  database: Database,
  path: string,
  log: (line: string) => void,
): Promise<ImportReport> {
  const columns = RATING_FIELDS.map((field, index) => `${field} ${CSV_TYPES[index]}`).join(', ')
  await database.run(`CREATE TABLE ${STAGED} (${columns}, ordinal INTEGER)`)
  const counts = { read: 0, skipped: 0 }
  await database.append(STAGED, [...CSV_TYPES, INTEGER], toChunks(path, counts, log))
  const skippedMore = counts.skipped - LOGGED_LINES
  if (skippedMore > 0) log(`posts CSV: ${skippedMore} more lines skipped`)
  await database.run(
    `CREATE TABLE ${CSV_TABLE} AS
     SELECT row_number() OVER (ORDER BY id) AS position, * EXCLUDE (ordinal) FROM ${STAGED}
     WHERE ordinal IN (SELECT max(ordinal) FROM ${STAGED} GROUP BY id) ORDER BY id`,
  )
  await database.run(`DROP TABLE ${STAGED}`)
  await database.run('CHECKPOINT')
  const [stored] = await database.rows(`SELECT count(*) FROM ${CSV_TABLE}`)
  const rows = Number(stored?.[0])
  return { rows, skipped: counts.skipped, duplicates: counts.read - rows }
}

async function* toChunks(
  path: string,
  counts: { read: number; skipped: number },
  log: (line: string) => void,
): ColumnChunks {
  let readRow: ReturnType<typeof createRowReader> | null = null
  let columns = toColumns()
  for await (const records of readCsv(path)) {
    for (const { line, cells, problem } of records) {
      if (readRow === null) {
        readRow = createRowReader(requireHeader(cells))
        continue
      }
      const row = problem === null ? readRow(cells) : { ok: false as const, reason: problem }
      if (!row.ok) {
        counts.skipped += 1
        if (counts.skipped <= LOGGED_LINES) log(`posts CSV: line ${line} skipped: ${row.reason}`)
        continue
      }
      counts.read += 1
      row.values.push(counts.read)
      row.values.forEach((value, index) => {
        columns[index]?.push(value)
      })
      if ((columns[0]?.length ?? 0) < CHUNK_ROWS) continue
      yield columns
      columns = toColumns()
    }
  }
  if (readRow === null) throw new SourceProblem('the posts CSV is empty')
  if (columns[0]?.length) yield columns
}

function requireHeader(cells: readonly string[]): readonly string[] {
  const missing = RATING_FIELDS.filter((field) => !cells.includes(field))
  if (missing.length > 0) throw new SourceProblem(`the posts CSV lacks ${missing.join(', ')}`)
  const double = cells.find((name, index) => cells.indexOf(name) !== index)
  if (double !== undefined) throw new SourceProblem(`the posts CSV has the column ${double} twice`)
  return cells
}

const toColumns = (): DuckDBValue[][] => Array.from({ length: RATING_FIELDS.length + 1 }, () => [])
