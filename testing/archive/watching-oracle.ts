import type { UnnamedWatching } from '#lib/contract/answers/changes.ts'
import type { RatingsQuery } from '#lib/contract/ratings-query.ts'
import { toWatchedText } from '#lib/contract/watching-query.ts'
import { compareBy, keyOf, meanRating, nameOf, newest, type OracleRow, passes } from './oracle.ts'

const NEWEST = 50

const inOrder = compareBy<OracleRow>([
  [(row) => row.created_at, 'desc'],
  [(row) => row.id, 'desc'],
])

const toHeld = (rows: readonly OracleRow[]) => ({
  ratings: rows.length,
  newest: [...rows]
    .sort(inOrder)
    .slice(0, NEWEST)
    .map(({ id }) => id),
  last_created_at: rows.length === 0 ? null : newest(rows),
})

type WatchedInput = { symbols: readonly string[]; users: readonly number[]; views: RatingsQuery[] }

export function watchingOf(
  rows: readonly OracleRow[],
  { symbols, users, views }: WatchedInput,
  at: number,
): UnnamedWatching {
  return {
    symbols: symbols.map((key) => {
      const own = rows.filter((row) => keyOf(row) === key)
      const active = own.filter((row) => row.created_at <= at && row.effectiveUntil > at)
      return {
        symbol: own.length === 0 ? key : nameOf(own),
        ...toHeld(own),
        active: active.length,
        consensus: meanRating(active),
      }
    }),
    users: users.map((userId) => {
      const own = rows.filter((row) => row.user_id === userId)
      return {
        user_id: userId,
        ...toHeld(own),
      }
    }),
    views: views.map((query) => ({
      view: toWatchedText(query),
      ...toHeld(rows.filter((row) => passes(row, query, at))),
    })),
  }
}
