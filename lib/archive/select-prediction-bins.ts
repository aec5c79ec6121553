import { type Expression, type Kysely, type SqlBool, sql } from 'kysely'
import type { Facets } from '#lib/contract/answers/ratings.ts'
import { toMillionths, toShortText } from './decimal.ts'
import { type Asked, toConditions } from './rating-conditions.ts'
import type { Tables } from './tables.ts'

/** How many bins the middle 99 % of the predictions are cut into, at most. */
const BINS = 40n

/**
 * How the predictions are spread, over all rows that pass the other filters: bins of equal width between the
 * percentiles 0.5 and 99.5, so that one absurd prediction does not push all others into one bin. The first bin
 * reaches down to the smallest prediction and the last up to the largest. None where there is no row.
 */
export async function selectPredictionBins(
  db: Kysely<Tables>,
  asked: Asked,
): Promise<Facets['prediction']> {
  const conditions = toConditions(asked, 'prediction')
  const spread = await selectSpread(db, conditions)
  if (!spread) return []
  const { low, high } = spread
  const width = high > low ? (high - low + BINS - 1n) / BINS : 1n
  const bins = high > low ? (high - low + width - 1n) / width : 1n
  const counts = await countBins(db, conditions, { spread, width, bins })
  return Array.from({ length: Number(bins) }, (_, bin) => ({
    from: toShortText(bin === 0 ? spread.smallest : low + BigInt(bin) * width),
    to: toShortText(bin === Number(bins) - 1 ? spread.largest : low + BigInt(bin + 1) * width),
    count: counts.get(bin) ?? 0,
  }))
}

/** In millionths. */
type Spread = { smallest: bigint; low: bigint; high: bigint; largest: bigint }

async function selectSpread(
  db: Kysely<Tables>,
  conditions: Expression<SqlBool>,
): Promise<Spread | null> {
  const percentiles = sql<string[] | null>`
    percentile_disc(array[0.005, 0.995]) within group (order by prediction_value)`
  const summary = db
    .selectFrom('rating')
    .select((eb) => [
      eb.fn.min<string | null>('prediction_value').as('smallest'),
      percentiles.as('middle'),
      eb.fn.max<string | null>('prediction_value').as('largest'),
    ])
    .where(conditions)
  const row = await db
    .selectFrom(summary.as('summary'))
    .select([
      'smallest',
      sql<string | null>`middle[1]`.as('low'),
      sql<string | null>`middle[2]`.as('high'),
      'largest',
    ])
    .executeTakeFirstOrThrow()
  if (row.smallest === null || row.low === null || row.high === null || row.largest === null) {
    return null
  }
  const spread = {
    smallest: toMillionths(row.smallest),
    low: toMillionths(row.low),
    high: toMillionths(row.high),
    largest: toMillionths(row.largest),
  }
  if (spread.low < spread.high) return spread
  return { ...spread, low: spread.smallest, high: spread.largest }
}

/**
 * Each prediction less the remainder above its bin's edge, counted: exact, as nothing is divided. Where the
 * predictions are further apart than 18 digits hold, the slower wider decimals are used.
 */
async function countBins(
  db: Kysely<Tables>,
  conditions: Expression<SqlBool>,
  { spread, width, bins }: { spread: Spread; width: bigint; bins: bigint },
): Promise<Map<number, number>> {
  const digits = sql.lit(spread.high - spread.low < 10n ** 18n ? 18 : 20)
  const decimal = (value: unknown) => sql`cast(${value} as decimal(${digits}, 6))`
  const [low, high] = [decimal(toShortText(spread.low)), decimal(toShortText(spread.high))]
  const clipped = sql`least(greatest(${decimal(sql.ref('prediction_value'))}, ${low}), ${high})`
  const above = sql`(${clipped} - ${low})`
  const edge = sql<string>`${above} - ${above} % ${decimal(toShortText(width))}`
  const rows = await db
    .selectFrom('rating')
    .select((eb) => [edge.as('edge'), eb.fn.countAll<number>().as('count')])
    .where(conditions)
    .groupBy('edge')
    .execute()
  const counts = new Map<number, number>()
  for (const row of rows) {
    const bin = Math.min(Number(toMillionths(row.edge) / width), Number(bins) - 1)
    counts.set(bin, (counts.get(bin) ?? 0) + row.count)
  }
  return counts
}
