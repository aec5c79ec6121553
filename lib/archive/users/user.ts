import { type Kysely, sql } from 'kysely'
import type { Tables } from '#lib/archive/engine/tables.ts'
import { isActive } from '#lib/archive/query/rating-conditions.ts'
import type { ArchiveReader, ReadOptions } from '#lib/archive/reader.ts'
import { LATER_DAYS } from '#lib/contract/answers/limits.ts'
import {
  JUDGED_MAX,
  type User,
  type UserRatings,
  type UserRecord,
} from '#lib/contract/answers/users.ts'
import { toRatio } from '#lib/statistics/exact.ts'
import { DAY_SECONDS } from '#lib/timeline/buckets.ts'
import {
  OTHERS_MIN,
  type Others,
  toDistanceInNanos,
  toDistanceInSteps,
  toMeanDistance,
} from '#lib/timeline/others.ts'
import {
  activityOf,
  persistenceOf,
  postedBy,
  type UserTimeline,
  type UserTimelineRow,
  userOf,
  userRatingsOf,
} from '#lib/timeline/user.ts'
import { selectCloseness } from './closeness.ts'

const loadTimeline = async (reader: ArchiveReader, userId: number, signal?: AbortSignal) =>
  await reader.userTimelines.load(String(userId), signal)

/** Null if there are no ratings by `at`. */
export async function selectUser(
  reader: ArchiveReader,
  userId: number,
  { at, signal }: ReadOptions,
): Promise<User | null> {
  const timeline = await loadTimeline(reader, userId, signal)
  if (!timeline) return null
  const bias = await selectBias(reader, timeline, { at, signal })
  return userOf(timeline, at, { labels: reader.known().labels, bias })
}

async function selectBias(
  reader: ArchiveReader,
  { userId, rows }: UserTimeline,
  { at, signal }: ReadOptions,
): Promise<Pick<User, 'bias' | 'bias_n'>> {
  const active = rows.filter((row) => row.created_at <= at && row.effective_until > at)
  const keys = active.map((row) => row.symbol_key)
  const others =
    keys.length === 0
      ? []
      : await reader.read((db) => selectActiveOthers(db, { userId, keys, at }), signal)
  const bySymbol = new Map(others.map(({ symbol_key, ...own }) => [symbol_key, own]))
  const nanos = active.flatMap(({ symbol_key, rating }) => {
    const own = bySymbol.get(symbol_key)
    return own ? [toDistanceInNanos(rating, own)] : []
  })
  const sum = nanos.reduce((all, one) => all + one, 0n)
  return { bias: toMeanDistance(sum, nanos.length), bias_n: nanos.length }
}

const selectActiveOthers = async (
  db: Kysely<Tables>,
  { userId, keys, at }: { userId: number; keys: readonly string[]; at: number },
) =>
  await db
    .selectFrom('rating')
    .select((eb) => [
      'symbol_key',
      eb.fn.countAll<number>().as('count'),
      eb.fn.sum<number>('rating').as('sum'),
    ])
    .where('symbol_key', 'in', keys)
    .where('user_id', '!=', userId)
    .where(isActive(at))
    .groupBy('symbol_key')
    .having((eb) => eb(eb.fn.countAll<number>(), '>=', OTHERS_MIN))
    .execute()

export async function selectUserRatings(
  reader: ArchiveReader,
  userId: number,
  { at, signal }: ReadOptions,
): Promise<UserRatings | null> {
  const timeline = await loadTimeline(reader, userId, signal)
  return timeline && userRatingsOf(timeline, at)
}

export async function selectUserRecord(
  reader: ArchiveReader,
  userId: number,
  options: ReadOptions,
): Promise<UserRecord | null> {
  const { at } = options
  const timeline = await loadTimeline(reader, userId, options.signal)
  const latest = timeline ? postedBy(timeline, at).slice(-JUDGED_MAX) : []
  if (!timeline || latest.length === 0) return null
  const [judged, closeness] = await Promise.all([
    selectJudged(reader, { userId, latest }, options),
    selectCloseness(reader, userId, { at }),
  ])
  return {
    judged: judged.length,
    distance: toDistance(judged),
    lead: toLead(judged),
    persistence: persistenceOf(timeline, at),
    activity: activityOf(timeline, at),
    closeness,
  }
}

const LEAD_SECONDS = LATER_DAYS * DAY_SECONDS

/** Null if there were too few; `after` also until 30 days have passed. */
type JudgedRating = { rating: number; before: Others | null; after: Others | null }

type UserEvaluation = { userId: number; latest: readonly UserTimelineRow[] }

async function selectJudged(
  reader: ArchiveReader,
  { userId, latest }: UserEvaluation,
  { at, signal }: ReadOptions,
): Promise<JudgedRating[]> {
  const others = await reader.read((db) => selectOthersBeside(db, userId, at), signal)
  const find = (late: boolean) =>
    new Map(
      others.flatMap(({ id, is_late, ...own }) => (is_late === late ? [[id, own] as const] : [])),
    )
  const [before, after] = [find(false), find(true)]
  return latest.map(({ id, rating }) => ({
    rating,
    before: before.get(id) ?? null,
    after: after.get(id) ?? null,
  }))
}

type OthersBeside = Others & { id: number; is_late: boolean }

async function selectOthersBeside(
  db: Kysely<Tables>,
  userId: number,
  at: number,
): Promise<OthersBeside[]> {
  const { rows } = await sql<OthersBeside>`
    with judged as materialized (
      select id, symbol_key, created_at from rating
      where user_id = ${sql.lit(userId)} and created_at <= ${sql.lit(at)}
      order by created_at desc, id desc limit ${sql.lit(JUDGED_MAX)}
    ),
    probe as materialized (
      select id, symbol_key, created_at as t, id as before_id, false as is_late from judged
      union all
      select id, symbol_key, created_at + ${sql.lit(LEAD_SECONDS)}, null, true from judged
      where created_at <= ${sql.lit(at - LEAD_SECONDS)}
    )
    select probe.id, is_late, count(*) as count, sum(other.rating) as sum
    from probe join rating as other on other.symbol_key = probe.symbol_key
    where other.user_id <> ${sql.lit(userId)}
      and other.created_at <= t and other.effective_until > t
      and (is_late or other.created_at < t or other.id < before_id)
    group by probe.id, is_late
    having count(*) >= ${sql.lit(OTHERS_MIN)}`.execute(db)
  return rows
}

function toDistance(judged: readonly JudgedRating[]): UserRecord['distance'] {
  let [n, sum, size] = [0, 0n, 0n]
  const gaps = new Map<number, number>()
  for (const { rating, before: others } of judged) {
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

function toLead(judged: readonly JudgedRating[]): UserRecord['lead'] {
  const lead = { n: 0, towards: 0, away: 0, still: 0 }
  for (const { rating, before, after } of judged) {
    if (before === null || after === null) continue
    const stance = Math.sign(rating * before.count - before.sum)
    if (stance === 0) continue
    const move = Math.sign(after.sum * before.count - before.sum * after.count)
    lead.n += 1
    lead[move === 0 ? 'still' : move === stance ? 'towards' : 'away'] += 1
  }
  const moved = lead.towards + lead.away
  return { ...lead, chance: lead.n === 0 ? null : toRatio(moved, 2 * lead.n) }
}
