import { existsSync } from 'node:fs'
import { DOUBLE, type DuckDBConnection, DuckDBDataChunk, INTEGER } from '@duckdb/node-api'
import { type Kysely, sql } from 'kysely'
import { createQueue } from '#lib/async/serial-queue.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import type { Engine } from '../engine/duckdb-engine.ts'
import type { Session } from '../engine/duckdb-session.ts'
import { createNumberedNames } from '../engine/symbol-keys.ts'
import type { Tables } from '../engine/tables.ts'
import { createFlagTable, type PriceFlag, selectFlagged, selectFlags } from './price-flags.ts'

/** `day`: days since 1970-01-01; `close`: decimal text, at most 8 places. */
export type PriceRow = { symbol: string; day: number; close: string }

export type PricesState = {
  version: number
  prices: number
  symbols: number
  firstDay: number | null
  lastDay: number | null
}

type PriceWarnings = { doubled: number; spikes: PriceFlag[]; jumps: PriceFlag[] }

export type Prices = {
  state(): PricesState
  ensure(): Promise<void>
  /** Atomic. Throws what `fill` or the engine throws. */
  replace(
    fill: (append: (rows: readonly PriceRow[]) => Promise<void>) => Promise<void>,
  ): Promise<PriceWarnings>
}

export async function openPrices(engine: Engine, path: string): Promise<Prices> {
  let opening: Promise<Session> | null = null
  const attach = async () => {
    opening ??= attachPrices(engine, path)
    return await opening
  }
  let state = existsSync(path) ? await loadState((await attach()).db, 0) : NO_PRICES
  const inTurn = createQueue()
  return {
    state: () => state,
    ensure: async () => void (await attach()),
    replace: async (fill) =>
      await inTurn(async () => {
        const { db, connection } = await attach()
        await stage(db, connection, fill)
        const doubled = await countDoubled(db)
        await putInPlace(db)
        state = await loadState(db, state.version + 1)
        const [spikes, jumps] = [await selectFlags(db, 'spike'), await selectFlags(db, 'jump')]
        return { doubled, spikes, jumps }
      }),
  }
}

const NO_PRICES: PricesState = { version: 0, prices: 0, symbols: 0, firstDay: null, lastDay: null }

async function attachPrices(engine: Engine, path: string): Promise<Session> {
  const session = await engine.attach({ name: 'prices', path })
  await sql`
    create table if not exists prices.price (
      symbol_key text not null, day integer not null, close decimal(18, 8) not null
    )`.execute(session.db)
  await createFlagTable(session.db)
  return session
}

type Fill = Parameters<Prices['replace']>[0]

/** Symbol code, day, whole units, parts of 10⁻⁸. */
const ARRIVING = [INTEGER, INTEGER, DOUBLE, INTEGER]
const BATCH = 2048

async function stage(db: Kysely<Tables>, connection: DuckDBConnection, fill: Fill): Promise<void> {
  await sql`
    create or replace temporary table arriving_price (
      code integer, day integer, whole double, part integer
    )`.execute(db)
  const codes = new Map<string, number>()
  const appender = await connection.createAppender('arriving_price', 'main', 'temp')
  try {
    await fill(async (rows) => {
      for (let from = 0; from < rows.length; from += BATCH) {
        appender.appendDataChunk(toChunk(rows.slice(from, from + BATCH), codes))
      }
    })
  } finally {
    appender.closeSync()
  }
  const names = [...codes.keys()].map(toSymbolKey)
  await createNumberedNames({ db, connection }, 'arriving_symbol', names)
  await sql`
    create or replace temporary table settled_price as
    with named as (
      select name as symbol_key, code from temp.arriving_symbol
    ),
    keyed as (select *, min(code) over (partition by symbol_key) as key from named),
    arrived as (
      select key, day, arriving_price.rowid as seq,
        cast(cast(whole as decimal(18, 8)) + part * 0.00000001 as decimal(18, 8)) as close
      from arriving_price join keyed using (code)
    ),
    settled as (
      select key, day, arg_max(close, seq) as close, min(close) <> max(close) as is_doubled
      from arrived group by key, day
    )
    select symbol_key, day, close, is_doubled
    from settled join keyed on keyed.code = settled.key`.execute(db)
  await sql`drop table arriving_price`.execute(db)
  await sql`drop table arriving_symbol`.execute(db)
}

/** Numbers append several times faster than text. */
function toChunk(rows: readonly PriceRow[], codes: Map<string, number>): DuckDBDataChunk {
  const chunk = DuckDBDataChunk.create(ARRIVING, rows.length)
  const vectors = ARRIVING.map((_, column) => chunk.getColumnVector(column))
  const [codeColumn, dayColumn, wholeColumn, partColumn] = vectors
  for (const [place, { symbol, day, close }] of rows.entries()) {
    const code = codes.get(symbol) ?? codes.size
    if (code === codes.size) codes.set(symbol, code)
    const point = close.indexOf('.')
    const end = point < 0 ? close.length : point
    codeColumn?.setItem(place, code)
    dayColumn?.setItem(place, day)
    wholeColumn?.setItem(place, Number(close.slice(0, end)))
    const places = Math.max(0, close.length - end - 1)
    partColumn?.setItem(place, Number(close.slice(end + 1)) * 10 ** (PLACES - places))
  }
  for (const vector of vectors) vector.flush()
  return chunk
}

const PLACES = 8

async function countDoubled(db: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ doubled: number }>`
    select count(*) as doubled from settled_price where is_doubled`.execute(db)
  return rows[0]?.doubled ?? 0
}

async function putInPlace(db: Kysely<Tables>): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await sql`delete from prices.price`.execute(transaction)
    await sql`
      insert into prices.price
      select symbol_key, day, close from settled_price order by symbol_key, day`.execute(
      transaction,
    )
    await sql`delete from prices.flag`.execute(transaction)
    await sql`
      insert into prices.flag ${selectFlagged(sql`settled_price`)}`.execute(transaction)
  })
  await sql`drop table settled_price`.execute(db)
}

async function loadState(db: Kysely<Tables>, version: number): Promise<PricesState> {
  const { rows } = await sql<Omit<PricesState, 'version'>>`
    select count(*) as prices, count(distinct symbol_key) as symbols,
      min(day) as "firstDay", max(day) as "lastDay"
    from prices.price`.execute(db)
  const [found] = rows
  if (!found) throw new Error('the prices cannot be counted')
  return { version, ...found }
}
