import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Tables } from '#lib/archive/engine/tables.ts'
import type { Facets } from '#lib/contract/answers/ratings.ts'
import { toMillionths, toShortText } from '#lib/statistics/exact.ts'

/** Over all ratings, so that axes do not move with filters. */
export type BinEdges = { created: PostedEdges | null; prediction: PredictionEdges | null }

/** Seconds since 1970. */
export type PostedEdges = {
  first: number
  last: number
  start: number
  width: number
  bins: number
}

/** Millionths. The outer bins extend to `smallest` and `largest`. */
type PredictionEdges = {
  smallest: bigint
  largest: bigint
  low: bigint
  width: bigint
  bins: number
}

export async function loadBinEdges(db: Kysely<Tables>): Promise<BinEdges> {
  const { first, last } = await db
    .selectFrom('rating')
    .select((eb) => [
      eb.fn.min<number | null>('created_at').as('first'),
      eb.fn.max<number | null>('created_at').as('last'),
    ])
    .executeTakeFirstOrThrow()
  const spread = await selectSpread(db)
  return {
    created: first === null || last === null ? null : toPostedEdges(first, last),
    prediction: spread && toPredictionEdges(spread),
  }
}

const CREATED_BINS = 80

const UNITS = [86_400, 3600, 60, 1]

export function toPostedEdges(first: number, last: number): PostedEdges {
  const unit = UNITS.find((seconds) => last - first >= CREATED_BINS * seconds) ?? 1
  const start = first - (first % unit)
  const span = last - start + 1
  const width = unit * Math.ceil(span / (CREATED_BINS * unit))
  return { first, last, start, width, bins: Math.ceil(span / width) }
}

type Spread = { smallest: bigint; low: bigint; high: bigint; largest: bigint }

/** Percentiles 0.5 and 99.5: an extreme prediction must not set the scale. */
async function selectSpread(db: Kysely<Tables>): Promise<Spread | null> {
  const percentiles = sql<string[] | null>`
    percentile_disc(array[0.005, 0.995]) within group (order by prediction_value)`
  const summary = db
    .selectFrom('rating')
    .select((eb) => [
      eb.fn.min<string | null>('prediction_value').as('smallest'),
      percentiles.as('middle'),
      eb.fn.max<string | null>('prediction_value').as('largest'),
    ])
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
  const [smallest, largest] = [toMillionths(row.smallest), toMillionths(row.largest)]
  const [low, high] = [toMillionths(row.low), toMillionths(row.high)]
  return low < high
    ? { smallest, low, high, largest }
    : { smallest, low: smallest, high: largest, largest }
}

const PREDICTION_BINS = 50n

const STEPS = [10n, 20n, 25n, 50n]

/** Edges include 0, so that no inner bin mixes signs. */
function toPredictionEdges({ smallest, low, high, largest }: Spread): PredictionEdges {
  for (let unit = 1n; ; unit *= 10n) {
    for (const step of STEPS) {
      const width = (step * unit) / 10n
      const first = floorDivide(low, width)
      const bins = -floorDivide(-high, width) - first
      if (bins > PREDICTION_BINS) continue
      return { smallest, largest, low: first * width, width, bins: Math.max(Number(bins), 1) }
    }
  }
}

const floorDivide = (value: bigint, by: bigint): bigint =>
  value < 0n ? -((by - 1n - value) / by) : value / by

/** Lower edge as distance from `low`. */
export function predictionBin(edges: PredictionEdges): RawBuilder<unknown> {
  const { low, width, bins } = edges
  const digits = sql.lit(fitsNarrow(edges) ? 18 : 20)
  const decimal = (value: unknown) => sql`cast(${value} as decimal(${digits}, 6))`
  const above = sql`(${decimal(sql.ref('prediction_value'))} - ${decimal(toShortText(low))})`
  const edge = sql`${above} - ${above} % ${decimal(toShortText(width))}`
  const lastEdge = decimal(toShortText(BigInt(bins - 1) * width))
  return sql`least(greatest(${edge}, ${decimal('0')}), ${lastEdge})`
}

export function toPredictionBins(
  lines: readonly { key: string; count: number }[],
  edges: PredictionEdges | null,
): Facets['prediction'] {
  if (!edges) return []
  const { smallest, largest, low, width, bins } = edges
  const counts = new Map(lines.map(({ key, count }) => [Number(toMillionths(key) / width), count]))
  return Array.from({ length: bins }, (_, bin) => ({
    from: toShortText(bin === 0 ? smallest : low + BigInt(bin) * width),
    to: toShortText(bin === bins - 1 ? largest : low + BigInt(bin + 1) * width),
    count: counts.get(bin) ?? 0,
  }))
}

function fitsNarrow({ smallest, largest, low }: PredictionEdges): boolean {
  const limit = 10n ** 18n
  return low > -limit && largest - low < limit && low - smallest < limit
}
