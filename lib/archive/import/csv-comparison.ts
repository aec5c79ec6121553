import { DuckDBDataChunk, VARCHAR } from '@duckdb/node-api'
import { type RawBuilder, sql } from 'kysely'
import { openEngine } from '#lib/archive/engine/duckdb-engine.ts'
import { type CsvForm, countPlainRecords, PLAIN_CELL, readCsvForm, readLines } from './plain-csv.ts'

export type ComparisonOptions = {
  /** The columns that both files have. */
  names: readonly string[]
  /** A folder for what does not fit into memory: emptied before, taken away after. */
  spillPath: string
  signal: AbortSignal
}

export type ComparedFile = 'before' | 'after'

/** Two files of records, compared by a database of their own. Each step throws AppError('busy') when aborted. */
export type CsvComparison = {
  /** Takes a file as a whole; false, and nothing is taken, where it is not plain: then its records are appended. */
  read(file: ComparedFile, path: string): Promise<boolean>
  /** Records of a file in its order, at most 2,048 at once, each the cells under `names`. */
  append(file: ComparedFile, records: readonly (readonly string[])[]): Promise<void>
  /** The last step, once all records of both files are there. */
  count(): Promise<Difference>
  close(): Promise<void>
}

export type Difference = { added: number; changed: number; gone: number }

/** What is held in memory, however many records there are; the rest is spilled. */
const MEMORY_LIMIT = '32MB'

/**
 * Records are found again by their `id` where both files have such a column, the last of an id counting; otherwise by
 * their text, as often as it occurs, and then none is changed. An id is held as its text, a record as its hash of 64 bits.
 */
export async function openComparison(options: ComparisonOptions): Promise<CsvComparison> {
  const { names, spillPath, signal } = options
  const settings = { memoryLimit: MEMORY_LIMIT, threads: 1, spillPath }
  const engine = await openEngine({ path: ':memory:', ...settings })
  const { connection, db, interruptible } = engine.writer
  const run = async <R>(query: RawBuilder<R>): Promise<R[]> =>
    await interruptible(signal, async () => (await query.execute(db)).rows)
  const idIndex = names.indexOf('id')
  const count = idIndex === -1 ? countTexts : countIds

  await run(sql`create table piece (id text, record text)`)
  for (const file of ['before', 'after']) {
    await run(sql`create table ${sql.table(file)} (id text, record ubigint)`)
  }
  const appender = await connection.createAppender('piece')
  return {
    async read(file, path) {
      const form = await readCsvForm(path)
      if (!form || !names.every((name) => form.header.includes(name))) return false
      const line = form.header.map(() => PLAIN_CELL).join(',')
      try {
        const records = await interruptible(signal, async () => countPlainRecords(db, form, line))
        if (records === null) return false
        await run(insertFrom(file, selectLines(form, names)))
        const [found] = await run(sql<Found>`select count(*) as rows from ${sql.table(file)}`)
        if (found?.rows === records) return true
      } catch (error) {
        if (signal.aborted) throw error
        // Whatever was wrong with it, record by record is how it is found out.
      }
      await run(sql`truncate ${sql.table(file)}`)
      return false
    },
    async append(file, records) {
      if (records.length === 0) return
      const chunk = DuckDBDataChunk.create([VARCHAR, VARCHAR], records.length)
      chunk.setColumnValues(
        0,
        records.map((cells) => cells[idIndex] ?? ''),
      )
      chunk.setColumnValues(1, records.map(toText))
      appender.appendDataChunk(chunk)
      appender.flushSync()
      await run(insertFrom(file, sql`piece`))
      await run(sql`truncate piece`)
    },
    count: async () => await count(run),
    async close() {
      appender.closeSync()
      await engine.close()
    },
  }
}

type Run = <R>(query: RawBuilder<R>) => Promise<R[]>
type Found = { rows: number }

/** A line of a plain file is the text of its record, but for columns that the other file has elsewhere or lacks. */
function selectLines({ path, header }: CsvForm, names: readonly string[]): RawBuilder<unknown> {
  const places = names.map((name) => header.indexOf(name) + 1)
  const isSame = header.length === names.length && places.every((place, at) => place === at + 1)
  const id = header.indexOf('id') + 1
  const cells = sql`list_select(string_split(line, ','), [${sql.join(places.map((place) => sql.lit(place)))}])`
  return sql`(
    select ${names.includes('id') ? sql`split_part(line, ',', ${sql.lit(id)})` : sql.lit('')} as id,
      ${isSame ? sql.ref('line') : sql`array_to_string(${cells}, ',')`} as record
    from ${readLines(path)}) as lines`
}

/** What a plain file cannot hold. */
const STRANGE = /[",\r\n]/

/** The text of a record as a plain file has it, or as none has it. */
const toText = (cells: readonly string[]) =>
  cells.map((cell) => (STRANGE.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')

/** Digits that name the same number are the same id, whatever stands before them. */
const insertFrom = (file: ComparedFile, from: RawBuilder<unknown>) => sql`
  insert into ${sql.table(file)}
  select case when starts_with(id, '0') or starts_with(id, '+')
      then regexp_replace(id, '^[+]?0*([0-9]+)$', '\\1') else id end,
    hash(record)
  from ${from}`

async function countIds(run: Run): Promise<Difference> {
  const [before, after] = [await selectLast(run, 'before'), await selectLast(run, 'after')]
  const rows = await run(sql<Difference>`
    select count(*) filter (before.record is null) as added,
      count(*) filter (before.record <> after.record) as changed,
      count(*) filter (after.record is null) as gone
    from ${before} as before full join ${after} as after on after.id = before.id`)
  return rows[0] ?? NONE
}

/** The last record of each id. Ids that only grow are each another: then all of them are. */
async function selectLast(run: Run, file: ComparedFile): Promise<RawBuilder<unknown>> {
  const [found] = await run(sql<Found>`
    select count(*) filter (number is null or number <= number_before) as rows
    from (
      select try_cast(id as bigint) as number, lag(try_cast(id as bigint)) over () as number_before
      from ${sql.table(file)}
    ) as following`)
  if (found?.rows === 0) return sql.table(file)
  return sql`(
    select id, arg_max(record, rowid) as record from ${sql.table(file)} group by id)`
}

async function countTexts(run: Run): Promise<Difference> {
  const times = (file: ComparedFile) => sql`(
    select record, count(*) as times from ${sql.table(file)} group by record)`
  const more = (one: string, other: string) => sql`cast(coalesce(sum(greatest(
    coalesce(${sql.ref(`${one}.times`)}, 0) - coalesce(${sql.ref(`${other}.times`)}, 0), 0
  )), 0) as bigint)`
  const rows = await run(sql<Difference>`
    select ${more('after', 'before')} as added, 0 as changed, ${more('before', 'after')} as gone
    from ${times('before')} as before full join ${times('after')} as after
      on after.record = before.record`)
  return rows[0] ?? NONE
}

const NONE: Difference = { added: 0, changed: 0, gone: 0 }
