import { type Kysely, sql } from 'kysely'
import type { Session } from '#lib/archive/engine/duckdb-session.ts'
import { isBeyondAscii, withKeys } from '#lib/archive/engine/symbol-keys.ts'
import type { Tables } from '#lib/archive/engine/tables.ts'
import {
  countPlainRecords,
  PLAIN_CELL,
  readCsv,
  readCsvForm,
} from '#lib/archive/import/plain-csv.ts'
import { LAST_SECOND, SYMBOL_MAX_LENGTH } from '#lib/contract/rating-fields.ts'

/** The first two are required. */
export const LOOKUP_COLUMNS = ['symbol', 'created_at', 'source', 'room_id', 'id'] as const
type LookupColumn = (typeof LOOKUP_COLUMNS)[number]
export const NEEDED_COLUMNS = ['symbol', 'created_at'] as const satisfies readonly LookupColumn[]

/** `cells` in the order of LOOKUP_COLUMNS. */
export type LookupRecord = { line: number; cells: readonly string[]; problem: string | null }

const EXAMPLES_MAX = 100
const RAW_MAX_LENGTH = 200

/** `line` is null in a file of one record a line. */
const STAGED_COLUMNS = [
  ...LOOKUP_COLUMNS.map((name) => `${name} text`),
  'line bigint',
  'problem text',
].join(', ')

export async function beginStaging({ db }: Session): Promise<void> {
  await sql`create or replace table lookups.arriving (${sql.raw(STAGED_COLUMNS)})`.execute(db)
}

/** Returns false and stages nothing if DuckDB might parse the file differently. */
export async function stageFile(
  { db }: Session,
  { path, rows }: { path: string; rows: number },
): Promise<boolean> {
  try {
    const form = await readCsvForm(path)
    if (!form) return false
    const line = form.header.map(() => PLAIN_CELL).join(',')
    if ((await countPlainRecords(db, form, line)) !== rows) return false
    const cells = LOOKUP_COLUMNS.map((name) =>
      form.header.includes(name) ? sql.ref(name) : sql`null`,
    )
    const typed = form.header.map((name) => ({ name, type: 'text', isNullable: true }))
    await sql`
      insert into lookups.arriving select ${sql.join(cells)}, null, null from ${readCsv(path, typed)}`.execute(
      db,
    )
    const { rows: counted } = await sql<{ rows: number }>`
      select count(*) as rows from lookups.arriving`.execute(db)
    if (counted[0]?.rows === rows) return true
  } catch (error) {
    if (isNoRoom(error)) throw error
  }
  await sql`truncate lookups.arriving`.execute(db)
  return false
}

const isNoRoom = (error: unknown) => /no space|disk|out of memory/i.test(String(error))

export async function stageRecords(
  { connection }: Session,
  records: readonly LookupRecord[],
): Promise<void> {
  const appender = await connection.createAppender('arriving', 'main', 'lookups')
  try {
    for (const { line, cells, problem } of records) {
      for (let index = 0; index < LOOKUP_COLUMNS.length; index += 1) {
        const cell = cells[index] ?? ''
        if (cell === '') appender.appendNull()
        else appender.appendVarchar(cell)
      }
      appender.appendBigInt(BigInt(line))
      if (problem === null) appender.appendNull()
      else appender.appendVarchar(problem)
      appender.endRow()
    }
    appender.flushSync()
  } finally {
    appender.closeSync()
  }
}

const WHOLE = '0|[1-9][0-9]{0,11}'

/** `1.0` is whole. */
const toWhole = (name: LookupColumn) => sql`regexp_replace(${sql.ref(name)}, '[.]0+$', '')`

const CREATED = toWhole('created_at')

/** Null if the row is valid. */
const reasonOf = (knownTo: number) => sql`case
  when problem is not null then concat('has ', problem)
  when symbol is null or trim(symbol) = '' then 'has no symbol'
  when length(trim(symbol)) > ${sql.lit(SYMBOL_MAX_LENGTH)} then 'has a symbol that is too long'
  when contains(symbol, chr(0)) then 'has a symbol that holds a null'
  when created_at is null then 'has no created_at'
  when not regexp_full_match(${CREATED}, ${sql.lit(WHOLE)})
    or try_cast(${CREATED} as bigint) > ${sql.lit(LAST_SECOND)}
    then 'has a created_at that is no whole second'
  when try_cast(${CREATED} as bigint) >= ${sql.lit(knownTo)} then 'is later than the Sunday of its edition'
  end`

const DOUBLED = 'has an id that stands again further down'

const ID = sql`case
  when regexp_full_match(${toWhole('id')}, '0|-?[1-9][0-9]{0,14}') then cast(${toWhole('id')} as bigint)
  end`

