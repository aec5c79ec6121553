import { type Kysely, sql } from 'kysely'
import type { Rhythm } from './archive.ts'
import type { Tables } from './tables.ts'

const FOUR_WEEKS = 28 * 86_400

/** How often the community rated lately, of what had been posted by `at` (seconds): a wrong clock makes no rhythm. */
export async function selectRhythm(db: Kysely<Tables>, at: number): Promise<Rhythm | null> {
  const { newest } = await db
    .selectFrom('rating')
    .select((eb) => eb.fn.max<number | null>('created_at').as('newest'))
    .where('created_at', '<=', at)
    .executeTakeFirstOrThrow()
  if (newest === null) return null
  const { rows } = await sql<{ ratings: number; longest: number | null }>`
    select count(*) as ratings, max(created_at - before) as longest from (
      select created_at, lag(created_at) over (order by created_at) as before
      from rating where created_at <= ${newest} and created_at >= ${newest - FOUR_WEEKS}
    ) as lately`.execute(db)
  const [lately] = rows
  return {
    newestCreatedAt: newest,
    ratings: lately?.ratings ?? 0,
    longestGapSeconds: lately?.longest ?? FOUR_WEEKS,
  }
}
