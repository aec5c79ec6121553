import { POINTS_MAX, type Series, type SeriesPoint } from '#lib/contract/answers/opinion.ts'
import type { Bucket, SeriesQuery } from '#lib/contract/api-queries.ts'
import {
  compareBy,
  isActive,
  mean,
  meanPrediction,
  meanRating,
  millionths,
  nameOf,
  type OracleRow,
} from './oracle.ts'

type Span = Pick<SeriesQuery, 'bucket' | 'from' | 'to'>

const FINEST_FIRST: readonly Bucket[] = ['day', 'week', 'month', 'year']

export function seriesOf(rows: readonly OracleRow[], query: Span, at: number): Series | null {
  const known = rows.filter((row) => row.created_at <= at)
  if (known.length === 0) return null
  const began = Math.min(...known.map((row) => row.created_at))
  const { bucket, starts } = startsOf(query, { began, at })
  const first = Math.max(starts[0] ?? 0, query.from ?? 0)
  const end = lastOf(query, at)
  const shown =
    starts.length === 0 ? [] : known.filter((row) => isWithin(row.created_at, first, end + 1))
  return {
    symbol: nameOf(known),
    bucket,
    posted: shown.length,
    points: starts.map((t) => pointOf(known, { t, bucket, at: end, from: query.from })),
    ratings: shown.length > 400 ? [] : dotsOf(shown),
  }
}

export const lastOf = ({ to }: Pick<Span, 'to'>, at: number): number =>
  to === null ? at : Math.min(at, to - 1)

export function startsOf(
  { bucket: asked, from, to }: Span,
  { began, at }: { began: number; at: number },
): { bucket: Bucket; starts: number[] } {
  const first = Math.max(began, from ?? began)
  const last = Math.min(at, to === null ? at : to - 1)
  const from400 = FINEST_FIRST.slice(asked === 'auto' ? 0 : FINEST_FIRST.indexOf(asked))
  for (const bucket of from400) {
    const starts: number[] = []
    if (first > last) return { bucket, starts }
    for (let t = startOf(bucket, first); t <= last; t = endOf(bucket, t)) starts.push(t)
    if (starts.length <= POINTS_MAX) return { bucket, starts }
    if (bucket === 'year') return { bucket, starts: starts.slice(-POINTS_MAX) }
  }
  throw new Error('no bucket is left')
}

function startOf(bucket: Bucket, at: number): number {
  const date = new Date(at * 1000)
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()]
  if (bucket === 'year') return Date.UTC(year, 0) / 1000
  if (bucket === 'month') return Date.UTC(year, month) / 1000
  const back = bucket === 'week' ? (date.getUTCDay() + 6) % 7 : 0
  return Date.UTC(year, month, day - back) / 1000
}

function endOf(bucket: Bucket, t: number): number {
  const date = new Date(t * 1000)
  if (bucket === 'year') return Date.UTC(date.getUTCFullYear() + 1, 0) / 1000
  if (bucket === 'month') return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1) / 1000
  return t + (bucket === 'week' ? 7 : 1) * 86_400
}

const isWithin = (at: number, from: number, end: number) => at >= from && at < end

type BucketInput = { t: number; bucket: Bucket; from?: number | null; at: number }

/** `from` null: no lower bound. `at` is inclusive. */
export function pointOf(
  rows: readonly OracleRow[],
  { t, bucket, from, at }: BucketInput,
): SeriesPoint {
  const end = Math.min(endOf(bucket, t), at + 1)
  const start = Math.max(t, from ?? 0)
  const posted = rows.filter((row) => isWithin(row.created_at, start, end))
  const active = rows.filter((row) => isActive(row, Math.min(end - 1, at)))
  return {
    t,
    posted: posted.length,
    avg_rating: meanRating(posted),
    avg_prediction: meanPrediction(posted),
    posted_by_rating: byRating(posted),
    upgraded: posted.filter((row) => row.action === 2).length,
    downgraded: posted.filter((row) => row.action === 3).length,
    lapsed: rows.filter(
      (row) => isWithin(row.effectiveUntil, start, end) && expiresBy(row, rows, at),
    ).length,
    active: active.length,
    consensus: meanRating(active),
    by_rating: byRating(active),
    active_prediction: meanPrediction(active),
    ...spreadOf(active),
  }
}

function expiresBy(row: OracleRow, rows: readonly OracleRow[], at: number): boolean {
  const { expired_at: expiry } = row
  if (!expiry || expiry > at || expiry <= row.created_at) return false
  if (row.vanished_at !== null && row.vanished_at < expiry) return false
  return !rows.some(
    (other) =>
      other.user_id === row.user_id &&
      other.created_at <= expiry &&
      (other.created_at > row.created_at ||
        (other.created_at === row.created_at && other.id > row.id)),
  )
}

const byRating = (rows: readonly OracleRow[]) =>
  [1, 2, 3, 4, 5].map((code) => rows.filter((row) => row.rating === code).length)

function spreadOf(active: readonly OracleRow[]) {
  const sorted = active.map((row) => millionths(row.prediction)).sort((a, b) => Number(a - b))
  // Nearest rank.
  const at = (quarter: number) => sixPlaces(sorted[Math.ceil((sorted.length * quarter) / 4) - 1])
  return {
    prediction_low: sixPlaces(sorted[0]),
    prediction_q1: at(1),
    prediction_median: at(2),
    prediction_q3: at(3),
    prediction_high: sixPlaces(sorted.at(-1)),
  }
}

function sixPlaces(value: bigint | undefined): string | null {
  return value === undefined ? null : mean([value], 6)
}

const dotsOf = (rows: readonly OracleRow[]): Series['ratings'] =>
  [...rows]
    .sort(
      compareBy<OracleRow>([
        [(row) => row.created_at, 'asc'],
        [(row) => row.id, 'asc'],
      ]),
    )
    .map(({ id, user_id, created_at, rating, rating_label, prediction }) => ({
      id,
      user_id,
      created_at,
      rating,
      rating_label,
      prediction,
    }))
