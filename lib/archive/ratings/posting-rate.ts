import { type Kysely, sql } from 'kysely'
import type { Tables } from '#lib/archive/engine/tables.ts'
import type { ArchiveReader } from '#lib/archive/reader.ts'

export type PostingRate = { newestCreatedAt: number; ratings: number; longestGapSeconds: number }

const FOUR_WEEKS = 28 * 86_400

export async function selectPostingRate(reader: ArchiveReader): Promise<PostingRate | null> {
  const at = reader.now()
  return await reader.read((db) => selectRate(db, at))
}

/** Ratings after `at` (seconds) come from a wrong clock. */
async function selectRate(db: Kysely<Tables>, at: number): Promise<PostingRate | null> {
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
