import { type Kysely, sql } from 'kysely'
import type { Facets } from '#lib/contract/answers/ratings.ts'
import { type Asked, toConditions } from './rating-conditions.ts'
import type { Tables } from './tables.ts'

/** How many bins the time from the first to the last rating is cut into, at most. */
const BINS = 80

/** What bins begin and end on, the largest that still leaves a bin narrow enough: days, hours, minutes, seconds. */
const UNITS = [86_400, 3600, 60, 1]

/**
 * How many ratings were posted when: bins of equal width that begin and end on whole days (UTC) where the time is long
 * enough, over all rows that pass the other filters. The first holds the first rating, the last the last. None where
 * there is no row.
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
  const { start, width, bins } = toBins(first, last)
  const above = sql`(created_at - cast(${start} as bigint))`
  const rows = await db
    .selectFrom('rating')
    .select((eb) => [
      sql<number>`${above} - ${above} % ${width}`.as('edge'),
      eb.fn.countAll<number>().as('count'),
    ])
    .where(conditions)
    .groupBy('edge')
    .execute()
  const counts = new Map(rows.map(({ edge, count }) => [edge, count]))
  return Array.from({ length: bins }, (_, bin) => ({
    from: start + bin * width,
    to: start + (bin + 1) * width,
    count: counts.get(bin * width) ?? 0,
  }))
}

function toBins(first: number, last: number): { start: number; width: number; bins: number } {
  const unit = UNITS.find((seconds) => last - first >= BINS * seconds) ?? 1
  const start = first - (first % unit)
  const span = last - start + 1
  const width = unit * Math.ceil(span / (BINS * unit))
  return { start, width, bins: Math.ceil(span / width) }
}
