import * as z from 'zod/mini'
import { ANSWERED_BUCKETS } from '#lib/contract/api-queries.ts'
import { counted, decimal, envelope, meta, seconds } from './envelope.ts'
import { moves } from './symbols.ts'

export const CHANGE_DAYS = [7, 30, 90] as const
export const CLIFF_DAYS = [7, 30] as const

export const CAUSES = ['upgraded', 'downgraded', 'initiated', 'repeated', 'ended'] as const

export const PENDING_DAYS = 90

const consensusAt = { active: z.int(), consensus: z.nullable(decimal) }

/**
 * 4 places, individual predictions 6. `causes` repeats `moves` for older clients; its `ids` is
 * always empty. `cliff` and `pending` assume no renewals.
 */
export const opinion = z.object({
  symbol: z.string(),
  ratings: z.int(),
  users: z.int(),
  first_created_at: seconds,
  last_created_at: seconds,
  last_user_id: z.int(),
  ...consensusAt,
  consensus_low: z.nullable(decimal),
  consensus_high: z.nullable(decimal),
  dispersion: z.nullable(decimal),
  prediction: z.object({
    mean: z.nullable(decimal),
    low: z.nullable(decimal),
    q1: z.nullable(decimal),
    median: z.nullable(decimal),
    q3: z.nullable(decimal),
    high: z.nullable(decimal),
  }),
  agree: z.int(),
  disagree: z.int(),
  agreement_low: z.nullable(decimal),
  by_rating: z.array(counted),
  by_action: z.array(counted),
  changes: z.array(z.object({ days: z.int(), ...consensusAt, change: z.nullable(decimal) })),
  moves,
  causes: z.array(
    z.object({ cause: z.enum(CAUSES), count: z.int(), effect: decimal, ids: z.array(z.int()) }),
  ),
  cliff: z.array(z.object({ days: z.int(), lapsing: z.int(), ...consensusAt })),
  pending: z.array(z.object({ t: seconds, ...consensusAt })),
})
export type Opinion = z.infer<typeof opinion>

export const opinionAnswer = envelope(opinion, { meta })
export type OpinionAnswer = z.infer<typeof opinionAnswer>

export const POINTS_MAX = 400
export const DOTS_MAX = 400

/** Counts of ratings 1 to 5; other codes are omitted. */
const byRating = z.array(z.int())

/**
 * `t`: first instant (UTC; weeks begin on Monday). `posted*`, `avg_*`, `upgraded`, `downgraded` and
 * `lapsed` cover the bucket, the rest its last second. Quartiles by nearest rank.
 */
export const seriesPoint = z.object({
  t: seconds,
  posted: z.int(),
  avg_rating: z.nullable(decimal),
  avg_prediction: z.nullable(decimal),
  posted_by_rating: byRating,
  upgraded: z.int(),
  downgraded: z.int(),
  lapsed: z.int(),
  active: z.int(),
  consensus: z.nullable(decimal),
  by_rating: byRating,
  active_prediction: z.nullable(decimal),
  prediction_low: z.nullable(decimal),
  prediction_q1: z.nullable(decimal),
  prediction_median: z.nullable(decimal),
  prediction_q3: z.nullable(decimal),
  prediction_high: z.nullable(decimal),
})
export type SeriesPoint = z.infer<typeof seriesPoint>

const seriesRating = z.object({
  id: z.int(),
  user_id: z.int(),
  created_at: seconds,
  rating: z.int(),
  rating_label: z.string(),
  prediction: z.string(),
})
export type SeriesRating = z.infer<typeof seriesRating>

/** `ratings` is empty above {@link DOTS_MAX}. */
export const series = z.object({
  symbol: z.string(),
  bucket: z.enum(ANSWERED_BUCKETS),
  posted: z.int(),
  points: z.array(seriesPoint),
  ratings: z.array(seriesRating),
})
export type Series = z.infer<typeof series>

export const seriesAnswer = envelope(series, { meta })
export type SeriesAnswer = z.infer<typeof seriesAnswer>

const comparedPoint = z.object({
  t: seconds,
  active: z.int(),
  consensus: z.nullable(decimal),
  active_prediction: z.nullable(decimal),
})

export const comparison = z.object({
  bucket: z.enum(ANSWERED_BUCKETS),
  symbols: z.array(
    z.object({ symbol: z.string(), first_created_at: seconds, points: z.array(comparedPoint) }),
  ),
  unknown: z.array(z.string()),
})
export type Comparison = z.infer<typeof comparison>

export const compareAnswer = envelope(comparison, { meta })
export type CompareAnswer = z.infer<typeof compareAnswer>
