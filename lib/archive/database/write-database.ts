import { stat } from 'node:fs/promises'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Session } from '#lib/archive/engine/duckdb-session.ts'
import { NEVER, type Tables } from '#lib/archive/engine/tables.ts'
import { toWriteProblem } from '#lib/archive/export-file.ts'
import { EVERY_ROW } from '#lib/archive/lists/given-rows.ts'
import { type ListRows, placeRows } from '#lib/archive/lists/select-list.ts'
import { lookupRows } from '#lib/archive/lookups/select-lookups.ts'
import { selectJournal } from '#lib/archive/query/export-rows.ts'
import type { ArchiveReader, ReadOptions } from '#lib/archive/reader.ts'
import { loadCallRows } from '#lib/archive/record/calls.ts'
import { selectStandings } from '#lib/archive/record/record.ts'
import { selectSymbolFigures } from '#lib/archive/symbols/symbols.ts'
import { selectUserFigures } from '#lib/archive/users/users.ts'
import type { TableSet } from '#lib/contract/api-queries.ts'
import { type DatabaseTable, selectTables, type TableName } from '#lib/contract/database/tables.ts'
import { toHorizon } from '#lib/contract/horizons.ts'
import { EVERY_CALL } from '#lib/contract/lists/calls.ts'
import { type AnyList, selectFieldNames } from '#lib/contract/lists/define-list.ts'
import { EVERY_LOOKUP } from '#lib/contract/lists/lookups.ts'
import { symbolsQuery } from '#lib/contract/lists/symbols.ts'
import { usersQuery } from '#lib/contract/lists/users.ts'
import { toDefaults } from '#lib/contract/query-schema.ts'
import { toSearchKey, toSymbolKey } from '#lib/contract/rating-fields.ts'

type Sql = RawBuilder<unknown>

export type WrittenDatabase = {
  bytes: number
  generation: number
  completeTo: number | null
  rows: Readonly<Partial<Record<TableName, number>>>
}

type WriteOptions = ReadOptions & {
  path: string
  tables: TableSet
  toName: (symbol: string) => string | null
}

/** Oldest format that the readers of DuckDB 1.x share. */
const STORAGE_VERSION = 'v1.0.0'

/**
 * One commit of the archive as a DuckDB file at `path`, which must not exist. Throws
 * AppError('busy') if the disk is full or when aborted.
 */
export async function writeDatabase(
  reader: ArchiveReader,
  { path, tables, toName, ...options }: WriteOptions,
): Promise<WrittenDatabase> {
  const { at, signal } = options
  const hasPrices = reader.prices().prices > 0
  const calls =
    hasPrices && tables === 'all' ? await loadCallRows(reader, EVERY_CALL, options) : null
  const standings = await selectStandings(reader, toHorizon(undefined), options)
  const snapshot = await reader.openSnapshot(signal)
  try {
    const { generation, completeTo } = await snapshot.read(
      async ({ db }) => await selectJournal(db, reader),
    )
    const inSnapshot: Pick<ArchiveReader, 'read'> = {
      read: async (work) => await snapshot.read(async ({ db }) => await work(db)),
    }
    const symbols = await selectSymbolFigures(
      inSnapshot,
      { ...toDefaults(symbolsQuery), ...EVERY_ROW },
      options,
    )
    const users = await selectUserFigures(
      inSnapshot,
      { ...toDefaults(usersQuery), ...EVERY_ROW },
      { ...options, standings },
    )
    const given: DatabaseRows = {
      symbols: symbols.rows.map((row) => ({
        ...row,
        name: toName(row.symbol),
        symbol_key: toSymbolKey(row.symbol),
        search_key: toSearchKey(row.symbol),
      })),
      users: users.rows,
      about: [{ generation, as_of: at, complete_to: completeTo }],
    }
    const sources: Sources = {
      ratings: sql`rating`,
      lookups: toListSource(lookupRows(reader, EVERY_LOOKUP)),
      calls: toListSource(calls, ['symbol_key']),
      prices: hasPrices ? PRICES : null,
    }
    const rows = await snapshot.read(
      async (session) => await writeFile(session, path, { tables, given, sources }),
    )
    return { bytes: (await stat(path)).size, generation, completeTo, rows }
  } finally {
    await snapshot.close()
  }
}

type Cell = string | number | null
type DatabaseRows = Readonly<
  Record<'symbols' | 'users' | 'about', readonly Readonly<Record<string, Cell>>[]>
>
type Sources = Readonly<Record<Exclude<TableName, keyof DatabaseRows>, Sql | null>>

