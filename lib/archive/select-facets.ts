import type { Kysely } from 'kysely'
import type { Facets } from '#lib/contract/answers/ratings.ts'
import type { Counted } from '#lib/contract/answers/shared.ts'
import type { RatingsQuery } from '#lib/contract/ratings-query.ts'
import type { ReadOptions } from './archive.ts'
import type { Engine } from './duckdb-engine.ts'
import type { Labels } from './known-state.ts'
import { type Asked, toConditions } from './rating-conditions.ts'
import { selectCreatedBins } from './select-created-bins.ts'
import { selectPredictionBins } from './select-prediction-bins.ts'
import type { Tables } from './tables.ts'

/** How many symbols and users a facet names beside the selected ones. */
const TOP = 20

/** The counts beside the filters: each over the rows that pass all the other filters. */
export async function selectFacets(
  engine: Engine,
  query: RatingsQuery,
  { at, signal, labels }: ReadOptions & { labels: Labels },
): Promise<Facets> {
  const read = async <T>(select: (db: Kysely<Tables>, asked: Asked) => Promise<T>) =>
    await engine.read((db) => select(db, { query, at }), signal)
  const [rating, action, symbol, user, created, prediction] = await Promise.all([
    read((db, asked) => countCodes(db, asked, { column: 'rating', label: labels.rating })),
    read((db, asked) => countCodes(db, asked, { column: 'action', label: labels.action })),
    read(countSymbols),
    read(countUsers),
    read(selectCreatedBins),
    read(selectPredictionBins),
  ])
  return { rating, action, symbol, user, created, prediction }
}

async function countCodes(
  db: Kysely<Tables>,
  asked: Asked,
  { column, label }: { column: 'rating' | 'action'; label: (code: number) => string },
): Promise<Counted[]> {
  const rows = await db
    .selectFrom('rating')
    .select((eb) => [eb.ref(column).as('value'), eb.fn.countAll<number>().as('count')])
    .where(toConditions(asked, column))
    .groupBy(column)
    .orderBy(column)
    .execute()
  return rows.map(({ value, count }) => ({ value, label: label(value), count }))
}

async function countSymbols(db: Kysely<Tables>, asked: Asked): Promise<Facets['symbol']> {
  const counted = db
    .selectFrom('rating')
    .select((eb) => ['symbol_key', eb.fn.countAll<number>().as('count')])
    .where(toConditions(asked, 'symbol'))
    .groupBy('symbol_key')
  const named = db
    .with('counted', () => counted)
    .selectFrom('counted')
    .innerJoin('symbol', 'symbol.symbol_key', 'counted.symbol_key')
    .select(['symbol.symbol as value', 'counted.count'])
    .orderBy('count', 'desc')
    .orderBy('value')
  const top = await named.limit(TOP).execute()
  const { only, not } = asked.query.symbol
  if (only.length + not.length === 0) return top
  const selected = await named.where('counted.symbol_key', 'in', [...only, ...not]).execute()
  return withSelected(top, selected)
}

async function countUsers(db: Kysely<Tables>, asked: Asked): Promise<Facets['user']> {
  const counted = db
    .selectFrom('rating')
    .select((eb) => ['user_id as value', eb.fn.countAll<number>().as('count')])
    .where(toConditions(asked, 'user'))
    .groupBy('user_id')
    .orderBy('count', 'desc')
    .orderBy('value')
  const top = await counted.limit(TOP).execute()
  const { only, not } = asked.query.user
  if (only.length + not.length === 0) return top
  const selected = await counted.where('user_id', 'in', [...only, ...not]).execute()
  return withSelected(top, selected)
}

/** The top, then what is selected below it. */
function withSelected<V>(top: { value: V; count: number }[], selected: typeof top): typeof top {
  const shown = new Set(top.map((entry) => entry.value))
  return [...top, ...selected.filter((entry) => !shown.has(entry.value))]
}
