import { open } from 'node:fs/promises'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Tables } from '#lib/archive/engine/tables.ts'

/** Every line has the same number of commas, no quotes and the same line end. */
export type CsvForm = {
  path: string
  header: readonly string[]
  newline: '\n' | '\r\n'
  bodySize: number
}

/** Glob characters. */
const PATTERN = /[*?[\]{}]/
const HEADER_MAX_BYTES = 4096
const LF = 10
const PLAIN_NAME = /^\w+$/

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

type CsvColumn = { name: string; type: string; isNullable: boolean }

const NO_DELIMITER = '\u001f'

export const readLines = (path: string): RawBuilder<unknown> =>
  readCsv(path, [{ name: 'line', type: 'text', isNullable: false }], NO_DELIMITER)

/** With an explicit CRLF the engine finds no record. */
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

export const PLAIN_CELL = String.raw`[^,"\x00\r\n]*`

/** Null if a line does not match `line`: the engine alone ignores an extra empty cell. */
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
  // The last line may lack a line end.
  return whole === bodySize || whole - newline.length === bodySize ? found.records : null
}
