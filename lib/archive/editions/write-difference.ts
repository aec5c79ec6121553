import { DuckDBDataChunk, VARCHAR } from '@duckdb/node-api'
import { sql } from 'kysely'
import { openEngine } from '#lib/archive/engine/duckdb-engine.ts'
import { MEMORY_LIMIT } from '#lib/archive/import/sort-records.ts'
import { DIFFERENCE_KINDS, type DifferenceKind } from '#lib/contract/edition-differences.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'

/** A field that changed: its text in the earlier edition and in the later one. */
export type FieldChange = { field: string; before: string; after: string }

/** A rating that differs. Texts as they stand in its newest edition of the two, numbers null where they are none. */
export type DifferingRating = {
  id: string
  kind: DifferenceKind
  symbol: string
  user_id: string
  rating: string
  prediction: string
  created_at: string
  changes: readonly FieldChange[]
}

export type DifferenceWriter = {
  /** In order of their numbers in the file. */
  append(ratings: readonly DifferingRating[]): Promise<void>
  /** Forgets what was appended. */
  clear(): Promise<void>
  /** Writes all of it into a new Parquet file. Throws what the engine says. */
  write(path: string): Promise<void>
  close(): Promise<void>
}

/** As many as a chunk of the engine holds. */
const CHUNK_ROWS = 2048

/**
 * Rows come to the engine as one text each, which takes a tenth of the time that a text for each cell takes: cells with a separator
 * between them, and where a cell holds that sign itself, another one in its place that is taken back.
 */
const SEPARATOR = '\u001f'
const ESCAPE = '\u001e'

const toCell = (text: string): string =>
  text.includes(ESCAPE) || text.includes(SEPARATOR)
    ? text.replaceAll(ESCAPE, `${ESCAPE}0`).replaceAll(SEPARATOR, `${ESCAPE}1`)
    : text

const CELLS = [
  ...['row_no', 'nth', 'kind_no', 'id', 'symbol', 'symbol_key', 'user_id', 'rating', 'prediction'],
  ...['created_at', 'field', 'before', 'after'],
] as const
type Cell = (typeof CELLS)[number]

/** A cell of a row; null where the row ends before it. */
const cell = (name: Cell) => sql`list_extract(cells, ${sql.lit(CELLS.indexOf(name) + 1)})`

const toText = (name: Cell) =>
  sql`replace(replace(${cell(name)}, chr(30) || '1', chr(31)), chr(30) || '0', chr(30))`

/** Whole numbers that JavaScript holds exactly; any other is none. */
const toWhole = (name: Cell) => sql`case
  when abs(try_cast(${cell(name)} as bigint)) <= ${sql.lit(Number.MAX_SAFE_INTEGER)}
  then try_cast(${cell(name)} as bigint) end`

const COLUMNS = sql.join([
  sql`cast(${cell('row_no')} as bigint) as row_no`,
  sql`cast(${cell('nth')} as integer) as nth`,
  sql`cast(${cell('kind_no')} as integer) as kind_no`,
  sql`${toText('id')} as id_text`,
  ...(['symbol', 'symbol_key', 'prediction', 'field', 'before', 'after'] as const).map(
    (name) => sql`${toText(name)} as ${sql.ref(name)}`,
  ),
  ...(['id', 'user_id', 'rating', 'created_at'] as const).map(
    (name) => sql`${toWhole(name)} as ${sql.ref(name)}`,
  ),
])

/** The cells that all rows of a rating share. */
const toShared = (one: DifferingRating): string =>
  [
    DIFFERENCE_KINDS.indexOf(one.kind),
    ...[toCell(one.id), toCell(one.symbol), toCell(toSymbolKey(one.symbol)), toCell(one.user_id)],
    ...[toCell(one.rating), toCell(one.prediction), toCell(one.created_at)],
  ].join(SEPARATOR)

/** The cells of a change, behind those. */
const toChangeText = ({ field, before, after }: FieldChange): string =>
  `${SEPARATOR}${toCell(field)}${SEPARATOR}${toCell(before)}${SEPARATOR}${toCell(after)}`

/** Puts a difference together in a database of its own, one row a change; a rating of which no field changed has one row. */
export async function openDifferenceWriter(options: {
  spillPath: string
  signal: AbortSignal
}): Promise<DifferenceWriter> {
  const { spillPath, signal } = options
  const engine = await openEngine({
    ...{ path: ':memory:', memoryLimit: MEMORY_LIMIT, threads: 1, spillPath },
  })
  const { connection, db, interruptible } = engine.writer
  await sql`create table line (line text)`.execute(db)
  const appender = await connection.createAppender('line')
  let lines: string[] = []
  let rowNo = 0

  const flush = (atLeast: number) => {
    let done = 0
    while (lines.length - done >= atLeast && lines.length > done) {
      const part = lines.slice(done, done + CHUNK_ROWS)
      const chunk = DuckDBDataChunk.create([VARCHAR], part.length)
      chunk.setColumnValues(0, part)
      appender.appendDataChunk(chunk)
      appender.flushSync()
      done += part.length
    }
    lines = lines.slice(done)
  }
  const add = (one: DifferingRating) => {
    const shared = toShared(one)
    if (one.changes.length === 0) lines.push(`${rowNo}${SEPARATOR}0${SEPARATOR}${shared}`)
    for (const [nth, change] of one.changes.entries()) {
      lines.push(`${rowNo}${SEPARATOR}${nth}${SEPARATOR}${shared}${toChangeText(change)}`)
    }
    rowNo += 1
  }
  return {
    async append(ratings) {
      signal.throwIfAborted()
      for (const one of ratings) add(one)
      flush(CHUNK_ROWS)
    },
    async clear() {
      lines = []
      rowNo = 0
      appender.flushSync()
      await sql`truncate line`.execute(db)
    },
    async write(path) {
      flush(1)
      const copy = sql`
        copy (
          select ${COLUMNS} from (select string_split(line, chr(31)) as cells from line) as split
        ) to ${sql.lit(path)} (format parquet, compression zstd, row_group_size 61440)`
      await interruptible(signal, async () => await copy.execute(db))
    },
    async close() {
      appender.closeSync()
      await engine.close()
    },
  }
}
