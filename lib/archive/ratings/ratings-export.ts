import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Snapshot } from '#lib/archive/engine/duckdb-engine.ts'
import { refuseAborted, type Session } from '#lib/archive/engine/duckdb-session.ts'
import type { Tables } from '#lib/archive/engine/tables.ts'
import type { ExportFile, ExportFolder } from '#lib/archive/export-file.ts'
import {
  type LineForm,
  type OpenExport,
  selectJournal,
  toPairs,
} from '#lib/archive/query/export-rows.ts'
import { endedAt, stateAt, vanishedAt } from '#lib/archive/query/rating-conditions.ts'
import type { ArchiveReader, ReadOptions, SignalOptions } from '#lib/archive/reader.ts'
import { type ExportColumn, FORMULA } from '#lib/contract/export-choice.ts'
import { ratingList } from '#lib/contract/lists/ratings.ts'
import type { RatingsQuery } from '#lib/contract/ratings-query.ts'
import { toConditions } from './rating-source.ts'
import { orderRatings } from './ratings.ts'

/** Bounds memory. */
const WINDOW_ROWS = 20_480

type Source = SignalOptions & {
  snapshot: Snapshot
  query: RatingsQuery
  at: number
  rows: number
}

export type RatingsExport = OpenExport & {
  lines(form: LineForm, columns: readonly ExportColumn[]): AsyncGenerator<string[], void, undefined>
  /** Throws AppError('busy') if the disk is full. The caller closes the file. */
  writeParquet(
    columns: readonly ExportColumn[],
    facts: Readonly<Record<string, string>>,
  ): Promise<ExportFile>
}

/** Ignores `page` and `per_page`. The caller closes the export. */
export async function openRatingsExport(
  reader: ArchiveReader,
  query: RatingsQuery,
  { at, signal }: ReadOptions,
): Promise<RatingsExport> {
  const snapshot = await reader.openSnapshot(signal)
  try {
    const declared = await snapshot.read(
      async ({ db }) => await selectDeclared(db, { query, at, reader }),
    )
    const source = { snapshot, query, at, rows: declared.rows, signal }
    return {
      ...declared,
      lines: (form, columns) => streamLines(source, form, columns),
      writeParquet: async (columns, facts) =>
        await writeParquet(source, reader.exportFolder, { columns, facts }),
      close: async () => await snapshot.close(),
    }
  } catch (error) {
    await snapshot.close()
    throw error
  }
}

async function selectDeclared(
  db: Kysely<Tables>,
  { query, at, reader }: { query: RatingsQuery; at: number; reader: ArchiveReader },
) {
  const counted = await db
    .selectFrom('rating')
    .select((eb) => eb.fn.countAll<number>().as('rows'))
    .where(toConditions({ query, at }))
    .executeTakeFirstOrThrow()
  return { rows: counted.rows, ...(await selectJournal(db, reader)) }
}

/**
 * Sorts row ids first, then reads texts in windows: the engine holds an ordered result in memory.
 */
async function* streamLines(
  { snapshot, query, at, rows, signal }: Source,
  form: LineForm,
  columns: readonly ExportColumn[],
): AsyncGenerator<string[], void, undefined> {
  const line = toLine({ form, columns, at: query.asof ?? at })
  await snapshot.read(async ({ db }) => await createOrder(db, query, at))
  for (let from = 0; from < rows; from += WINDOW_ROWS) {
    const to = Math.min(rows, from + WINDOW_ROWS)
    const span = { from, to }
    const batches = await snapshot.read(async (session) => await loadWindow(session, line, span))
    for (const batch of batches) {
      refuseAborted(signal)
      yield batch
    }
  }
}

/** Row ids are valid only within the transaction. */
async function createOrder(db: Kysely<Tables>, query: RatingsQuery, at: number): Promise<void> {
  const ordered = orderRatings(db, { query, at }).select(sql<number>`rowid`.as('row_id'))
  await sql`
    create temporary table export_order as
    select row_number() over () - 1 as place, row_id from ${ordered} as ordered`.execute(db)
}

async function loadWindow(
  { db, stream }: Session,
  line: ReturnType<typeof toLine>,
  { from, to }: { from: number; to: number },
): Promise<string[][]> {
  const window = db
    .selectFrom('export_order')
    .innerJoin('rating', (join) => join.on(sql`rating.rowid`, '=', sql.ref('row_id')))
    .select(line.as('line'))
    .where('place', '>=', from)
    .where('place', '<', to)
    .orderBy('place')
  const batches: string[][] = []
  for await (const rows of stream(window, undefined)) batches.push(rows.map((row) => row.line))
  const loaded = batches.reduce((sum, batch) => sum + batch.length, 0)
  if (loaded === to - from) return batches
  return [(await window.execute()).map((row) => row.line)]
}

