import * as z from 'zod/mini'
import { ANSWERED_BUCKETS } from '#lib/contract/api-queries.ts'
import { counted, decimal, envelope, meta, seconds } from './envelope.ts'
import { moves } from './moves.ts'

/** The spans (days) that a consensus is compared over, and those that expiring ratings are counted in. */
export const CHANGE_DAYS = [7, 30, 90] as const
export const CLIFF_DAYS = [7, 30] as const

/** The names of `causes`, in their order. */
export const CAUSES = ['upgraded', 'downgraded', 'initiated', 'repeated', 'ended'] as const

/** How far ahead, a point a day, the consensus is worked out as it would be without renewals. */
export const PENDING_DAYS = 90

const consensusAt = { active: z.int(), consensus: z.nullable(decimal) }

/**
 * What a community thinks of a symbol at `meta.as_of`. `ratings` and `users` had been there by then. Decimals have 4
 * places, predictions that somebody gave their own 6. `agree` and `disagree` are the votes on the active ratings, as
 * last seen; `agreement_low` is the lower end of Wilson's interval (95 %) of the share that agreed. `changes` compare
 * with the consensus that many days before (null where fewer than 3 were active at either). `moves` says why it
 * moved over `CAUSE_DAYS`. `causes` repeats the parts of `moves` for older clients: `repeated` includes users who
 * returned, `ended` is whatever ended, `ids` is empty. `cliff`: how many expire of themselves within that many days, and
 * what would be left if nobody posted or renewed; `pending` what would be left on each day from `as_of` on, which is its
 * first. Renewals that came after `as_of` are not known at it.
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
  weighted: z.nullable(decimal),
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

/** `GET /api/symbols/{symbol}/opinion`. */
export const opinionAnswer = envelope(opinion, { meta })
export type OpinionAnswer = z.infer<typeof opinionAnswer>

/** At most so many points a series, and so many single ratings beside them. */
export const POINTS_MAX = 400
export const DOTS_MAX = 400

/** Counts of the ratings 1 to 5, in this order; codes beyond the scale are not among them. */
const byRating = z.array(z.int())

/**
 * One bucket: `t` its first instant (UTC; weeks begin on Monday). Over the ratings posted in it: `posted`, `avg_*`,
 * `posted_by_rating`, and how many of them were labelled as upgrades and downgrades; `lapsed` had expired in it
 * without a rating after them; of the first and the last bucket only what lies in the range. Over the active set at its
 * last second (the last bucket: at `as_of`, or at the end of the range): `active`,
 * `consensus`, `weighted` (by agreement), `by_rating`; of its predictions the mean, the quartiles by nearest rank,
 * the lowest and the highest. Decimals have 4 places, predictions that somebody gave their own 6.
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
  weighted: z.nullable(decimal),
  by_rating: byRating,
  active_prediction: z.nullable(decimal),
  prediction_low: z.nullable(decimal),
  prediction_q1: z.nullable(decimal),
  prediction_median: z.nullable(decimal),
  prediction_q3: z.nullable(decimal),
  prediction_high: z.nullable(decimal),
})
export type SeriesPoint = z.infer<typeof seriesPoint>

/** A rating that was posted within a series. */
const seriesRating = z.object({
  id: z.int(),
  user_id: z.int(),
  created_at: seconds,
  rating: z.int(),
  rating_label: z.string(),
  prediction: z.string(),
})
export type SeriesRating = z.infer<typeof seriesRating>

/** `posted` counts the ratings posted in all buckets; `ratings` holds them where they are at most {@link DOTS_MAX}. */
export const series = z.object({
  symbol: z.string(),
  bucket: z.enum(ANSWERED_BUCKETS),
  posted: z.int(),
  points: z.array(seriesPoint),
  ratings: z.array(seriesRating),
})
export type Series = z.infer<typeof series>

/** `GET /api/symbols/{symbol}/series`. */
export const seriesAnswer = envelope(series, { meta })
export type SeriesAnswer = z.infer<typeof seriesAnswer>

const comparedPoint = z.object({
  t: seconds,
  active: z.int(),
  consensus: z.nullable(decimal),
  active_prediction: z.nullable(decimal),
})

/** Several symbols in the same buckets, in the order asked; `unknown` are those that nobody had rated. */
export const comparison = z.object({
  bucket: z.enum(ANSWERED_BUCKETS),
  symbols: z.array(
    z.object({ symbol: z.string(), first_created_at: seconds, points: z.array(comparedPoint) }),
  ),
  unknown: z.array(z.string()),
})
export type Comparison = z.infer<typeof comparison>

/** `GET /api/compare`. */
export const compareAnswer = envelope(comparison, { meta })
export type CompareAnswer = z.infer<typeof compareAnswer>
