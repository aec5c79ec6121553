import { USER_RATINGS_MAX, USER_SYMBOLS_DRAWN_MAX } from '#lib/contract/answers/limits.ts'
import type { User, UserRating, UserRatings, UserSymbol } from '#lib/contract/answers/users.ts'
import { toEnded, toState } from './standing.ts'

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
  created_at: number
  expired_at: number | null
  effective_until: number
  vanished_at: number | null
}

/** Ordered by `created_at`, then id. */
export type UserTimeline = { userId: number; rows: readonly UserTimelineRow[]; bytes: number }

export const postedBy = ({ rows }: UserTimeline, at: number): UserTimelineRow[] =>
  rows.filter(({ created_at }) => created_at <= at)

const SYMBOLS_MAX = 100

export function userOf(timeline: UserTimeline, at: number): User | null {
  const rows = postedBy(timeline, at)
  const [first, last] = [rows[0], rows.at(-1)]
  if (!first || !last) return null
  const bySymbol = groupBySymbol(rows)
  return {
    user_id: timeline.userId,
    ratings: rows.length,
    active: rows.filter((row) => row.effective_until > at).length,
    symbols: bySymbol.size,
    first_created_at: first.created_at,
    last_created_at: last.created_at,
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
