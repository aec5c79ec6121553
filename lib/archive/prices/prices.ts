import { type Kysely, sql } from 'kysely'
import type { Engine } from '#lib/archive/engine/duckdb-engine.ts'
import type { Tables } from '#lib/archive/engine/tables.ts'
import { createQueue } from '#lib/contract/serial-queue.ts'

/** A symbol's close of a day. `day` counts days since 1970-01-01; `close` is decimal text above 0, of at most 8 places. */
export type PriceRow = { symbol: string; day: number; close: string }

/** What is known without asking the database. `version` is another number for other prices. */
export type PricesState = {
  version: number
  prices: number
  symbols: number
  firstDay: number | null
  lastDay: number | null
}

/** Closes of symbols by day, from an operator's files: nothing of a rating is in them. Reads see the last commit. */
export type Prices = {
  state(): PricesState
  /**
   * Makes what `fill` appends all prices there are: whole, or not at all. Of two rows of one symbol and day the later one
   * counts. Throws what `fill` throws, or what the engine says.
   */
  replace(
    fill: (append: (rows: readonly PriceRow[]) => Promise<void>) => Promise<void>,
  ): Promise<void>
}

/** Rows that are written by one statement. */
const SLICE = 2000

/** Opens the prices that a file holds; `path` may be `:memory:`. */
export async function openPrices(engine: Engine, path: string): Promise<Prices> {
  const { db } = await engine.attach({ name: 'prices', path })
  await sql`
    create table if not exists prices.price (
      symbol_key text not null, day integer not null, close decimal(18, 8) not null
    )`.execute(db)
  let state = await loadState(db, 0)
  const inTurn = createQueue()
  return {
    state: () => state,
    replace: async (fill) =>
      await inTurn(async () => {
        await sql`
          create or replace temporary table arriving_price (
            seq bigint, symbol_key text, day integer, close decimal(18, 8)
          )`.execute(db)
        let seq = 0
        await fill(async (rows) => {
          for (let from = 0; from < rows.length; from += SLICE) {
            const slice = rows.slice(from, from + SLICE)
            await appendSlice(db, slice, seq)
            seq += slice.length
          }
        })
        await putInPlace(db)
        state = await loadState(db, state.version + 1)
      }),
  }
}

async function appendSlice(
  db: Kysely<Tables>,
  rows: readonly PriceRow[],
  seq: number,
): Promise<void> {
  const values = rows.map(
    ({ symbol, day, close }, index) =>
      sql`(${sql.lit(seq + index)}, upper(${sql.lit(symbol)}), ${sql.lit(day)}, ${sql.lit(close)})`,
  )
  await sql`insert into arriving_price values ${sql.join(values)}`.execute(db)
}

/** In order of symbol and day, so that what is asked of one symbol lies together. */
async function putInPlace(db: Kysely<Tables>): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await sql`delete from prices.price`.execute(transaction)
    await sql`
      insert into prices.price
      select symbol_key, day, last(close order by seq) from arriving_price
      group by symbol_key, day order by symbol_key, day`.execute(transaction)
  })
  await sql`drop table arriving_price`.execute(db)
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
