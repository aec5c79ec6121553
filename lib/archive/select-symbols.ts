import { type Expression, expressionBuilder, type Kysely, type SqlBool, sql } from 'kysely'
import type { SymbolRow } from '#lib/contract/answers/symbols.ts'
import type { SymbolsQuery } from '#lib/contract/other-queries.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import type { ReadOptions, Rows } from './archive.ts'
import type { Engine } from './duckdb-engine.ts'
import { toMean } from './mean.ts'
import { isActive } from './rating-conditions.ts'
import { roundedMean } from './rounded-mean.ts'
import type { Tables } from './tables.ts'

/**
 * The league table. `q` is found anywhere in a symbol, whatever its case; those that begin with it come first.
 * Then the query's column, ties by symbol, what has no value last.
 */
export async function selectSymbols(
  engine: Engine,
  query: SymbolsQuery,
  { at, signal }: ReadOptions,
): Promise<Rows<SymbolRow>> {
  const [total, rows] = await Promise.all([
    engine.read((db) => countSymbols(db, query), signal),
    engine.read((db) => selectPage(db, query, at), signal),
  ])
  return {
    rows: rows.map(({ rating_sum, prediction_sum, ...row }) => ({
      ...row,
      consensus: toMean(rating_sum, row.active, 4),
      avg_prediction: toMean(prediction_sum, row.active, 4),
    })),
    total,
  }
}

const eb = expressionBuilder<Tables, 'symbol'>()

const positionOf = (q: string) =>
  sql<number>`position(cast(${toSymbolKey(q)} as text) in ${eb.ref('symbol.symbol_key')})`

const contains = (q: string): Expression<SqlBool> =>
  q === '' ? eb.lit(true) : eb(positionOf(q), '>', 0)

async function countSymbols(db: Kysely<Tables>, { q }: SymbolsQuery): Promise<number> {
  const row = await db
    .selectFrom('symbol')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where(contains(q))
    .executeTakeFirstOrThrow()
  return row.total
}

/** Active ratings only, or the aggregate over them. */
const tally = (db: Kysely<Tables>, { q }: SymbolsQuery, at: number) => {
  const found = db.selectFrom('symbol').select('symbol_key').where(contains(q))
  return db
    .selectFrom('rating')
    .select((eb) => [
      'symbol_key',
      eb.fn.countAll<number>().as('ratings'),
      eb.fn.countAll<number>().filterWhere(isActive(at)).as('active'),
      eb.fn.sum<number | null>('rating').filterWhere(isActive(at)).as('rating_sum'),
      eb.fn.sum<string | null>('prediction_value').filterWhere(isActive(at)).as('prediction_sum'),
      eb.fn.max('created_at').as('last_created_at'),
    ])
    .$if(q !== '', (ratings) => ratings.where('symbol_key', 'in', found))
    .groupBy('symbol_key')
}

async function selectPage(db: Kysely<Tables>, query: SymbolsQuery, at: number) {
  const { q, sort, page, per_page: perPage } = query
  return await db
    .with('tally', () => tally(db, query, at))
    .selectFrom('tally')
    .innerJoin('symbol', 'symbol.symbol_key', 'tally.symbol_key')
    .select([
      'symbol.symbol',
      'ratings',
      'active',
      'rating_sum',
      'prediction_sum',
      'last_created_at',
    ])
    .$if(q !== '', (found) => found.orderBy(eb(positionOf(q), '=', 1), 'desc'))
    .orderBy(
      (eb) => {
        if (sort.column === 'consensus') return roundedMean(eb.ref('rating_sum'), eb.ref('active'))
        if (sort.column === 'avg_prediction') {
          return roundedMean(eb.ref('prediction_sum'), eb.ref('active'))
        }
        return eb.ref(sort.column === 'symbol' ? 'symbol.symbol' : sort.column)
      },
      (item) => (sort.direction === 'desc' ? item.desc() : item.asc()).nullsLast(),
    )
    .orderBy('symbol.symbol')
    .limit(perPage)
    .offset((page - 1) * perPage)
    .execute()
}
