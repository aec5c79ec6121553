import { type CompiledQuery, type Kysely, sql } from 'kysely'
import type { ColumnChunk } from '#lib/archive/engine/columns.ts'
import type { Tables } from '#lib/archive/engine/tables.ts'
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
  createOthers,
  type Others,
  type OthersChunk,
  type OthersProbe,
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

/** One user: counts and means (4 places) over the ratings by `at`. Null if there are none. */
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

/** How far the active ratings are from the others on their symbols. */
async function selectBias(reader: ArchiveReader, timeline: UserTimeline, options: ReadOptions) {
  const { at } = options
  const active = postedBy(timeline, at).filter((row) => row.effective_until > at)
  const probes = active.map((row) => toProbe(timeline, row, { at, beforeId: ANY_ID }))
  const others = await selectOthers(reader, probes, options)
  const nanos = active.flatMap(({ rating }, index) => {
    const own = others[index]
    return own ? [toDistanceInNanos(rating, own)] : []
  })
  const sum = nanos.reduce((all, one) => all + one, 0n)
  return { bias: toMeanDistance(sum, nanos.length), bias_n: nanos.length }
}

/** The ratings of a user by `at`, by symbol. Null if there are none. */
export async function selectUserRatings(
  reader: ArchiveReader,
  userId: number,
  { at, signal }: ReadOptions,
): Promise<UserRatings | null> {
  const timeline = await loadTimeline(reader, userId, signal)
  return timeline && userRatingsOf(timeline, at)
}

/** What can be judged of a user at `at` without prices. Null if there are no ratings. */
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
    selectJudged(reader, { timeline, latest }, options),
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
/** Above every id. */
const ANY_ID = Number.POSITIVE_INFINITY

/** A rating beside the others on its symbol, just before it and 30 days later. Null if there were too few, or if that day is yet to come. */
type JudgedRating = { rating: number; before: Others | null; after: Others | null }

async function selectJudged(
  reader: ArchiveReader,
  { timeline, latest }: { timeline: UserTimeline; latest: readonly UserTimelineRow[] },
  options: ReadOptions,
): Promise<JudgedRating[]> {
  const isOld = ({ created_at }: UserTimelineRow) => created_at <= options.at - LEAD_SECONDS
  const before = latest.map((row) =>
    toProbe(timeline, row, { at: row.created_at, beforeId: row.id }),
  )
  const after = latest.map((row) =>
    toProbe(timeline, row, { at: row.created_at + LEAD_SECONDS, beforeId: ANY_ID }),
  )
  const others = await selectOthers(reader, [...before, ...after], options)
  return latest.map((row, index) => ({
    rating: row.rating,
    before: others[index] ?? null,
    after: isOld(row) ? (others[latest.length + index] ?? null) : null,
  }))
}

const toProbe = (
  { userId }: UserTimeline,
  { symbol_key: symbolKey }: UserTimelineRow,
  when: Pick<OthersProbe, 'at' | 'beforeId'>,
): OthersProbe => ({ symbolKey, userId, ...when })

/** One pass over the ratings of all symbols concerned. */
async function selectOthers(
  reader: ArchiveReader,
  probes: readonly OthersProbe[],
  { signal }: ReadOptions,
): Promise<(Others | null)[]> {
  if (probes.length === 0) return []
  const others = createOthers(probes)
  const times = probes.map(({ at }) => at)
  const span = { from: Math.min(...times), to: Math.max(...times) }
  await reader.readColumns(
    (db) => toOthersQuery(db, others.keys, span),
    (chunk) => others.add(toOthersChunk(chunk)),
    signal,
  )
  return others.found()
}

/** Ratings that are active at some time of the span. */
const toOthersQuery = (
  db: Kysely<Tables>,
  keys: readonly string[],
  { from, to }: { from: number; to: number },
): CompiledQuery => {
  const places = sql.join(keys.map((key, place) => sql`(${key}, ${sql.lit(place)})`))
  return sql`
    select cast(place as integer) as place, cast(id as double) as id,
      cast(user_id as double) as user_id, rating, cast(created_at as double) as created_at,
      cast(effective_until as double) as effective_until
    from rating join (values ${places}) as symbols (symbol_key, place) using (symbol_key)
    where created_at <= ${sql.lit(to)} and effective_until > ${sql.lit(from)}`.compile(db)
}

const toOthersChunk = (chunk: ColumnChunk): OthersChunk => ({
  length: chunk.length,
  place: chunk.numbers('place', Int32Array),
  id: chunk.numbers('id', Float64Array),
  user: chunk.numbers('user_id', Float64Array),
  rating: chunk.numbers('rating', Int16Array),
  created: chunk.numbers('created_at', Float64Array),
  until: chunk.numbers('effective_until', Float64Array),
})

/** How far the ratings were from the others when they were posted. */
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

/** Whether the others moved towards the ratings that differed from them. */
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
