import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Tables } from '#lib/archive/engine/tables.ts'
import type { Facets } from '#lib/contract/answers/ratings.ts'
import { toMillionths, toShortText } from '#lib/statistics/exact.ts'

/** Where bins lie: worked out over all ratings, so that axes stay put whatever is filtered. Null where there is none. */
export type BinEdges = { created: PostedEdges | null; prediction: PredictionEdges | null }

/** Seconds: when the first and the last rating were posted, and bins of equal width from `start` on. */
export type PostedEdges = {
  first: number
  last: number
  start: number
  width: number
  bins: number
}

/** Millionths: the outermost predictions, and bins of equal width from `low` on; both end bins reach out to those. */
export type PredictionEdges = {
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

/** How many bins the time from the first to the last rating is cut into, at most. */
const CREATED_BINS = 80

/** What bins begin and end on, the largest that still leaves a bin narrow enough: days, hours, minutes, seconds. */
const UNITS = [86_400, 3600, 60, 1]

/** Bins that begin and end on whole days (UTC) where the time is long enough. */
export function toPostedEdges(first: number, last: number): PostedEdges {
  const unit = UNITS.find((seconds) => last - first >= CREATED_BINS * seconds) ?? 1
  const start = first - (first % unit)
  const span = last - start + 1
  const width = unit * Math.ceil(span / (CREATED_BINS * unit))
  return { first, last, start, width, bins: Math.ceil(span / width) }
}

/** In millionths. */
type Spread = { smallest: bigint; low: bigint; high: bigint; largest: bigint }

/** The percentiles 0.5 and 99.5 stand between the outermost, so that one absurd prediction does not rule the rest. */
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

/** How many bins the middle 99 % of the predictions are cut into, at most. */
const PREDICTION_BINS = 50n

/** Widths that people count in, in tenths of a power of ten. */
const STEPS = [10n, 20n, 25n, 50n]

/** Bins begin and end on multiples of a round width; 0 is among them, so none between the ends holds both signs. */
function toPredictionEdges({ smallest, low, high, largest }: Spread): PredictionEdges {
  for (let unit = 1n; ; unit *= 10n) {
    for (const step of STEPS) {
      const width = (step * unit) / 10n
      const first = floorDivide(low, width)
      // The last bin is closed, so what lies on its upper end is in it.
      const bins = -floorDivide(-high, width) - first
      if (bins > PREDICTION_BINS) continue
      return { smallest, largest, low: first * width, width, bins: Math.max(Number(bins), 1) }
    }
  }
}

const floorDivide = (value: bigint, by: bigint): bigint =>
  value < 0n ? -((by - 1n - value) / by) : value / by

/** The lower edge of the bin of a prediction, as its distance from `low`. Exact, as nothing is divided. */
export function predictionBin(edges: PredictionEdges): RawBuilder<unknown> {
  const { low, width, bins } = edges
  const digits = sql.lit(fitsNarrow(edges) ? 18 : 20)
  const decimal = (value: unknown) => sql`cast(${value} as decimal(${digits}, 6))`
  const above = sql`(${decimal(sql.ref('prediction_value'))} - ${decimal(toShortText(low))})`
  const edge = sql`${above} - ${above} % ${decimal(toShortText(width))}`
  const lastEdge = decimal(toShortText(BigInt(bins - 1) * width))
  return sql`least(greatest(${edge}, ${decimal('0')}), ${lastEdge})`
}

/**
 * How predictions are spread, from lines with the bin that {@link predictionBin} gives. The first bin reaches down to
 * the smallest prediction of all ratings and the last up to the largest. None where the archive is empty.
 */
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

/** Whether 18 digits hold the distance of every prediction from `low`: wider decimals are slower. */
function fitsNarrow({ smallest, largest, low }: PredictionEdges): boolean {
  const limit = 10n ** 18n
  return low > -limit && largest - low < limit && low - smallest < limit
}