type ParquetFile = {
  columns: readonly ExportColumn[]
  facts: Readonly<Record<string, string>>
}

async function writeParquet(
  { snapshot, query, at, rows }: Source,
  exportFolder: ExportFolder,
  { columns, facts }: ParquetFile,
): Promise<ExportFile> {
  const path = await exportFolder.newPath()
  const typed = toTyped(columns, query.asof ?? at)
  return await exportFolder.keep(path, async () => {
    const written = await snapshot.read(async ({ db }) => {
      const ordered = orderRatings(db, { query, at }).select(typed)
      return await sql`
        copy (${ordered}) to ${sql.lit(path)}
        (format parquet, compression zstd, kv_metadata {${toPairs(facts)}})`.execute(db)
    })
    if (written.numAffectedRows !== BigInt(rows)) {
      throw new Error(`${written.numAffectedRows} rows were written of ${rows}`)
    }
  })
}

const JUDGED: Partial<Record<ExportColumn, (at: number) => RawBuilder<unknown>>> = {
  state: stateAt,
  vanished_at: vanishedAt,
  ended: endedAt,
}

function toTyped(columns: readonly ExportColumn[], at: number) {
  return columns.map((name) => {
    const judged = JUDGED[name]
    if (judged) return judged(at).as(name)
    if (name === 'prediction') return sql.ref('prediction_value').as(name)
    if (typeOf(name) === 'decimal') return sql`cast(${sql.ref(name)} as decimal(18, 6))`.as(name)
    return sql.ref(name).as(name)
  })
}

type Line = { form: LineForm; columns: readonly ExportColumn[]; at: number }

const typeOf = (name: ExportColumn) => ratingList.fields[name].type

function toLine({ form, columns, at }: Line): RawBuilder<string> {
  const values = columns.map((name) => ({ name, value: toValue(name, at) }))
  if (form === 'json') {
    const fields = values.flatMap(({ name, value }, index) => [
      sql.lit(`${index === 0 ? '{' : ','}"${name}":`),
      toJson(name, value),
    ])
    return sql`concat(${sql.join([...fields, sql.lit('}')])})`
  }
  const cells = values.map(({ name, value }) => toCell(name, value, form === 'excel'))
  // Most readers skip an empty line.
  const [only, ...more] = cells
  if (only && more.length === 0) return sql`coalesce(nullif(${only}, ''), '""')`
  return sql`concat_ws(',', ${sql.join(cells)})`
}

const toValue = (name: ExportColumn, at: number): RawBuilder<unknown> =>
  JUDGED[name]?.(at) ?? sql.ref(name)

function toJson(name: ExportColumn, value: RawBuilder<unknown>): RawBuilder<string> {
  if (name === 'extra') return sql`coalesce(${value}, 'null')`
  const type = typeOf(name)
  if (type === 'text') return sql`coalesce(cast(to_json(${value}) as varchar), 'null')`
  // Decimals as strings, to preserve every digit.
  if (type === 'decimal' || typeof type !== 'string')
    return sql`coalesce('"' || ${value} || '"', 'null')`
  return sql`coalesce(cast(${value} as varchar), 'null')`
}

/** RFC 4180; empty text is quoted to differ from null. */
const QUOTED = '[",\\r\\n]|^$'

function toCell(name: ExportColumn, value: RawBuilder<unknown>, isGuarded: boolean) {
  if (typeOf(name) !== 'text') return sql<string>`coalesce(cast(${value} as varchar), '')`
  const quote = (text: RawBuilder<unknown>) => sql`'"' || replace(${text}, '"', '""') || '"'`
  const guarded = sql`regexp_replace(${value}, ${pattern(FORMULA)}, '\\1''\\2', 'g')`
  return sql<string>`case
    when ${value} is null then ''
    ${isGuarded ? sql`when regexp_matches(${value}, ${pattern(FORMULA)}) then ${quote(guarded)}` : sql``}
    when regexp_matches(${value}, ${pattern(QUOTED)}) then ${quote(value)}
    else ${value} end`
}

const pattern = (text: string) => sql.lit(text.replace(/\\u([0-9a-f]{4})/g, '\\x{$1}'))