/** Of rows with one id, the last wins. */
export async function settle(db: Kysely<Tables>, knownTo: number): Promise<void> {
  await sql`
    create or replace table lookups.judged as
    select rowid as seq, ${ID} as id, case when ${isBeyondAscii('symbol')} then trim(symbol)
        else upper(trim(symbol)) end as symbol, source, room_id as room,
      try_cast(${CREATED} as bigint) as created_at, ${reasonOf(knownTo)} as reason
    from lookups.arriving`.execute(db)
  await foldSymbols(db)
  await setDoubledAside(db)
  await numberNames(db, 'symbol', sql`symbol`)
  await numberNames(db, 'source', sql`source`)
  await numberNames(db, 'room', sql`try_cast(room as bigint) nulls last, room`)
  await sql`
    create or replace table lookups.next_lookup as
    select id, symbol_no, source_no, room_no, created_at
    from lookups.judged
      join lookups.next_symbol using (symbol)
      left join lookups.next_source using (source)
      left join lookups.next_room using (room)
    where reason is null
    order by symbol_no, created_at, id`.execute(db)
  await sql`
    create or replace table lookups.next_set_aside as
    select reason, count(*) as rows from lookups.judged where reason is not null group by reason`.execute(
    db,
  )
  await sql`
    create or replace table lookups.next_example as
    select coalesce(arriving.line, judged.seq + 2) as row, reason,
      left(concat_ws(',', ${sql.join(LOOKUP_COLUMNS.map((name) => sql`coalesce(arriving.${sql.ref(name)}, '')`))}), ${sql.lit(RAW_MAX_LENGTH)}) as raw
    from (
      select seq, reason from lookups.judged where reason is not null
      order by seq limit ${sql.lit(EXAMPLES_MAX)}
    ) as judged join lookups.arriving as arriving on arriving.rowid = judged.seq
    order by judged.seq`.execute(db)
}

async function foldSymbols(db: Kysely<Tables>): Promise<void> {
  const texts = sql`
    select distinct symbol as text from lookups.judged where ${isBeyondAscii('symbol')}`
  await withKeys(db, { texts }, () =>
    sql`
      update lookups.judged set symbol = key from folded
      where symbol = text and symbol <> key`.execute(db),
  )
}

async function setDoubledAside(db: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<{ unordered: number }>`
    select count(*) filter (id <= id_before) as unordered
    from (
      select id, lag(id) over (order by seq) as id_before
      from lookups.judged where reason is null and id is not null
    ) as following`.execute(db)
  if (rows[0]?.unordered === 0) return
  await sql`
    update lookups.judged set reason = ${sql.lit(DOUBLED)}
    where reason is null and id in (
      select id from lookups.judged where reason is null group by id having count(*) > 1
    ) and seq not in (
      select max(seq) from lookups.judged where reason is null group by id having count(*) > 1
    )`.execute(db)
}

async function numberNames(
  db: Kysely<Tables>,
  name: 'symbol' | 'source' | 'room',
  order: ReturnType<typeof sql>,
): Promise<void> {
  const column = sql.ref(name)
  await sql`
    create or replace table ${sql.table(`lookups.next_${name}`)} as
    select cast(row_number() over (order by ${order}) as integer) as ${sql.ref(`${name}_no`)}, ${column}
    from (
      select distinct ${column} from lookups.judged where reason is null and ${column} is not null
    ) as names`.execute(db)
}

const SETTLED = ['lookup', 'symbol', 'source', 'room', 'set_aside', 'example'] as const

export type ImportedEdition = {
  edition: string
  sha256: string
  /** First second of the edition's Sunday. */
  knownTo: number
  columns: readonly LookupColumn[]
}

export async function putInPlace(
  db: Kysely<Tables>,
  { edition, sha256, knownTo, columns }: ImportedEdition,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ lookups: number }>`
      select lookups from lookups.journal`.execute(transaction)
    for (const name of SETTLED) {
      await sql`drop table if exists ${sql.table(`lookups.${name}`)}`.execute(transaction)
      await sql`
        alter table ${sql.table(`lookups.next_${name}`)} rename to ${sql.ref(name)}`.execute(
        transaction,
      )
    }
    await sql`delete from lookups.journal`.execute(transaction)
    await sql`
      insert into lookups.journal
      select ${sql.lit(edition)}, ${sql.lit(sha256)}, ${sql.lit(knownTo)}, ${sql.lit(columns.join(','))},
        count(*), min(created_at), max(created_at), ${sql.lit(rows[0]?.lookups ?? null)}
      from lookups.lookup`.execute(transaction)
  })
  await dropStaged(db)
}

export async function dropStaged(db: Kysely<Tables>): Promise<void> {
  const staged = ['arriving', 'judged', ...SETTLED.map((name) => `next_${name}`)]
  for (const name of staged) {
    await sql`drop table if exists ${sql.table(`lookups.${name}`)}`.execute(db)
  }
}
