import type { UserRatings, UserRow } from '#lib/contract/answers/users.ts'
import type { NearUsersQuery, UserSort } from '#lib/contract/lists/users.ts'
import { compareBy, endedOf, groupBy, keyOf, nameOf, newest, type OracleRow } from './oracle.ts'

const toLine = (user_id: number, own: readonly OracleRow[]): UserRow => ({
  user_id,
  ratings: own.length,
  symbols: new Set(own.map(keyOf)).size,
  last_created_at: newest(own),
  clusters: null,
  hit_rate: null,
  hit_low: null,
  hit_high: null,
  rank: null,
  excess: null,
  excess_low: null,
  excess_high: null,
})

const SIGNS = [...'-0123456789']

/** Damerau–Levenshtein distance 1. */
function slipsOf(text: string): Set<string> {
  const cuts = Array.from({ length: text.length + 1 }, (_, index) => index)
  return new Set(
    cuts.flatMap((at) => {
      const [before, next, after] = [text.slice(0, at), text.slice(at, at + 1), text.slice(at + 1)]
      return [
        `${before}${after}`,
        `${before}${after.slice(0, 1)}${next}${after.slice(1)}`,
        ...SIGNS.flatMap((sign) => [`${before}${sign}${next}${after}`, `${before}${sign}${after}`]),
      ]
    }),
  )
}

const toSlip = (like: string, user: number) =>
  like === '' || String(user) === like ? 0 : slipsOf(like).has(String(user)) ? 1 : null

const OF_RECORD = new Set<UserSort>(['record', 'clusters', 'excess'])

export function userTable(
  rows: readonly OracleRow[],
  query: NearUsersQuery,
  at: number,
): UserRow[] {
  const existing = rows.filter((row) => row.created_at <= at)
  const { like = '', sort } = query
  const { column, direction } = sort
  return [...groupBy(existing, (row) => row.user_id)]
    .filter(([user]) => String(user).startsWith(query.q) && toSlip(like, user) !== null)
    .map(([user, own]) => toLine(user, own))
    .sort(
      compareBy<UserRow>([
        [(line) => toSlip(like, line.user_id), 'asc'],
        [(line) => (column === 'record' ? line.rank : line[column]), direction],
        [({ ratings }) => (OF_RECORD.has(column) ? ratings : 0), 'desc'],
        [({ user_id }) => user_id, 'asc'],
      ]),
    )
}

export function userRatingsOf(
  rows: readonly OracleRow[],
  userId: number,
  at: number,
): UserRatings | null {
  const own = ownRatings(rows, userId, at)
  if (own.length === 0) return null
  const latest = [...own].reverse()
  const keys = [...new Set(latest.map(({ row }) => keyOf(row)))]
  const drawn = keys.slice(0, 40)
  const listed = latest.filter(({ row }) => drawn.includes(keyOf(row))).slice(0, 1000)
  const symbols = drawn.map((key) => ({
    symbol: nameOf(rows.filter((row) => keyOf(row) === key)),
    calls: listed
      .filter(({ row }) => keyOf(row) === key)
      .reverse()
      .map((one) => {
        const { row } = one
        return {
          id: row.id,
          created_at: row.created_at,
          rating: row.rating,
          rating_label: row.rating_label,
          action: row.action,
          action_label: row.action_label,
          prediction: row.prediction,
          until: hasEnded(one, at) ? row.effectiveUntil : row.expired_at || null,
          ended: endedOf(row, at),
        }
      }),
  }))
  return {
    symbols: symbols.filter(({ calls }) => calls.length > 0),
    symbols_total: keys.length,
    calls_total: own.length,
  }
}

const byTime = (a: OracleRow, b: OracleRow) => a.created_at - b.created_at || a.id - b.id

function ownRatings(rows: readonly OracleRow[], userId: number, at: number) {
  const own = rows.filter((row) => row.user_id === userId && row.created_at <= at).sort(byTime)
  return own.map((row, index) => ({
    row,
    next: own.slice(index + 1).find((later) => keyOf(later) === keyOf(row)),
  }))
}

function hasEnded({ row, next }: ReturnType<typeof ownRatings>[number], at: number): boolean {
  const ends = [row.expired_at || null, row.vanished_at, next?.created_at]
  return ends.some((end) => end != null && end <= at)
}
