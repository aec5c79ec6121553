import { constants, copyFile, writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { BIGINT, type DuckDBType, type DuckDBValue, INTEGER, VARCHAR } from '@duckdb/node-api'
import { parseCsvRating } from '#lib/contract/rating.ts'
import {
  PREDICTION_PATTERN,
  RATING_FIELDS,
  type RatingField,
  SYMBOL_MAX_LENGTH,
} from '#lib/contract/rating-fields.ts'
import { toColumnKey } from '#lib/csv/columns.ts'
import { CsvError, type Reject, shortenValue } from '#lib/csv/csv-error.ts'
import type { CsvRecord } from '#lib/csv/csv-reader.ts'
import { createNumberEvidence, type NumberFormat, readDecimal } from '#lib/csv/numbers.ts'
import { readCsvFile } from '#lib/csv/read-csv-file.ts'
import { createRejects, type Rejects } from '#lib/csv/rejects.ts'
import {
  CHUNK_ROWS,
  type ColumnChunks,
  type Database,
  loadPage,
  type Posts,
  writePostsDump,
} from './posts.ts'
import { SourceProblem } from './source.ts'

const CSV_TABLE = 'ratings'

const STAGED = 'staged'

type ImportReport = { ratings: number; doubled: number; rejects: Rejects }

/**
 * Columns may be in any order. Reports rows that are not ratings. Of rows with one id, the last
 * wins. Throws SourceProblem if the file does not have the dump layout.
 */
export async function importCsv(database: Database, path: string): Promise<ImportReport> {
  const columns = RATING_FIELDS.map((field, index) => `${field} ${CSV_TYPES[index]}`).join(', ')
  await database.run(`CREATE TABLE ${STAGED} (${columns}, ordinal INTEGER)`)
  const rejects = createRejects()
  const counts = { read: 0 }
  await database.append(STAGED, [...CSV_TYPES, INTEGER], toChunks(path, counts, rejects))
  await database.run(
    `CREATE TABLE ${CSV_TABLE} AS
     SELECT row_number() OVER (ORDER BY id) AS position, * EXCLUDE (ordinal) FROM ${STAGED}
     WHERE ordinal IN (SELECT max(ordinal) FROM ${STAGED} GROUP BY id) ORDER BY id`,
  )
  await database.run(`DROP TABLE ${STAGED}`)
  await database.run('CHECKPOINT')
  const [stored] = await database.rows(`SELECT count(*) FROM ${CSV_TABLE}`)
  const ratings = Number(stored?.[0])
  return { ratings, doubled: counts.read - ratings, rejects: rejects.read() }
}

async function* toChunks(
  path: string,
  counts: { read: number },
  rejects: ReturnType<typeof createRejects>,
): ColumnChunks {
  const file = basename(path)
  let readRow: RowReader | null = null
  let columns = toColumns()
  try {
    const format = await selectPredictionFormat(path)
    for await (const { header, records } of readCsvFile(path)) {
      readRow ??= createRowReader(toFields(header), format)
      const rejected: Reject[] = []
      for (const record of records) {
        const row = readRow(record)
        if ('reason' in row) {
          rejected.push(row)
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
      rejects.add(file, rejected)
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    const isReported = error.code === 'unclosed_quote' || error.code === 'long_record'
    if (!isReported) throw new SourceProblem(`the posts CSV ${error.message}`, { cause: error })
    const reason = `${error.message}: the rest of the file is not read`
    rejects.add(file, [{ line: error.line ?? 0, column: null, value: '', reason }])
  }
  if (columns[0]?.length) yield columns
}

function toFields(header: readonly string[]): string[] {
  const byKey = new Map<string, string>(RATING_FIELDS.map((field) => [toColumnKey(field), field]))
  const names = header.map((name) => byKey.get(toColumnKey(name)) ?? name)
  const missing = RATING_FIELDS.filter((field) => !names.includes(field))
  if (missing.length > 0) throw new SourceProblem(`the posts CSV lacks ${missing.join(', ')}`)
  const double = names.find((name, index) => name !== '' && names.indexOf(name) !== index)
  if (double !== undefined) throw new SourceProblem(`the posts CSV has the column ${double} twice`)
  return names
}

/** Of the whole column: reads the file once more. */
async function selectPredictionFormat(path: string): Promise<NumberFormat> {
  const evidence = createNumberEvidence()
  let read: { at: number; delimiter: string } | null = null
  try {
    for await (const { header, delimiter, records } of readCsvFile(path)) {
      read ??= { at: toFields(header).indexOf('prediction'), delimiter }
      for (const { cells, problem } of records) {
        if (problem === null) evidence.see(cells[read.at] ?? '')
      }
    }
  } catch (error) {
    // Thrown again after the readable rows.
    if (!(error instanceof CsvError)) throw error
  }
  return evidence.format(read?.delimiter ?? ',')
}

const toColumns = (): DuckDBValue[][] => Array.from({ length: RATING_FIELDS.length + 1 }, () => [])

type Column = { type: DuckDBType; plain: (text: string) => boolean }

const wide = { type: BIGINT, plain: (text: string) => /^\d{1,15}$/.test(text) }
const code = { type: INTEGER, plain: (text: string) => /^\d{1,4}$/.test(text) }
const tally = { type: INTEGER, plain: (text: string) => /^\d{1,9}$/.test(text) }
const instant = { type: BIGINT, plain: (text: string) => /^\d{1,11}$/.test(text) }
const label = { type: VARCHAR, plain: (text: string) => text.length <= 200 }

const COLUMNS: Record<RatingField, Column> = {
  id: wide,
  user_id: wide,
  symbol: {
    type: VARCHAR,
    plain: (text) => /^(?!\ufeff)[^\0]+$/.test(text) && text.length <= SYMBOL_MAX_LENGTH,
  },
  rating: code,
  rating_label: label,
  action: code,
  action_label: label,
  prediction: { type: VARCHAR, plain: (text) => PREDICTION_PATTERN.test(text) },
  tally_agree: tally,
  tally_disagree: tally,
  tally_comment: tally,
  created_at: instant,
  created_at_date: label,
  expired_at: instant,
  expired_at_date: label,
}

const CSV_TYPES: readonly DuckDBType[] = RATING_FIELDS.map((field) => COLUMNS[field].type)

type CsvRow = { values: DuckDBValue[] } | Reject
type RowReader = (record: CsvRecord) => CsvRow

/** Has a fast path for plain records with the same result as {@link parseCsvRating}. */
export function createRowReader(header: readonly string[], format: NumberFormat): RowReader {
  const columns = RATING_FIELDS.map((field) => ({
    ...COLUMNS[field],
    position: header.indexOf(field),
    nullable: field === 'expired_at' || field === 'expired_at_date',
  }))
  const predictionAt = header.indexOf('prediction')
  const isComma = format.decimal === ','
  return (record) => {
    const { cells, problem } = record
    if (problem !== null) return toReject(record, null, problem)
    const isGrouped = isComma && cells[predictionAt]?.includes('.')
    if (isGrouped || cells.length !== header.length) return judge(header, record, format)
    const values: DuckDBValue[] = []
    for (const { type, plain, position, nullable } of columns) {
      const text = cells[position] ?? ''
      if (nullable && text === '') values.push(null)
      else if (plain(text)) values.push(toValue(type, text))
      else return judge(header, record, format)
    }
    return { values }
  }
}

function judge(header: readonly string[], record: CsvRecord, format: NumberFormat): CsvRow {
  const problem = findMarkProblem(record.cells[header.indexOf('prediction')] ?? '', format)
  if (problem !== null) return toReject(record, header, problem)
  const cells = format.decimal === ',' ? toPointed(header, record.cells, format) : record.cells
  const parsed = parseCsvRating(header, cells)
  if (!parsed.ok) return toReject(record, header, parsed.reason)
  const { rating } = parsed
  return {
    values: RATING_FIELDS.map((field) => {
      const value = rating[field]
      return typeof value === 'number' ? toValue(COLUMNS[field].type, String(value)) : value
    }),
  }
}

/** If the decimal mark is a comma or not known. A point alone is as services write it. */
function findMarkProblem(prediction: string, format: NumberFormat): string | null {
  const isAsked = format.decimal === ',' ? /[.,]/.test(prediction) : prediction.includes(',')
  if (format.decimal === '.' || !isAsked) return null
  const read = readDecimal(prediction, format)
  return 'reason' in read ? `prediction: ${read.reason}` : null
}

function toPointed(
  header: readonly string[],
  cells: readonly string[],
  format: NumberFormat,
): string[] {
  return cells.map((cell, at) => {
    const field = header[at] ?? ''
    const isMarked = cell.includes(',') || (field === 'prediction' && cell.includes('.'))
    if (!NUMBER_FIELDS.has(field) || !isMarked) return cell
    const read = readDecimal(cell, format)
    return 'value' in read ? read.value : cell
  })
}

const NUMBER_FIELDS = new Set<string>(
  RATING_FIELDS.filter((field) => field === 'prediction' || COLUMNS[field].type !== VARCHAR),
)

function toReject(
  { line, cells }: CsvRecord,
  header: readonly string[] | null,
  reason: string,
): Reject {
  const column = RATING_FIELDS.find((field) => reason.startsWith(`${field}: `)) ?? null
  const cell = header && column !== null ? cells[header.indexOf(column)] : undefined
  return { line, column, value: shortenValue(cell ?? cells.join(',')), reason }
}

function toValue(type: DuckDBType, text: string): DuckDBValue {
  if (type === VARCHAR) return text
  return type === BIGINT ? BigInt(text) : Number(text)
}

const LOOKUPS_HEADER = 'id,symbol,source,room_id,created_at,created_at_date\n'

const QUERY = `SELECT position, ${RATING_FIELDS.join(', ')} FROM ${CSV_TABLE}`

export async function openCsvPosts(database: Database, lookupsPath: string | null): Promise<Posts> {
  const [stored] = await database.rows(`SELECT count(*) FROM ${CSV_TABLE}`)
  const count = Number(stored?.[0])
  return {
    page: (number) => loadPage(database, QUERY, { number, count }),
    catchUp: async () => {},
    async writeDump(kind, at, path) {
      if (kind === 'posts') return await writePostsDump(database, QUERY, { at, path })
      if (lookupsPath === null) return await writeFile(path, LOOKUPS_HEADER)
      return await copyFile(lookupsPath, path, constants.COPYFILE_FICLONE)
    },
    freeze: database.freeze,
    close: () => database.close(),
  }
}
