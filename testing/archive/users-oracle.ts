import type { UserRatings, UserRecord, UserRow } from '#lib/contract/answers/users.ts'
import type { NearUsersQuery, UserSort } from '#lib/contract/lists/users.ts'
import {
  compareBy,
  endedOf,
  groupBy,
  isActive,
  keyOf,
  nameOf,
  newest,
  type OracleRow,
} from './oracle.ts'

const DAY = 86_400
const NANO = 1_000_000_000n

function round(above: bigint, below: bigint): bigint {
  const size = above < 0n ? -above : above
  const rounded = size / below + ((size % below) * 2n >= below ? 1n : 0n)
  return above < 0n ? -rounded : rounded
}

function text4(tenThousandths: bigint): string {
  const size = tenThousandths < 0n ? -tenThousandths : tenThousandths
  const digits = size.toString().padStart(5, '0')
  return `${tenThousandths < 0n ? '-' : ''}${digits.slice(0, -4)}.${digits.slice(-4)}`
}

const total = (values: readonly bigint[]) => values.reduce((sum, value) => sum + value, 0n)
const sizeOf = (value: bigint) => (value < 0n ? -value : value)
const sumOf = (rows: readonly OracleRow[]) => rows.reduce((sum, row) => sum + row.rating, 0)

/** In billionths. */
const distance = (row: OracleRow, others: readonly OracleRow[]): bigint =>
  round(
    (BigInt(row.rating) * BigInt(others.length) - BigInt(sumOf(others))) * NANO,
    BigInt(others.length),
  )

const meanOf = (nanos: readonly bigint[]): string | null =>
  nanos.length === 0 ? null : text4(round(total(nanos) * 10_000n, BigInt(nanos.length) * NANO))

/** Wilson's lower bound in ten-thousandths. */
export function wilsonLow(agree: number, votes: number): bigint | null {
  if (votes === 0) return null
  // The bound is the smaller p with (x/n − p)² = z² p (1 − p) / n; below it the left side is
  // larger.
  const isBelow = (twentyThousandths: bigint) => {
    const [x, n, unit] = [BigInt(agree), BigInt(votes), 20_000n]
    const p = twentyThousandths
    const apart = x * unit - n * p
    return apart >= 0n && apart * apart * 625n >= 2401n * p * (unit - p) * n
  }
  let units = 0n
  while (isBelow(2n * units + 1n)) units += 1n
  return units
}

