import { type Expression, expressionBuilder, type Kysely, sql } from 'kysely'
import type { SymbolRow } from '#lib/contract/answers/symbols.ts'
import type { SymbolsQuery } from '#lib/contract/other-queries.ts'
import { shrunkChange, toChange, toShrunkChange } from './consensus-change.ts'
import { deviation, toDeviation } from './deviation.ts'
import { toMean } from './mean.ts'
import { rankingBound, toRankingBounds } from './ranking-bounds.ts'
import { isActive } from './rating-conditions.ts'
import { roundedMean } from './rounded-mean.ts'
import { shrunkMean, toShrunkMean } from './shrunk-mean.ts'
import type { Tables } from './tables.ts'

const CHANGE_SECONDS = 30 * 86_400

/** What a symbol's ratings that exist at an instant add up to; sums are null over nothing. */
type SymbolTally = {
  symbol_key: string
  ratings: number
  first_created_at: number
  last_created_at: number
  active: number
  rating_sum: number | null
  square_sum: number | null
  prediction_sum: string | null
  active_before: number
  sum_before: number | null
}

/** The active ratings of all symbols together. */
type Community = { community_active: number; community_prediction: string | null }

export type LeagueLine = SymbolTally & Community & { symbol: string }

/** Each symbol that had been rated at `at`, with its sums, its name and those of the community beside it. */
export const fromLeague = (db: Kysely<Tables>, at: number) =>
  db
    .with(
      (cte) => cte('tally').materialized(),
      () => tally(db, at),
    )
    .with('community', (db) =>
      db
        .selectFrom('tally')
        .select((eb) => [
          eb.fn.sum<number>('active').as('community_active'),
          eb.fn.sum<string | null>('prediction_sum').as('community_prediction'),
        ]),
    )
    .selectFrom('tally')
    .innerJoin('symbol', 'symbol.symbol_key', 'tally.symbol_key')
    .crossJoin('community')

function tally(db: Kysely<Tables>, at: number) {
  const before = at - CHANGE_SECONDS
  return db
    .selectFrom('rating')
    .select((eb) => [
      'symbol_key',
      eb.fn.countAll<number>().as('ratings'),
      eb.fn.min('created_at').as('first_created_at'),
      eb.fn.max('created_at').as('last_created_at'),
      eb.fn.countAll<number>().filterWhere(isActive(at)).as('active'),
      eb.fn.sum<number | null>('rating').filterWhere(isActive(at)).as('rating_sum'),
      eb.fn
        .sum<number | null>(sql`cast(rating as integer) * rating`)
        .filterWhere(isActive(at))
        .as('square_sum'),
      eb.fn.sum<string | null>('prediction_value').filterWhere(isActive(at)).as('prediction_sum'),
      eb.fn.countAll<number>().filterWhere(isActive(before)).as('active_before'),
      eb.fn.sum<number | null>('rating').filterWhere(isActive(before)).as('sum_before'),
    ])
    .where('created_at', '<=', at)
    .groupBy('symbol_key')
}

const eb = expressionBuilder<
  {
    tally: SymbolTally
    community: Community
    symbol: Tables['symbol']
  },
  'tally' | 'community' | 'symbol'
>()

const SUMS = { count: eb.ref('active'), sum: eb.ref('rating_sum'), squares: eb.ref('square_sum') }

const SHRUNK_PREDICTION = shrunkMean(
  { sum: eb.ref('prediction_sum'), count: eb.ref('active') },
  roundedMean(eb.ref('community_prediction'), eb.ref('community_active')),
)

const BEFORE = { active: eb.ref('active_before'), sum: eb.ref('sum_before') }
const AFTER = { active: eb.ref('active'), sum: eb.ref('rating_sum') }

/** The figure that a column is ranked by: what is shown, or where few opinions would lead, what holds them back. */
export function rankBy({ column, direction }: SymbolsQuery['sort']): Expression<unknown> {
  switch (column) {
    case 'consensus':
      return rankingBound(direction === 'desc' ? 'low' : 'high', SUMS)
    case 'change_30d':
      return shrunkChange(BEFORE, AFTER)
    case 'avg_prediction':
      return SHRUNK_PREDICTION
    case 'dispersion':
      return deviation(SUMS)
    case 'symbol':
      return eb.ref('symbol.symbol')
    default:
      return eb.ref(column)
  }
}

export function toSymbolRow(line: LeagueLine, spark: SymbolRow['spark']): SymbolRow {
  const { symbol, ratings, active, first_created_at, last_created_at } = line
  const sums = { count: active, sum: line.rating_sum ?? 0, squares: line.square_sum ?? 0 }
  const bounds = toRankingBounds(sums)
  const before = { active: line.active_before, sum: line.sum_before }
  const after = { active, sum: line.rating_sum }
  return {
    symbol,
    ratings,
    active,
    consensus: toMean(line.rating_sum, active, 4),
    consensus_low: bounds.low,
    consensus_high: bounds.high,
    change_30d: toChange(before, after),
    change_shrunk: toShrunkChange(before, after),
    avg_prediction: toMean(line.prediction_sum, active, 4),
    prediction_shrunk: toShrunkMean(
      { sum: line.prediction_sum, count: active },
      toMean(line.community_prediction, line.community_active, 4),
    ),
    dispersion: toDeviation(sums),
    first_created_at,
    last_created_at,
    spark,
  }
}
