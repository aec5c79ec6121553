import { createReadStream } from 'node:fs'
import { constants, copyFile, writeFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { BIGINT, type DuckDBType, type DuckDBValue, INTEGER, VARCHAR } from '@duckdb/node-api'
import Papa from 'papaparse'
import { parseCsvRating } from '#lib/contract/rating.ts'
import {
  PREDICTION_PATTERN,
  RATING_FIELDS,
  type RatingField,
  SYMBOL_MAX_LENGTH,
} from '#lib/contract/rating-fields.ts'
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

/** The values of a rating in the order of the fields, or why a record is none. */
export type CsvRow = { ok: true; values: DuckDBValue[] } | { ok: false; reason: string }

/**
 * Reads records under a header by {@link parseCsvRating}. Records that are ratings at first sight, nearly all of a
 * large file, are taken without it; whatever is doubtful is left to its judgement.
 */
export function createRowReader(header: readonly string[]): (cells: readonly string[]) => CsvRow {
  const columns = RATING_FIELDS.map((field) => ({
    ...COLUMNS[field],
    position: header.indexOf(field),
    nullable: field === 'expired_at' || field === 'expired_at_date',
  }))
  return (cells) => {
    if (cells.length !== header.length) return judge(header, cells)
    const values: DuckDBValue[] = []
    for (const { type, plain, position, nullable } of columns) {
      const text = cells[position] ?? ''
      if (nullable && text === '') values.push(null)
      else if (plain(text)) values.push(toValue(type, text))
      else return judge(header, cells)
    }
    return { ok: true, values }
  }
}

function judge(header: readonly string[], cells: readonly string[]): CsvRow {
  const parsed = parseCsvRating(header, cells)
  if (!parsed.ok) return parsed
  const { rating } = parsed
  return {
    ok: true,
    values: RATING_FIELDS.map((field) => {
      const value = rating[field]
      return typeof value === 'number' ? toValue(COLUMNS[field].type, String(value)) : value
    }),
  }
}

function toValue(type: DuckDBType, text: string): DuckDBValue {
  if (type === VARCHAR) return text
  return type === BIGINT ? BigInt(text) : Number(text)
}

/** One record of a CSV file: its cells, the line that it begins on (from 1), and what is wrong with its quotes. */
export type CsvRecord = { line: number; cells: string[]; problem: string | null }

/**
 * Reads a CSV file (UTF-8, with or without BOM, any line ending, quoted newlines) in batches of records. Empty lines
 * are left out. Throws SourceProblem where it is not UTF-8, and what the file system throws.
 */
export async function* readCsv(path: string): AsyncGenerator<CsvRecord[]> {
  const parsed = toParsedChunks(Readable.from(decode(createReadStream(path))))
  let line = 1
  for await (const { data, errors } of parsed) {
    const problems = new Map(errors.map(({ row, message }) => [row, message]))
    const records: CsvRecord[] = []
    data.forEach((cells, index) => {
      if (cells.length > 1 || cells[0] !== '') {
        records.push({ line, cells, problem: problems.get(index) ?? null })
      }
      line += 1 + countNewlines(cells)
    })
    yield records
  }
}

type ParsedChunk = Pick<Papa.ParseResult<string[]>, 'data' | 'errors'>

// A chunk of bytes may end in the middle of a character: text has to be decoded before Papa sees it.
async function* decode(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const chunk of bytes) yield decoder.decode(chunk, { stream: true })
    yield decoder.decode()
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new SourceProblem('the CSV is not UTF-8', { cause: error })
  }
}

/** Papa's callbacks as an iteration: it is paused while its last chunk is being used. */
async function* toParsedChunks(text: Readable): AsyncGenerator<ParsedChunk> {
  let deliver: (event: ParsedChunk | null) => void = () => {}
  let fail: (error: Error) => void = () => {}
  const nextEvent = () =>
    new Promise<ParsedChunk | null>((resolve, reject) => {
      deliver = resolve
      fail = reject
    })
  let resume = () => {}
  let event = nextEvent()
  Papa.parse<string[], Readable>(text, {
    delimiter: ',',
    chunk({ data, errors }, parser) {
      parser.pause()
      resume = () => parser.resume()
      deliver({ data, errors })
    },
    complete: () => deliver(null),
    error: (error) => fail(error),
  })
  try {
    for (let chunk = await event; chunk !== null; chunk = await event) {
      yield chunk
      event = nextEvent()
      resume()
    }
  } finally {
    text.destroy()
  }
}

function countNewlines(cells: readonly string[]): number {
  let count = 0
  for (const cell of cells) {
    if (!cell.includes('\n') && !cell.includes('\r')) continue
    count += cell.split(/\r\n|\n|\r/).length - 1
  }
  return count
}

export const LOOKUPS_HEADER = 'id,symbol,source,room_id,created_at,created_at_date\n'

const QUERY = `SELECT position, ${RATING_FIELDS.join(', ')} FROM ${CSV_TABLE}`

/** Serves imported ratings as they came. `lookupsPath` is the folder's own copy of the look-ups, or null. */
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
