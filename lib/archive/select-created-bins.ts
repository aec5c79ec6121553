import { type Kysely, sql } from 'kysely'
import type { Facets } from '#lib/contract/answers/ratings.ts'
import { type Asked, toConditions } from './rating-conditions.ts'
import type { Tables } from './tables.ts'

/** How many bins the time from the first to the last rating is cut into, at most. */
const BINS = 80

/**
 * How many ratings were posted when: bins of equal width (the last may be shorter) from the first to the last
 * second, over all rows that pass the other filters. None where there is no row.
 */
export async function selectCreatedBins(
  db: Kysely<Tables>,
  asked: Asked,
): Promise<Facets['created']> {
  const conditions = toConditions(asked, 'created')
  const { first, last } = await db
    .selectFrom('rating')
    .select((eb) => [
      eb.fn.min<number | null>('created_at').as('first'),
      eb.fn.max<number | null>('created_at').as('last'),
    ])
    .where(conditions)
    .executeTakeFirstOrThrow()
  if (first === null || last === null) return []
  const width = Math.max(1, Math.ceil((last - first) / BINS))
  const bins = Math.max(1, Math.ceil((last - first) / width))
  const above = sql`(created_at - cast(${first} as bigint))`
  const rows = await db
    .selectFrom('rating')
    .select((eb) => [
      sql<number>`${above} - ${above} % ${width}`.as('edge'),
      eb.fn.countAll<number>().as('count'),
    ])
    .where(conditions)
    .groupBy('edge')
    .execute()
  const counts = new Map<number, number>()
  for (const { edge, count } of rows) {
    const bin = Math.min(edge / width, bins - 1)
    counts.set(bin, (counts.get(bin) ?? 0) + count)
  }
  return Array.from({ length: bins }, (_, bin) => ({
    from: first + bin * width,
    to: bin === bins - 1 ? last : first + (bin + 1) * width,
    count: counts.get(bin) ?? 0,
  }))
}
