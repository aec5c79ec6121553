import type { Opinion } from '#lib/contract/answers/opinion.ts'
import type { Moves } from '#lib/contract/answers/symbols.ts'
import { actionLabel, ratingLabel } from '#lib/contract/rating-fields.ts'
import { movesOf } from './moves-oracle.ts'
import {
  compareText,
  isActive,
  mean,
  meanPrediction,
  meanRating,
  millionths,
  newest,
  type OracleRow,
} from './oracle.ts'

const DAY = 86_400

export const activeAt = (rows: readonly OracleRow[], at: number): OracleRow[] =>
  rows.filter((row) => isActive(row, at))

export const sumOf = (values: readonly number[]): bigint =>
  values.reduce((sum, value) => sum + BigInt(value), 0n)

const total = (values: readonly number[]): number => Number(sumOf(values))

/** Standard deviation: √(Σ (n r − Σ r)² / n³). */
export function deviationOf(rows: readonly OracleRow[]): string | null {
  const n = BigInt(rows.length)
  if (n === 0n) return null
  const sum = sumOf(rows.map((row) => row.rating))
  const squares = rows.map((row) => (n * BigInt(row.rating) - sum) ** 2n)
  const root = n * squares.reduce((all, square) => all + square, 0n)
  return surdText({ whole: 0n, sign: 1n, root, divisor: n * n })
}

/** Miller's bounds, with one imagined opinion of each rating. */
export function boundsOf(rows: readonly OracleRow[]): { low: string | null; high: string | null } {
  if (rows.length === 0) return { low: null, high: null }
  const codes = [...rows.map((row) => BigInt(row.rating)), 1n, 2n, 3n, 4n, 5n]
  const n = BigInt(codes.length)
  const sum = codes.reduce((all, code) => all + code, 0n)
  const spread = codes.reduce((all, code) => all + (n * code - sum) ** 2n, 0n)
  // m ∓ 1.65 √(variance / (n + 1)), with variance = spread / n³, over the common divisor 100 n² (n
  // + 1).
  const form = {
    whole: 100n * sum * n * (n + 1n),
    root: 165n * 165n * spread * n * (n + 1n),
    divisor: 100n * n * n * (n + 1n),
  }
  return { low: surdText({ ...form, sign: -1n }), high: surdText({ ...form, sign: 1n }) }
}

/** Wilson's lower bound at z = 1.96, over the common divisor 2 n (10⁴ n + 196²). */
export function wilsonOf(part: number, whole: number): string | null {
  if (whole === 0) return null
  const [x, n] = [BigInt(part), BigInt(whole)]
  const z2 = 196n * 196n
  return surdText({
    whole: n * (20_000n * x + z2),
    sign: -1n,
    root: z2 * n * (z2 * n + 40_000n * x * (n - x)),
    divisor: 2n * n * (10_000n * n + z2),
  })
}

/** Null if either mean has fewer than 3 ratings. */
export function changeOf(before: readonly OracleRow[], after: readonly OracleRow[]): string | null {
  if (before.length < 3 || after.length < 3) return null
  const [b, a] = [BigInt(before.length), BigInt(after.length)]
  const rise =
    sumOf(after.map((row) => row.rating)) * b - sumOf(before.map((row) => row.rating)) * a
  return mean([(rise * 1_000_000n) / (a * b)], 4)
}

/** Nearest rank. */
function quantileOf(rows: readonly OracleRow[], quarters: number): string | null {
  const sorted = rows
    .map((row) => millionths(row.prediction))
    .sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  const value = sorted[Math.max(0, Math.ceil((quarters * sorted.length) / 4) - 1)]
  return value === undefined ? null : mean([value], 6)
}

function counted(codes: readonly number[], label: (code: number) => string) {
  return [...new Set(codes)]
    .sort((a, b) => a - b)
    .map((value) => ({
      value,
      label: label(value),
      count: codes.filter((code) => code === value).length,
    }))
}

export const leftAt = (active: readonly OracleRow[], t: number): OracleRow[] =>
  active.filter((row) => !row.expired_at || row.expired_at > t)

