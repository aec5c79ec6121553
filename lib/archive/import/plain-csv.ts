import { open } from 'node:fs/promises'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Tables } from '#lib/archive/engine/tables.ts'

/**
 * A file in which cells are what stands between commas and line ends, whoever reads it: as many commas in every line, no
 * quotes, and one kind of line end. The names of its columns in their order, and what ends its lines.
 */
export type CsvForm = {
  path: string
  header: readonly string[]
  newline: '\n' | '\r\n'
  /** Of what follows the first line, in bytes. */
  bodySize: number
}

/** What the engine would take for a pattern, naming files. */
const PATTERN = /[*?[\]{}]/
const HEADER_MAX_BYTES = 4096
const LF = 10
/** Names that no other delimiter than the comma could be guessed from. */
const PLAIN_NAME = /^\w+$/

/** How a file is written, by its first line; null where that is not plain. Throws what the file system throws. */
export async function readCsvForm(path: string): Promise<CsvForm | null> {
  if (PATTERN.test(path)) return null
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const { bytesRead, buffer } = await file.read(Buffer.alloc(HEADER_MAX_BYTES), 0)
    const end = buffer.subarray(0, bytesRead).indexOf(LF)
    const line = buffer.toString('latin1', 0, Math.max(end, 0))
    const newline = line.endsWith('\r') ? '\r\n' : '\n'
    const header = (newline === '\n' ? line : line.slice(0, -1)).split(',')
    const isPlain = header.length > 1 && header.every((name) => PLAIN_NAME.test(name))
    if (!isPlain || new Set(header).size < header.length) return null
    return { path, header, newline, bodySize: size - end - 1 }
  } finally {
    await file.close()
  }
}

export type CsvColumn = { name: string; type: string; isNullable: boolean }

/** Stands in no plain file whose lines are read whole. */
const NO_DELIMITER = '\u001f'

/** The lines behind the header of a plain file in its order, as `line`. */
export const readLines = (path: string): RawBuilder<unknown> =>
  readCsv(path, [{ name: 'line', type: 'text', isNullable: false }], NO_DELIMITER)

/**
 * The records of a plain file in its order. Nothing is guessed and no record that is wrong is passed over: the engine
 * throws. A path is one file's, whatever stands in it. Line ends are left to it: told that they are CRLF, it finds no
 * record. Buffers are small, since they come on top of what the engine is allowed.
 */
export function readCsv(
  path: string,
  columns: readonly CsvColumn[],
  delimiter = ',',
): RawBuilder<unknown> {
  const types = columns.map(({ name, type }) => sql`${sql.lit(name)}: ${sql.lit(type)}`)
  const notNull = columns.filter(({ isNullable }) => !isNullable).map(({ name }) => sql.lit(name))
  return sql`read_csv([${sql.lit(path)}],
    columns = {${sql.join(types)}}, force_not_null = [${sql.join(notNull)}],
    auto_detect = false, header = true, delim = ${sql.lit(delimiter)}, quote = '', escape = '', comment = '', nullstr = '',
    encoding = 'utf-8', compression = 'none', max_line_size = 65536, buffer_size = 4194304,
    strict_mode = true, null_padding = false, ignore_errors = false,
    hive_partitioning = false, union_by_name = false, filename = false)`
}

/** Any cell of a plain file, as a regular expression of the engine. */
export const PLAIN_CELL = String.raw`[^,"\x00\r\n]*`

/**
 * How many records follow the header of a file; null where it is not plain, or a line does not match `line`, a regular
 * expression of the engine. Its own strictness proves nothing, since it passes over a cell too many that is empty, so lines
 * are read whole and held against the pattern; every byte that stands in none of them has to be one of a line end.
 */
export async function countPlainRecords(
  db: Kysely<Tables>,
  { path, newline, bodySize }: CsvForm,
  line: string,
): Promise<number | null> {
  const { rows } = await sql<{ records: number; matching: number; size: number }>`
    select count(*) as records, cast(coalesce(sum(strlen(line)), 0) as bigint) as size,
      count(*) filter (where regexp_full_match(line, ${sql.lit(line)})) as matching
    from ${readLines(path)}`.execute(db)
  const [found] = rows
  if (!found || found.matching < found.records) return null
  const whole = found.size + found.records * newline.length
  // The last line may have no end.
  return whole === bodySize || whole - newline.length === bodySize ? found.records : null
}
