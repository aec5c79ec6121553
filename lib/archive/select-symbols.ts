import { type Expression, expressionBuilder, type Kysely, type SqlBool, sql } from 'kysely'
import type { SymbolRow } from '#lib/contract/answers/symbols.ts'
import type { SymbolsQuery } from '#lib/contract/other-queries.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import type { ReadOptions, Rows } from './archive.ts'
import type { Engine } from './duckdb-engine.ts'
import { selectSparks } from './select-sparks.ts'
import { fromLeague, type LeagueLine, rankBy, toSymbolRow } from './symbol-league.ts'
import type { Tables } from './tables.ts'

/**
 * The league table over the ratings that existed at `at`. `q` is found anywhere in a symbol, whatever its case; those
 * that begin with it come first. Then the query's column, by the figure that it is ranked by; ties by symbol, what has
 * no value last.
 */
export async function selectSymbols(
  engine: Engine,
  query: SymbolsQuery,
  { at, signal }: ReadOptions,
): Promise<Rows<SymbolRow>> {
  const lines = await engine.read((db) => selectPage(db, query, at), signal)
  const keys = lines.map((line) => line.symbol_key)
  const sparks = await selectSparks(engine, keys, { at, signal })
  const rows = lines.map((line) => toSymbolRow(line, sparks(line.symbol_key)))
  // A page behind the last one has no row that could tell.
  const total =
    lines[0]?.total ??
    (query.page === 1 ? 0 : await engine.read((db) => countSymbols(db, query, at), signal))
  return { rows, total }
}

const eb = expressionBuilder<{ tally: { symbol_key: string } }, 'tally'>()

const positionOf = (q: string) =>
  sql<number>`position(cast(${toSymbolKey(q)} as text) in ${eb.ref('tally.symbol_key')})`

const contains = (q: string): Expression<SqlBool> =>
  q === '' ? eb.lit(true) : eb(positionOf(q), '>', 0)

async function countSymbols(db: Kysely<Tables>, { q }: SymbolsQuery, at: number): Promise<number> {
  const row = await fromLeague(db, at)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where(contains(q))
    .executeTakeFirstOrThrow()
  return row.total
}

async function selectPage(
  db: Kysely<Tables>,
  query: SymbolsQuery,
  at: number,
): Promise<(LeagueLine & { total: number })[]> {
  const { q, sort, page, per_page: perPage } = query
  return await fromLeague(db, at)
    .selectAll(['tally', 'community'])
    .select(['symbol.symbol', sql<number>`count(*) over ()`.as('total')])
    .where(contains(q))
    .$if(q !== '', (found) => found.orderBy(eb(positionOf(q), '=', 1), 'desc'))
    .orderBy(rankBy(sort), (item) =>
      (sort.direction === 'desc' ? item.desc() : item.asc()).nullsLast(),
    )
    .orderBy('symbol.symbol')
    .limit(perPage)
    .offset((page - 1) * perPage)
    .execute()
}
