import { type DuckDBConnection, DuckDBDataChunk, VARCHAR } from '@duckdb/node-api'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { refuseAborted, type Session } from '#lib/archive/engine/duckdb-session.ts'
import type { Tables } from '#lib/archive/engine/tables.ts'
import {
  countPlainRecords,
  PLAIN_CELL,
  readCsvForm,
  readLines,
} from '#lib/archive/import/plain-csv.ts'

export type EditionFile = { path: string; rows: number }

/** Records may have fewer or more cells than the header. */
export type RecordBatch = {
  header: readonly string[]
  records: readonly (readonly string[])[]
}
export type ReadRecords = (path: string, signal: AbortSignal) => AsyncIterable<RecordBatch>

export type Lines = {
  relation: RawBuilder<unknown>
  header: readonly string[]
  isPlain: boolean
}

const SEPARATOR = '\u001f'
const ESCAPE = '\u001e'

/** Null if DuckDB might split the file differently than the CSV reader. */
export async function findPlainLines(
  { db, interruptible }: Session,
  { path, rows, signal }: EditionFile & { signal: AbortSignal },
): Promise<Lines | null> {
  try {
    const form = await readCsvForm(path)
    if (!form) return null
    const pattern = form.header.map(() => PLAIN_CELL).join(',')
    const records = await interruptible(
      signal,
      async () => await countPlainRecords(db, form, pattern),
    )
    if (records === rows) return { relation: readLines(path), header: form.header, isPlain: true }
  } catch {}
  refuseAborted(signal)
  return null
}

type TableImport = {
  path: string
  readRecords: ReadRecords
  signal: AbortSignal
  onRecords?: (records: number) => void
}

export async function loadLines(
  { db, connection }: Session,
  table: string,
  { path, readRecords, signal, onRecords }: TableImport,
): Promise<Lines> {
  await sql`create table ${sql.table(table)} (line text)`.execute(db)
  let header: readonly string[] = []
  for await (const batch of readRecords(path, signal)) {
    refuseAborted(signal)
    header = batch.header
    await appendTexts(
      connection,
      table,
      batch.records.map((cells) =>
        header.map((_, at) => toEscaped(cells[at] ?? '')).join(SEPARATOR),
      ),
    )
    onRecords?.(batch.records.length)
  }
  return { relation: sql.table(table), header, isPlain: false }
}

const CHUNK_ROWS = 2048

export async function appendTexts(
  connection: DuckDBConnection,
  table: string,
  texts: readonly string[],
): Promise<void> {
  const appender = await connection.createAppender(table)
  try {
    for (let from = 0; from < texts.length; from += CHUNK_ROWS) {
      const part = texts.slice(from, from + CHUNK_ROWS)
      const chunk = DuckDBDataChunk.create([VARCHAR], part.length)
      chunk.setColumnValues(0, part)
      appender.appendDataChunk(chunk)
      appender.flushSync()
    }
  } finally {
    appender.closeSync()
  }
}

const toEscaped = (cell: string): string =>
  cell.includes(ESCAPE) || cell.includes(SEPARATOR)
    ? cell.replaceAll(ESCAPE, `${ESCAPE}0`).replaceAll(SEPARATOR, `${ESCAPE}1`)
    : cell

const toDelimiter = ({ isPlain }: Pick<Lines, 'isPlain'>) => (isPlain ? sql.lit(',') : sql`chr(31)`)

export const toCells = (lines: Lines, line: RawBuilder<unknown>): RawBuilder<string[]> =>
  sql<string[]>`string_split(${line}, ${toDelimiter(lines)})`

export const toText = ({ isPlain }: Lines, cell: RawBuilder<unknown>): RawBuilder<string> =>
  isPlain
    ? sql<string>`${cell}`
    : sql<string>`replace(replace(${cell}, chr(30) || '1', chr(31)), chr(30) || '0', chr(30))`

/** Counts from 1; of duplicate names, the last. */
export const toPlace = ({ header }: Lines, name: string): number => header.lastIndexOf(name) + 1

/** Without a common `id` column, the key is the shared cells and their occurrence number. */
export function toKeyed(lines: Lines, shared: readonly string[]): RawBuilder<unknown> {
  if (!shared.includes('id')) {
    return sql`(select ${toTextKey(lines, shared)} as key, line from ${lines.relation})`
  }
  return sql`(
    select case when left(id, 1) in ('0', '+') then regexp_replace(id, '^[+]?0*([0-9]+)$', '\\1')
      else id end as key, line
    from (select ${toId(lines)} as id, line from ${lines.relation}) as identified)`
}

function toId(lines: Lines): RawBuilder<string> {
  const place = sql.lit(toPlace(lines, 'id'))
  return toText(lines, sql`split_part(line, ${toDelimiter(lines)}, ${place})`)
}

function toTextKey(lines: Lines, shared: readonly string[]): RawBuilder<unknown> {
  const cells = sql`list_select(${toCells(lines, sql`line`)}, ${toPlaces(lines, shared)})`
  const text = sql`array_to_string(${cells}, ${toDelimiter(lines)})`
  return sql`${text} || ${toDelimiter(lines)} || row_number() over (partition by ${text})`
}

export const toPlaces = (lines: Lines, names: readonly string[]): RawBuilder<unknown> =>
  sql`cast([${sql.join(names.map((name) => sql.lit(toPlace(lines, name))))}] as bigint[])`

export async function selectLast(db: Kysely<Tables>, table: string, lines: Lines): Promise<Lines> {
  if (await isAscending(db, lines)) return lines
  const placed = sql`(
    select key, line, row_number() over () as place from ${toKeyed(lines, ['id'])} as keyed) as placed`
  await sql`
    create table ${sql.table(table)} as
    select key, max(place) as last from ${placed} group by key having count(*) > 1`.execute(db)
  const relation = sql`(
    select line from ${placed} left join ${sql.table(table)} using (key)
    where last is null or place = last)`
  return { ...lines, relation }
}

async function isAscending(db: Kysely<Tables>, lines: Lines): Promise<boolean> {
  const { rows } = await sql`
    select 1 from (
      select id, lag(id, 1, -1) over () as previous
      from (select try_cast(${toId(lines)} as bigint) as id from ${lines.relation}) as identified
    ) as following
    where not coalesce(id > previous, false) limit 1`.execute(db)
  return rows.length === 0
}

export const dropTable = async (db: Kysely<Tables>, table: string): Promise<void> => {
  await sql`drop table if exists ${sql.table(table)}`.execute(db)
}