const PRICES = sql`(
  select coalesce(symbol, symbol_key) as symbol, date '1970-01-01' + day as day, close,
    nullif(kind, 'swing') as flag, symbol_key
  from prices.price left join symbol using (symbol_key)
    left join prices.flag using (symbol_key, day)
  order by symbol_key, price.day)`

const toListSource = <L extends AnyList>(
  rows: ListRows<L> | null,
  keys: readonly string[] = [],
): Sql | null =>
  rows?.toTyped
    ? sql`(${rows.toTyped([...selectFieldNames(rows.list), ...keys], sql`(${placeRows(rows)})`)})`
    : null

let files = 0

/** Ends the transaction of `session`. */
async function writeFile(
  { db, connection }: Session,
  path: string,
  { tables, given, sources }: { tables: TableSet; given: DatabaseRows; sources: Sources },
): Promise<WrittenDatabase['rows']> {
  files += 1
  const file = `database_${files}`
  try {
    await sql`attach ${sql.lit(path)} as ${sql.ref(file)}
      (storage_version ${sql.lit(STORAGE_VERSION)})`.execute(db)
    const rows: Partial<Record<TableName, number>> = {}
    for (const table of selectTables(tables)) {
      const target = sql.table(`${file}.${table.name}`)
      await createTable(db, target, table)
      rows[table.name] = isGiven(table.name)
        ? await insertGiven(db, target, { table, rows: given[table.name] })
        : await insertSelected(db, target, { table, source: sources[table.name] })
    }
    await connection.run('commit')
    await sql`checkpoint ${sql.ref(file)}`.execute(db)
    return rows
  } catch (error) {
    await connection.run('rollback').catch(() => {})
    throw toWriteProblem(error)
  } finally {
    await sql`detach database if exists ${sql.ref(file)}`.execute(db)
  }
}

const GIVEN = ['symbols', 'users', 'about'] as const

const isGiven = (name: TableName): name is keyof DatabaseRows => GIVEN.some((one) => one === name)

async function createTable(db: Kysely<Tables>, target: Sql, { columns }: DatabaseTable) {
  const typed = columns.map(({ name, type }) => sql`${sql.ref(name)} ${sql.raw(type)}`)
  await sql`create table ${target} (${sql.join(typed)})`.execute(db)
}

type Selected = { table: DatabaseTable; source: Sql | null }

async function insertSelected(db: Kysely<Tables>, target: Sql, { table, source }: Selected) {
  if (source === null) return 0
  const values = table.columns.map((column) => toValue(table.name, column))
  const order = table.name === 'ratings' ? sql`order by created_at, id` : sql``
  const { numAffectedRows } = await sql`
    insert into ${target} select ${sql.join(values)} from ${source} as source ${order}`.execute(db)
  return Number(numAffectedRows ?? 0)
}

const toInstant = (value: Sql) => sql`make_timestamp(cast(${value} as bigint) * 1000000)`

const OF_RATINGS: Readonly<Record<string, Sql>> = {
  prediction: sql`prediction_value`,
  expired_at: toInstant(sql`case when expired_at > 0 then expired_at end`),
  ended_at: toInstant(sql`nullif(effective_until, ${sql.lit(NEVER)})`),
}

function toValue(table: TableName, { name, type }: DatabaseTable['columns'][number]): Sql {
  const own = table === 'ratings' ? OF_RATINGS[name] : undefined
  if (own) return own
  return type === 'TIMESTAMP' ? toInstant(sql.ref(name)) : sql.ref(name)
}

const BATCH = 1024

type GivenRows = { table: DatabaseTable; rows: readonly Readonly<Record<string, Cell>>[] }

async function insertGiven(db: Kysely<Tables>, target: Sql, { table, rows }: GivenRows) {
  const { columns } = table
  const shape = Object.fromEntries(
    columns.map(({ name, type }) => [name, type === 'TIMESTAMP' ? 'BIGINT' : type]),
  )
  const values = columns.map((column) => toValue(table.name, column))
  for (let from = 0; from < rows.length; from += BATCH) {
    const batch = JSON.stringify(rows.slice(from, from + BATCH).map((row) => toCells(row, columns)))
    await sql`
      insert into ${target} select ${sql.join(values)} from (
        select unnest(from_json(${batch}, ${sql.lit(JSON.stringify([shape]))}), recursive := true))
      `.execute(db)
  }
  return rows.length
}

const toCells = (row: Readonly<Record<string, Cell>>, columns: DatabaseTable['columns']) =>
  Object.fromEntries(columns.map(({ name }) => [name, row[name] ?? null]))
