import { USER_RATINGS_MAX, USER_SYMBOLS_DRAWN_MAX } from '#lib/contract/answers/limits.ts'
import type {
  User,
  UserRating,
  UserRatings,
  UserRecord,
  UserSymbol,
} from '#lib/contract/answers/users.ts'
import { toMean, toMillionths, toMillionthsMean, toWilsonLow } from '#lib/statistics/exact.ts'
import { DAY_SECONDS } from './buckets.ts'
import { countOne, type Labels, toCounted } from './counted.ts'
import { toEnded, toState } from './rating-state.ts'

/** Seconds since 1970. */
export type UserTimelineRow = {
  id: number
  symbol_key: string
  symbol: string
  rating: number
  rating_label: string
  action: number
  action_label: string
  prediction: string
  tally_agree: number
  tally_disagree: number
  created_at: number
  expired_at: number | null
  effective_until: number
  vanished_at: number | null
}

/** Ordered by `created_at`, then id. */
export type UserTimeline = { userId: number; rows: readonly UserTimelineRow[]; bytes: number }

export const postedBy = ({ rows }: UserTimeline, at: number): UserTimelineRow[] =>
  rows.filter(({ created_at }) => created_at <= at)

type Bias = Pick<User, 'bias' | 'bias_n'>

const RECENT_SECONDS = 90 * DAY_SECONDS
const SYMBOLS_MAX = 100

export function userOf(
  timeline: UserTimeline,
  at: number,
  { labels, bias }: { labels: Labels; bias: Bias },
): User | null {
  const rows = postedBy(timeline, at)
  const [first, last] = [rows[0], rows.at(-1)]
  const sum = (read: (row: UserTimelineRow) => number) =>
    rows.reduce((all, row) => all + read(row), 0)
  const units = rows.reduce((all, { prediction }) => all + toMillionths(prediction), 0n)
  const average = toMean(
    sum(({ rating }) => rating),
    rows.length,
    4,
  )
  const averagePrediction = toMillionthsMean(units, rows.length, 4)
  if (!first || !last || average === null || averagePrediction === null) return null
  const agree = sum((row) => row.tally_agree)
  const disagree = sum((row) => row.tally_disagree)
  const bySymbol = groupBySymbol(rows)
  const byRating = new Map<number, number>()
  const byAction = new Map<number, number>()
  for (const { rating, action } of rows) {
    countOne(byRating, rating)
    countOne(byAction, action)
  }
  return {
    user_id: timeline.userId,
    ratings: rows.length,
    active: rows.filter((row) => row.effective_until > at).length,
    symbols: bySymbol.size,
    recent: rows.filter((row) => row.created_at > at - RECENT_SECONDS).length,
    first_created_at: first.created_at,
    last_created_at: last.created_at,
    agree,
    disagree,
    avg_rating: average,
    avg_prediction: averagePrediction,
    agreement_low: toWilsonLow(agree, agree + disagree),
    ...bias,
    by_rating: toCounted(byRating, labels.rating),
    by_action: toCounted(byAction, labels.action),
    by_symbol: toUserSymbols(bySymbol, at),
  }
}

function groupBySymbol(rows: readonly UserTimelineRow[]): Map<string, UserTimelineRow[]> {
  const groups = new Map<string, UserTimelineRow[]>()
  for (const row of rows) {
    const own = groups.get(row.symbol_key)
    if (own) own.push(row)
    else groups.set(row.symbol_key, [row])
  }
  return groups
}

const latestFirst = (a: UserTimelineRow, b: UserTimelineRow) =>
  b.created_at - a.created_at || b.id - a.id

function toUserSymbols(
  bySymbol: ReadonlyMap<string, readonly UserTimelineRow[]>,
  at: number,
): UserSymbol[] {
  const latest = [...bySymbol.values()].flatMap((own) => own.at(-1) ?? []).sort(latestFirst)
  return latest.slice(0, SYMBOLS_MAX).map((row) => ({
    symbol: row.symbol,
    ratings: bySymbol.get(row.symbol_key)?.length ?? 0,
    rating: row.rating,
    rating_label: row.rating_label,
    prediction: row.prediction,
    state: toState(row, at),
    ended: toEnded(row, at),
    last_created_at: row.created_at,
  }))
}

export function userRatingsOf(timeline: UserTimeline, at: number): UserRatings | null {
  const rows = postedBy(timeline, at)
  if (rows.length === 0) return null
  const latest = rows.sort(latestFirst)
  const all = groupBySymbol(latest)
  const drawn = new Set([...all.keys()].slice(0, USER_SYMBOLS_DRAWN_MAX))
  const listed = latest.filter((row) => drawn.has(row.symbol_key)).slice(0, USER_RATINGS_MAX)
  return {
    symbols: [...groupBySymbol(listed).values()].map((own) => ({
      symbol: own[0]?.symbol ?? '',
      calls: own.reverse().map((row) => toUserRating(row, at)),
    })),
    symbols_total: all.size,
    calls_total: rows.length,
  }
}

function toUserRating(row: UserTimelineRow, at: number): UserRating {
  const ended = toEnded(row, at)
  return {
    id: row.id,
    created_at: row.created_at,
    rating: row.rating,
    rating_label: row.rating_label,
    action: row.action,
    action_label: row.action_label,
    prediction: row.prediction,
    until: ended === null ? row.expired_at || null : row.effective_until,
    ended,
  }
}

/** A rating renewed in the second in which it expires leaves no gap. */
export function persistenceOf(timeline: UserTimeline, at: number): UserRecord['persistence'] {
  const counts = { ended: 0, renewed: 0, returned: 0, lapsed: 0, never: 0 }
  for (const own of groupBySymbol(postedBy(timeline, at)).values()) {
    for (const [index, row] of own.entries()) {
      if (row.effective_until > at) continue
      counts.ended += 1
      counts[toEnding(row, own[index + 1])] += 1
    }
  }
  return counts
}

function toEnding(
  { created_at, expired_at, effective_until }: UserTimelineRow,
  next: UserTimelineRow | undefined,
): 'never' | 'lapsed' | 'returned' | 'renewed' {
  if (expired_at && expired_at <= created_at) return 'never'
  if (!next) return 'lapsed'
  return effective_until < next.created_at ? 'returned' : 'renewed'
}

const ACTIVITY_DAYS = 53 * 7

export function activityOf(timeline: UserTimeline, at: number): UserRecord['activity'] {
  const first = (Math.floor(at / DAY_SECONDS) - ACTIVITY_DAYS + 1) * DAY_SECONDS
  const counts = new Map<number, number>()
  for (const { created_at } of postedBy(timeline, at)) {
    const day = created_at - (created_at % DAY_SECONDS)
    if (created_at >= first) counts.set(day, (counts.get(day) ?? 0) + 1)
  }
  return [...counts].map(([day, count]) => ({ day, count }))
}
