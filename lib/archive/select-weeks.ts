import { type Kysely, sql } from 'kysely'
import { ACTIVITY_WEEK_SECONDS, ACTIVITY_WEEKS } from '#lib/contract/answers/users.ts'
import type { ReadOptions } from './archive.ts'
import type { Engine } from './duckdb-engine.ts'
import type { Tables } from './tables.ts'

/**
 * How many ratings members posted in each of the ACTIVITY_WEEKS weeks up to and with `at`, the oldest first: a week
 * begins behind the second in which the one before it ended. One pass over what was posted in that year.
 */
export async function selectWeeks(
  engine: Engine,
  userIds: readonly number[],
  { at, signal }: ReadOptions,
): Promise<(userId: number) => number[]> {
  if (userIds.length === 0) return () => []
  const counts = await engine.read((db) => selectCounts(db, userIds, at), signal)
  const weeks = new Map(userIds.map((id) => [id, Array.from({ length: ACTIVITY_WEEKS }, () => 0)]))
  for (const { user_id, weeks_ago, count } of counts) {
    const own = weeks.get(user_id)
    if (own) own[ACTIVITY_WEEKS - 1 - weeks_ago] = count
  }
  return (userId) => weeks.get(userId) ?? []
}

async function selectCounts(db: Kysely<Tables>, userIds: readonly number[], at: number) {
  const week = sql.lit(ACTIVITY_WEEK_SECONDS)
  return await db
    .selectFrom('rating')
    .select((eb) => [
      'user_id',
      sql<number>`cast((${sql.lit(at)} - created_at) // ${week} as integer)`.as('weeks_ago'),
      eb.fn.countAll<number>().as('count'),
    ])
    .where('created_at', '>', at - ACTIVITY_WEEKS * ACTIVITY_WEEK_SECONDS)
    .where('created_at', '<=', at)
    .where('user_id', 'in', userIds)
    .groupBy(['user_id', 'weeks_ago'])
    .execute()
}