/** Null if none existed at `at`. */
export function opinionOf(all: readonly OracleRow[], at: number): Opinion | null {
  const rows = all.filter((row) => row.created_at <= at)
  const last = [...rows].sort((a, b) => b.created_at - a.created_at || b.id - a.id)[0]
  const moves = movesOf(all, { from: at - 90 * DAY, to: at })
  if (!last || !moves) return null
  const active = activeAt(rows, at)
  const agree = total(active.map((row) => row.tally_agree))
  const disagree = total(active.map((row) => row.tally_disagree))
  const consensusOf = (set: readonly OracleRow[]) => ({
    active: set.length,
    consensus: meanRating(set),
  })
  const bounds = boundsOf(active)
  return {
    symbol: all.map((row) => row.symbol).sort(compareText)[0] ?? '',
    ratings: rows.length,
    users: new Set(rows.map((row) => row.user_id)).size,
    first_created_at: Math.min(...rows.map((row) => row.created_at)),
    last_created_at: newest(rows),
    last_user_id: last.user_id,
    ...consensusOf(active),
    consensus_low: bounds.low,
    consensus_high: bounds.high,
    dispersion: deviationOf(active),
    prediction: {
      mean: meanPrediction(active),
      low: quantileOf(active, 0),
      q1: quantileOf(active, 1),
      median: quantileOf(active, 2),
      q3: quantileOf(active, 3),
      high: quantileOf(active, 4),
    },
    agree,
    disagree,
    agreement_low: wilsonOf(agree, agree + disagree),
    by_rating: counted(
      active.map((row) => row.rating),
      labelsOf(all, (row) => [row.rating, row.rating_label], ratingLabel),
    ),
    by_action: counted(
      active.map((row) => row.action),
      labelsOf(all, (row) => [row.action, row.action_label], actionLabel),
    ),
    changes: [7, 30, 90].map((days) => {
      const before = activeAt(rows, at - days * DAY)
      return { days, ...consensusOf(before), change: changeOf(before, active) }
    }),
    moves,
    causes: causesOf(moves),
    cliff: [7, 30].map((days) => {
      const left = leftAt(active, at + days * DAY)
      return { days, lapsing: active.length - left.length, ...consensusOf(left) }
    }),
    pending: Array.from({ length: 91 }, (_, days) => {
      const t = at + days * DAY
      return { t, ...consensusOf(leftAt(active, t)) }
    }),
  }
}

function causesOf({ active_from, active_to, parts }: Moves): Opinion['causes'] {
  if (active_from < 3 || active_to < 3) return []
  const named = [
    ['upgraded', ['upgraded']],
    ['downgraded', ['downgraded']],
    ['initiated', ['initiated']],
    ['repeated', ['returned', 'reiterated']],
    ['ended', ['lapsed', 'vanished']],
  ] as const
  return named.flatMap(([cause, kinds]) => {
    const own = parts.filter(({ kind }) => kinds.some((one) => one === kind))
    if (own.length === 0) return []
    const effect = mean([sumOf(own.map(({ change }) => Number(change?.replace('.', ''))))], 4) ?? ''
    return [{ cause, count: total(own.map(({ events }) => events)), effect, ids: [] }]
  })
}

function labelsOf(
  rows: readonly OracleRow[],
  read: (row: OracleRow) => [number, string],
  unknown: (code: number) => string,
) {
  const labels = new Map(rows.map(read))
  return (code: number) => labels.get(code) ?? unknown(code)
}

/** `(whole + sign · √root) / divisor`, in integers. */
type Surd = { whole: bigint; sign: 1n | -1n; root: bigint; divisor: bigint }

/** 4 places, halves up. */
export function surdText(surd: Surd): string {
  const float =
    (Number(surd.whole) + Number(surd.sign) * Math.sqrt(Number(surd.root))) / Number(surd.divisor)
  let units = BigInt(Math.floor(float * 10_000 + 0.5)) - 3n
  while (!isBelow(surd, 2n * units + 1n)) units += 1n
  const digits = (units < 0n ? -units : units).toString().padStart(5, '0')
  return `${units < 0n ? '-' : ''}${digits.slice(0, -4)}.${digits.slice(-4)}`
}

function isBelow({ whole, sign, root, divisor }: Surd, twentyThousandths: bigint): boolean {
  const rest = twentyThousandths * divisor - 20_000n * whole
  const scaled = 400_000_000n * root
  if (sign === 1n) return rest > 0n && scaled < rest * rest
  return rest > 0n || scaled > rest * rest
}
