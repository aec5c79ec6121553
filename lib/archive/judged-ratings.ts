import { type Kysely, sql } from 'kysely'
import { JUDGED_MAX, type MemberRecord } from '#lib/contract/answers/record.ts'
import {
  OTHERS_MIN,
  toDistanceInNanos,
  toDistanceInSteps,
  toMeanDistance,
} from './consensus-distance.ts'
import { toRatio } from './mean.ts'
import type { Tables } from './tables.ts'

const LEAD_SECONDS = 30 * 86_400

/**
 * A member's rating beside the others on its symbol: how many were active before it and what they add up to, and the
 * same 30 days later. Null where there were too few, or where that day is yet to come.
 */
type JudgedRating = {
  rating: number
  before_count: number | null
  before_sum: number | null
  after_count: number | null
  after_sum: number | null
}

/** The latest ratings of a member by `at`, each with the others at its instant and 30 days later. */
export async function selectJudged(
  db: Kysely<Tables>,
  userId: number,
  at: number,
): Promise<JudgedRating[]> {
  const toOthers = { count: sql<number>`count(*)`, sum: sql<number>`sum(other.rating)` }
  return await db
    .with('judged', (rest) =>
      rest
        .selectFrom('rating')
        .select(['id', 'symbol_key', 'rating', 'created_at'])
        .where('user_id', '=', userId)
        .where('created_at', '<=', at)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(JUDGED_MAX),
    )
    .with('before', (rest) =>
      rest
        .selectFrom('judged')
        .innerJoin('rating as other', (join) =>
          join
            .onRef('other.symbol_key', '=', 'judged.symbol_key')
            .on('other.user_id', '!=', userId)
            .onRef('other.created_at', '<=', 'judged.created_at')
            .onRef('other.effective_until', '>', 'judged.created_at')
            .on((eb) =>
              eb.or([
                eb('other.created_at', '<', eb.ref('judged.created_at')),
                eb('other.id', '<', eb.ref('judged.id')),
              ]),
            ),
        )
        .select(['judged.id', toOthers.count.as('before_count'), toOthers.sum.as('before_sum')])
        .groupBy('judged.id')
        .having(toOthers.count, '>=', OTHERS_MIN),
    )
    .with('after', (rest) =>
      rest
        .selectFrom('judged')
        .innerJoin('rating as other', (join) =>
          join
            .onRef('other.symbol_key', '=', 'judged.symbol_key')
            .on('other.user_id', '!=', userId)
            .on(sql<boolean>`other.created_at <= judged.created_at + ${sql.lit(LEAD_SECONDS)}`)
            .on(sql<boolean>`other.effective_until > judged.created_at + ${sql.lit(LEAD_SECONDS)}`),
        )
        .select(['judged.id', toOthers.count.as('after_count'), toOthers.sum.as('after_sum')])
        .where('judged.created_at', '<=', at - LEAD_SECONDS)
        .groupBy('judged.id')
        .having(toOthers.count, '>=', OTHERS_MIN),
    )
    .selectFrom('judged')
    .leftJoin('before', 'before.id', 'judged.id')
    .leftJoin('after', 'after.id', 'judged.id')
    .select(['judged.rating', 'before_count', 'before_sum', 'after_count', 'after_sum'])
    .execute()
}

type Others = { count: number; sum: number }

const toOthers = (count: number | null, sum: number | null): Others | null =>
  count === null || sum === null ? null : { count, sum }

/** How far the ratings stood from the others when they were posted. */
export function toDistance(judged: readonly JudgedRating[]): MemberRecord['distance'] {
  let [n, sum, size] = [0, 0n, 0n]
  const gaps = new Map<number, number>()
  for (const { rating, before_count, before_sum } of judged) {
    const others = toOthers(before_count, before_sum)
    if (others === null) continue
    const nanos = toDistanceInNanos(rating, others)
    const gap = toDistanceInSteps(rating, others)
    n += 1
    sum += nanos
    size += nanos < 0n ? -nanos : nanos
    gaps.set(gap, (gaps.get(gap) ?? 0) + 1)
  }
  return {
    n,
    mean: toMeanDistance(sum, n),
    size: toMeanDistance(size, n),
    gaps: [...gaps].sort(([a], [b]) => a - b).map(([gap, count]) => ({ gap, count })),
  }
}

/** Whether the others came towards the ratings that stood apart from them. */
export function toLead(judged: readonly JudgedRating[]): MemberRecord['lead'] {
  const lead = { n: 0, towards: 0, away: 0, still: 0 }
  for (const row of judged) {
    const before = toOthers(row.before_count, row.before_sum)
    const after = toOthers(row.after_count, row.after_sum)
    if (before === null || after === null) continue
    const stance = Math.sign(row.rating * before.count - before.sum)
    if (stance === 0) continue
    const move = Math.sign(after.sum * before.count - before.sum * after.count)
    lead.n += 1
    lead[move === 0 ? 'still' : move === stance ? 'towards' : 'away'] += 1
  }
  const moved = lead.towards + lead.away
  return { ...lead, chance: lead.n === 0 ? null : toRatio(moved, 2 * lead.n) }
}
