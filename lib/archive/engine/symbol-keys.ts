import { type Kysely, type RawBuilder, sql } from 'kysely'
import { toSearchKey, toSymbolKey } from '#lib/contract/rating-fields.ts'
import type { Session } from './duckdb-session.ts'
import type { Tables } from './tables.ts'

/** In ASCII, `upper` is the key. DuckDB folds other letters differently than JavaScript. */
export const isBeyondAscii = (column: string) =>
  sql`strlen(${sql.ref(column)}) > length(${sql.ref(column)})`

type KeyOptions = {
  /** Selects one column `text`. */
  texts: RawBuilder<unknown>
  toKey?: (text: string) => string
}

const BATCH = 1000

/** During `work` there is the temporary table `folded` of `text` and `key`. */
export async function withKeys(
  db: Kysely<Tables>,
  { texts, toKey = toSymbolKey }: KeyOptions,
  work: () => Promise<unknown>,
): Promise<void> {
  const { rows } = await sql<{ text: string }>`${texts}`.execute(db)
  await sql`create or replace temporary table folded (text text, key text)`.execute(db)
  for (let from = 0; from < rows.length; from += BATCH) {
    const pairs = rows
      .slice(from, from + BATCH)
      .map(({ text }) => sql`(cast(${text} as text), cast(${toKey(text)} as text))`)
    await sql`insert into folded values ${sql.join(pairs)}`.execute(db)
  }
  await work()
  await sql`drop table folded`.execute(db)
}

/** Whatever DuckDB, another node or an earlier version took for the keys of staged ratings. */
export async function setIncomingKeys(db: Kysely<Tables>): Promise<void> {
  const texts = sql`select distinct symbol as text from incoming where ${isBeyondAscii('symbol')}`
  await withKeys(db, { texts }, () =>
    sql`update incoming set symbol_key = key from folded where symbol = text`.execute(db),
  )
}

/** Of the symbols that were inserted without one. */
export async function setSearchKeys(db: Kysely<Tables>): Promise<void> {
  await sql`
    update symbol set search_key = symbol_key
    where search_key is null and not (${isBeyondAscii('symbol_key')})`.execute(db)
  const texts = sql`select symbol_key as text from symbol where search_key is null`
  await withKeys(db, { texts, toKey: toSearchKey }, () =>
    sql`
      update symbol set search_key = key from folded
      where symbol_key = text and search_key is null`.execute(db),
  )
}

/** Creates the temporary table `table` of `name` and `code`, from 0, in the order of `names`. */
export async function createNumberedNames(
  { db, connection }: Pick<Session, 'db' | 'connection'>,
  table: string,
  names: readonly string[],
): Promise<void> {
  await sql`create or replace temporary table ${sql.ref(table)} (name text, code integer)`.execute(
    db,
  )
  const appender = await connection.createAppender(table, 'main', 'temp')
  try {
    for (const [code, name] of names.entries()) {
      appender.appendVarchar(name)
      appender.appendInteger(code)
      appender.endRow()
    }
    appender.flushSync()
  } finally {
    appender.closeSync()
  }
}
