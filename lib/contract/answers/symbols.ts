import * as z from 'zod/mini'
import { envelope } from '../envelope.ts'
import { BUCKETS } from '../other-queries.ts'
import { decimal, meta, pageInfo, seconds } from './shared.ts'

/** One line of the league table. `consensus` and `avg_prediction` (4 decimals) are over the active ratings. */
export const symbolRow = z.object({
  symbol: z.string(),
  ratings: z.int(),
  active: z.int(),
  consensus: z.nullable(decimal),
  avg_prediction: z.nullable(decimal),
  last_created_at: seconds,
})
export type SymbolRow = z.infer<typeof symbolRow>

/** `GET /api/symbols`. */
export const symbolsPage = envelope(z.array(symbolRow), { page: pageInfo, meta })
export type SymbolsPage = z.infer<typeof symbolsPage>

const tallyOrRatio = decimal

/**
 * The active ratings of a symbol at the last second of a UTC day (for today: now): how many, their mean rating
 * (4 decimals) and prediction (6), how many of each rating and action, and each action's share (4). All but the
 * symbol are decimals as strings; means are null where nothing is active.
 */
export const aggregate = z.object({
  day: z.string(),
  symbol: z.string(),
  total: decimal,
  avg_rating: z.nullable(decimal),
  avg_prediction: z.nullable(decimal),
  r1: decimal,
  r2: decimal,
  r3: decimal,
  r4: decimal,
  r5: decimal,
  a1: decimal,
  a2: decimal,
  a3: decimal,
  a4: decimal,
  a1_ratio: tallyOrRatio,
  a2_ratio: tallyOrRatio,
  a3_ratio: tallyOrRatio,
  a4_ratio: tallyOrRatio,
})
export type Aggregate = z.infer<typeof aggregate>

/** `GET /api/symbols/{symbol}`. `ratings`, `users`, `first_created_at` and `last_created_at` are over all time. */
export const aggregateAnswer = envelope(aggregate, {
  meta: z.extend(meta, {
    ratings: z.int(),
    users: z.int(),
    first_created_at: seconds,
    last_created_at: seconds,
  }),
})
export type AggregateAnswer = z.infer<typeof aggregateAnswer>

/**
 * One bucket: `t` its first instant (UTC; weeks begin on Monday). `posted`, `avg_rating`, `avg_prediction` are over
 * the ratings posted in it; `active`, `consensus`, `active_prediction` over the active set at its last second.
 */
export const seriesPoint = z.object({
  t: seconds,
  posted: z.int(),
  avg_rating: z.nullable(decimal),
  avg_prediction: z.nullable(decimal),
  active: z.int(),
  consensus: z.nullable(decimal),
  active_prediction: z.nullable(decimal),
})
export type SeriesPoint = z.infer<typeof seriesPoint>

export const series = z.object({
  symbol: z.string(),
  bucket: z.enum(BUCKETS),
  points: z.array(seriesPoint),
})
export type Series = z.infer<typeof series>

/** `GET /api/symbols/{symbol}/series`. */
export const seriesAnswer = envelope(series, { meta })
export type SeriesAnswer = z.infer<typeof seriesAnswer>