function toLine(user_id: number, own: readonly OracleRow[], all: readonly OracleRow[], at: number) {
  const leanings = own
    .filter((row) => isActive(row, at))
    .map((row) => ({
      row,
      others: all.filter(
        (other) => other.user_id !== user_id && keyOf(other) === keyOf(row) && isActive(other, at),
      ),
    }))
    .filter(({ others }) => others.length >= 3)
    .map(({ row, others }) => distance(row, others))
  const agree = own.reduce((sum, row) => sum + row.tally_agree, 0)
  const disagree = own.reduce((sum, row) => sum + row.tally_disagree, 0)
  const low = wilsonLow(agree, agree + disagree)
  const line: UserRow = {
    user_id,
    ratings: own.length,
    active: own.filter((row) => isActive(row, at)).length,
    symbols: new Set(own.map(keyOf)).size,
    recent: own.filter((row) => row.created_at > at - 90 * DAY).length,
    activity: Array.from({ length: 52 }, (_, week) => {
      const end = at - (51 - week) * 7 * DAY
      return own.filter((row) => row.created_at <= end && row.created_at > end - 7 * DAY).length
    }),
    agree,
    disagree,
    agreement_low: low === null ? null : text4(low),
    bias: meanOf(leanings),
    bias_n: leanings.length,
    last_created_at: newest(own),
    clusters: null,
    hit_rate: null,
    hit_low: null,
    hit_high: null,
    rank: null,
    excess: null,
    excess_low: null,
    excess_high: null,
  }
  const shrunk = leanings.length === 0 ? null : round(total(leanings), BigInt(leanings.length + 10))
  return { line, low, shrunk }
}

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
    .map(([user, own]) => toLine(user, own, existing, at))
    .sort(
      compareBy<ReturnType<typeof toLine>>([
        [({ line }) => toSlip(like, line.user_id), 'asc'],
        [
          ({ line, low, shrunk }) =>
            column === 'agreement'
              ? low
              : column === 'bias'
                ? shrunk
                : column === 'record'
                  ? line.rank
                  : line[column],
          direction,
        ],
        [({ line }) => (OF_RECORD.has(column) ? line.ratings : 0), 'desc'],
        [({ line }) => line.user_id, 'asc'],
      ]),
    )
    .map(({ line }) => line)
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
        const end = endOf(one, at)
        const { row } = one
        return {
          id: row.id,
          created_at: row.created_at,
          rating: row.rating,
          rating_label: row.rating_label,
          action: row.action,
          action_label: row.action_label,
          prediction: row.prediction,
          until: end === null ? row.expired_at || null : row.effectiveUntil,
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

export function recordOf(
  rows: readonly OracleRow[],
  userId: number,
  at: number,
): Omit<UserRecord, 'closeness'> | null {
  const own = ownRatings(rows, userId, at)
  if (own.length === 0) return null
  const judged = own.slice(-500).map(({ row }) => {
    const others = rows.filter((other) => other.user_id !== userId && keyOf(other) === keyOf(row))
    const later = row.created_at + 30 * DAY
    return {
      row,
      before: others.filter((other) => byTime(other, row) < 0 && isActive(other, row.created_at)),
      after: later > at ? [] : others.filter((other) => isActive(other, later)),
    }
  })
  const apart = judged.filter(({ before }) => before.length >= 3)
  const ends = own.map((one) => endOf(one, at)).filter((end) => end !== null)
  const count = (how: string) => ends.filter((end) => end === how).length
  const distances = apart.map(({ row, before }) => distance(row, before))
  return {
    judged: judged.length,
    distance: {
      n: apart.length,
      mean: meanOf(distances),
      size: meanOf(distances.map(sizeOf)),
      gaps: countGaps(apart),
    },
    lead: leadOf(apart),
    persistence: {
      ended: ends.length,
      renewed: count('renewed'),
      returned: count('returned'),
      lapsed: count('lapsed'),
      never: count('never'),
    },
    activity: activityOf(
      own.map(({ row }) => row),
      at,
    ),
  }
}

type RatedSequence = { row: OracleRow; before: OracleRow[]; after: OracleRow[] }

function countGaps(apart: readonly RatedSequence[]) {
  const gaps = apart.map(({ row, before }) =>
    Number(
      round(
        BigInt(row.rating) * BigInt(before.length) - BigInt(sumOf(before)),
        BigInt(before.length),
      ),
    ),
  )
  return [...new Set(gaps)]
    .sort((a, b) => a - b)
    .map((gap) => ({ gap, count: gaps.filter((other) => other === gap).length }))
}

function leadOf(apart: readonly RatedSequence[]): Omit<UserRecord, 'closeness'>['lead'] {
  const moves = apart
    .filter(
      ({ row, before, after }) => after.length >= 3 && row.rating * before.length !== sumOf(before),
    )
    .map(({ row, before, after }) => {
      const move = sumOf(after) * before.length - sumOf(before) * after.length
      const isAbove = row.rating * before.length > sumOf(before)
      if (move === 0) return 'still'
      return move > 0 === isAbove ? 'towards' : 'away'
    })
  const count = (way: string) => moves.filter((move) => move === way).length
  const [towards, away, still] = [count('towards'), count('away'), count('still')]
  const n = moves.length
  const chance = n === 0 ? null : text4(round(BigInt(towards + away) * 10_000n, BigInt(2 * n)))
  return { n, towards, away, still, chance }
}

function activityOf(own: readonly OracleRow[], at: number) {
  const dayOf = (seconds: number) => Math.floor(seconds / DAY)
  const days = own.map((row) => dayOf(row.created_at)).filter((day) => day > dayOf(at) - 371)
  return [...new Set(days)]
    .sort((a, b) => a - b)
    .map((day) => ({ day: day * DAY, count: days.filter((other) => other === day).length }))
}

const byTime = (a: OracleRow, b: OracleRow) => a.created_at - b.created_at || a.id - b.id

function ownRatings(rows: readonly OracleRow[], userId: number, at: number) {
  const own = rows.filter((row) => row.user_id === userId && row.created_at <= at).sort(byTime)
  return own.map((row, index) => ({
    row,
    next: own.slice(index + 1).find((later) => keyOf(later) === keyOf(row)),
  }))
}

function endOf({ row, next }: ReturnType<typeof ownRatings>[number], at: number) {
  const expires = row.expired_at || Number.POSITIVE_INFINITY
  const until = Math.min(expires, row.vanished_at ?? Number.POSITIVE_INFINITY)
  if (Math.min(until, next?.created_at ?? Number.POSITIVE_INFINITY) > at) return null
  if (expires <= row.created_at) return 'never'
  if (!next) return 'lapsed'
  return next.created_at <= until ? 'renewed' : 'returned'
}
