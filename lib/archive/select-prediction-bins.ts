import { type Kysely, sql } from 'kysely'
import type { Facets } from '#lib/contract/answers/ratings.ts'
import type { PredictionEdges } from './bin-edges.ts'
import { toMillionths, toShortText } from './decimal.ts'
import { type Asked, toConditions } from './rating-conditions.ts'
import type { Tables } from './tables.ts'

/**
 * How the predictions are spread that pass the other filters. The first bin reaches down to the smallest prediction of
 * all ratings and the last up to the largest. None where the archive is empty.
 */
export async function selectPredictionBins(
  db: Kysely<Tables>,
  asked: Asked,
  edges: PredictionEdges | null,
): Promise<Facets['prediction']> {
  if (!edges) return []
  const { smallest, largest, low, width, bins } = edges
  const counts = await countBins(db, asked, edges)
  return Array.from({ length: bins }, (_, bin) => ({
    from: toShortText(bin === 0 ? smallest : low + BigInt(bin) * width),
    to: toShortText(bin === bins - 1 ? largest : low + BigInt(bin + 1) * width),
    count: counts.get(bin) ?? 0,
  }))
}

/**
 * Each prediction less the remainder above its bin's edge, counted: exact, as nothing is divided. What lies outside is
 * brought into the end bins only after it has been counted, when few lines are left.
 */
async function countBins(
  db: Kysely<Tables>,
  asked: Asked,
  edges: PredictionEdges,
): Promise<Map<number, number>> {
  const { low, width, bins } = edges
  const digits = sql.lit(fitsNarrow(edges) ? 18 : 20)
  const decimal = (value: unknown) => sql`cast(${value} as decimal(${digits}, 6))`
  const above = sql`(${decimal(sql.ref('prediction_value'))} - ${decimal(toShortText(low))})`
  const edge = sql<string>`${above} - ${above} % ${decimal(toShortText(width))}`
  const counted = db
    .selectFrom('rating')
    .select((eb) => [edge.as('edge'), eb.fn.countAll<number>().as('count')])
    .where(toConditions(asked, 'prediction'))
    .groupBy('edge')
  const lastEdge = decimal(toShortText(BigInt(bins - 1) * width))
  const rows = await db
    .selectFrom(counted.as('counted'))
    .select((eb) => [
      sql<string>`least(greatest(edge, 0), ${lastEdge})`.as('bin_edge'),
      eb.fn.sum<number>('count').as('count'),
    ])
    .groupBy('bin_edge')
    .execute()
  return new Map(rows.map((row) => [Number(toMillionths(row.bin_edge) / width), row.count]))
}

/** Whether 18 digits hold the distance of every prediction from `low`: wider decimals are slower. */
function fitsNarrow({ smallest, largest, low }: PredictionEdges): boolean {
  const limit = 10n ** 18n
  return low > -limit && largest - low < limit && low - smallest < limit
}
