import { type Kysely, sql } from 'kysely'
import type { MemberRecord } from '#lib/contract/answers/record.ts'
import type { ReadOptions } from './archive.ts'
import type { Engine } from './duckdb-engine.ts'
import { selectJudged, toDistance, toLead } from './judged-ratings.ts'
import type { Tables } from './tables.ts'

const DAY = 86_400
const ACTIVITY_DAYS = 53 * 7

/** What can be judged of a member at `at`, as the contract's `record` defines it; null where the member had not rated. */
export async function selectRecord(
  engine: Engine,
  userId: number,
  { at, signal }: ReadOptions,
): Promise<MemberRecord | null> {
  const [judged, persistence, activity] = await Promise.all([
    engine.read((db) => selectJudged(db, userId, at), signal),
    engine.read((db) => selectPersistence(db, userId, at), signal),
    engine.read((db) => selectActivity(db, userId, at), signal),
  ])
  if (judged.length === 0) return null
  return {
    judged: judged.length,
    distance: toDistance(judged),
    lead: toLead(judged),
    persistence,
    activity,
  }
}

/** How the member's ratings ended. Who renews in the second in which it expires leaves no gap. */
async function selectPersistence(db: Kysely<Tables>, userId: number, at: number) {
  return await db
    .with('own', (rest) =>
      rest
        .selectFrom('rating')
        .select([
          'created_at',
          'effective_until',
          sql<number | null>`nullif(expired_at, 0)`.as('expires'),
          sql<
            number | null
          >`lead(created_at) over (partition by symbol_key order by created_at, id)`.as('next_at'),
        ])
        .where('user_id', '=', userId)
        .where('created_at', '<=', at),
    )
    .with('done', (rest) =>
      rest
        .selectFrom('own')
        .select([
          sql<string>`case
            when expires <= created_at then 'never'
            when next_at is null then 'lapsed'
            when effective_until < next_at then 'returned'
            else 'renewed'
          end`.as('how'),
        ])
        .where('effective_until', '<=', at),
    )
    .selectFrom('done')
    .select((eb) => [
      eb.fn.countAll<number>().as('ended'),
      eb.fn.countAll<number>().filterWhere('how', '=', 'renewed').as('renewed'),
      eb.fn.countAll<number>().filterWhere('how', '=', 'returned').as('returned'),
      eb.fn.countAll<number>().filterWhere('how', '=', 'lapsed').as('lapsed'),
      eb.fn.countAll<number>().filterWhere('how', '=', 'never').as('never'),
    ])
    .executeTakeFirstOrThrow()
}

async function selectActivity(db: Kysely<Tables>, userId: number, at: number) {
  const first = (Math.floor(at / DAY) - ACTIVITY_DAYS + 1) * DAY
  return await db
    .selectFrom('rating')
    .select((eb) => [
      sql<number>`created_at - created_at % ${sql.lit(DAY)}`.as('day'),
      eb.fn.countAll<number>().as('count'),
    ])
    .where('user_id', '=', userId)
    .where('created_at', '>=', first)
    .where('created_at', '<=', at)
    .groupBy('day')
    .orderBy('day')
    .execute()
}
