import { type Kysely, sql } from 'kysely'
import type { Chosen } from '#lib/contract/value-list.ts'
import { type Asked, toConditions } from './rating-conditions.ts'
import type { Tables } from './tables.ts'

/** How many symbols and users a facet names beside the chosen ones. */
const TOP = 20

type Line<V> = { value: V; count: number }

/** The most frequent, then what is chosen beside them, down to what has no row; `distinct` counts all that have one. */
export type TopFacet<V> = { shown: Line<V>[]; distinct: number }

/** Chosen symbols stand as ratings spell them; those that nobody ever rated as they are compared. */
export async function selectTopSymbols(
  db: Kysely<Tables>,
  asked: Asked,
): Promise<TopFacet<string>> {
  const counted = db
    .selectFrom('rating')
    .select((eb) => ['symbol_key', eb.fn.countAll<number>().as('count')])
    .where(toConditions(asked, 'symbol'))
    .groupBy('symbol_key')
  const top = await db
    .with('counted', () => counted)
    .selectFrom('counted')
    .innerJoin('symbol', 'symbol.symbol_key', 'counted.symbol_key')
    .select(['symbol.symbol_key as key', 'symbol.symbol as value', 'counted.count', distinct])
    .orderBy('count', 'desc')
    .orderBy('value')
    .limit(TOP)
    .execute()
  const missing = toMissing(
    asked.query.symbol,
    top.map(({ key }) => key),
  )
  if (missing.length === 0) return toFacet(top, [])
  const found = await db
    .with('counted', () => counted.where('symbol_key', 'in', missing))
    .selectFrom('symbol')
    .leftJoin('counted', 'counted.symbol_key', 'symbol.symbol_key')
    .select((eb) => [
      'symbol.symbol_key as key',
      'symbol.symbol as value',
      eb.fn.coalesce('counted.count', eb.lit(0)).as('count'),
    ])
    .where('symbol.symbol_key', 'in', missing)
    .orderBy('count', 'desc')
    .orderBy('value')
    .execute()
  const unknown = toMissing(
    { only: missing, not: [] },
    found.map(({ key }) => key),
  )
  return toFacet(top, [...found, ...unknown.map(toEmpty)])
}

export async function selectTopUsers(db: Kysely<Tables>, asked: Asked): Promise<TopFacet<number>> {
  const counted = db
    .selectFrom('rating')
    .select((eb) => ['user_id as value', eb.fn.countAll<number>().as('count')])
    .where(toConditions(asked, 'user'))
    .groupBy('user_id')
  const top = await db
    .selectFrom(counted.as('counted'))
    .select(['value', 'count', distinct])
    .orderBy('count', 'desc')
    .orderBy('value')
    .limit(TOP)
    .execute()
  const missing = toMissing(
    asked.query.user,
    top.map(({ value }) => value),
  )
  if (missing.length === 0) return toFacet(top, [])
  const found = await counted
    .where('user_id', 'in', missing)
    .orderBy('count', 'desc')
    .orderBy('value')
    .execute()
  const empty = toMissing(
    { only: missing, not: [] },
    found.map(({ value }) => value),
  )
  return toFacet(top, [...found, ...empty.map(toEmpty)])
}

/** Counted before the limit. */
const distinct = sql<number>`count(*) over ()`.as('distinct')

const toMissing = <V>({ only, not }: Chosen<V>, shown: readonly V[]): V[] =>
  [...new Set([...only, ...not])].filter((value) => !shown.includes(value))

const toEmpty = <V>(value: V): Line<V> => ({ value, count: 0 })

const toFacet = <V>(
  top: readonly (Line<V> & { distinct: number })[],
  chosen: readonly Line<V>[],
): TopFacet<V> => ({
  shown: [...top, ...chosen].map(({ value, count }) => ({ value, count })),
  distinct: top[0]?.distinct ?? 0,
})
