import * as z from 'zod/mini'
import { ANSWERED_BUCKETS } from '#lib/contract/api-queries.ts'
import { HORIZONS } from '#lib/contract/horizons.ts'
import { decimal, envelope, meta, seconds } from './envelope.ts'
import { priced } from './track.ts'

const day = z.string()

/** `spike`: a close that is not used; `jump`: calls across it do not count. */
const priceFlag = z.object({ date: day, factor: decimal, kind: z.enum(['spike', 'jump']) })

/** 6 places. */
export const priceSeries = z.object({
  symbol: z.string(),
  bucket: z.enum(ANSWERED_BUCKETS),
  prices: z.int(),
  points: z.array(z.object({ t: seconds, date: day, close: decimal })),
  flags: z.array(priceFlag),
})
export type PriceSeries = z.infer<typeof priceSeries>

export const pricesAnswer = envelope(priceSeries, { meta })

const FOLLOWED_OUTCOMES = ['scored', 'open', 'no_price', 'no_entry', 'jump'] as const

/** Entry on the first trading day after `month`. 6 places, the consensus 4. */
const followedMonth = z.object({
  month: z.string(),
  consensus: decimal,
  active: z.int(),
  outcome: z.enum(FOLLOWED_OUTCOMES),
  entry_date: z.nullable(day),
  exit_date: z.nullable(day),
  return: z.nullable(decimal),
  benchmark: z.nullable(decimal),
  excess: z.nullable(decimal),
})
export type FollowedMonth = z.infer<typeof followedMonth>

/**
 * `windows`: scored months without overlap; intervals are null below 5. `slope`: excess per step of
 * consensus.
 */
export const followed = z.object({
  symbol: z.string(),
  horizon: z.literal(HORIZONS),
  months: z.array(followedMonth),
  scored: z.int(),
  windows: z.int(),
  mean: z.nullable(decimal),
  mean_low: z.nullable(decimal),
  mean_high: z.nullable(decimal),
  slope: z.nullable(decimal),
  slope_low: z.nullable(decimal),
  slope_high: z.nullable(decimal),
  prices: priced,
})
export type Followed = z.infer<typeof followed>

export const followedAnswer = envelope(followed, { meta })
