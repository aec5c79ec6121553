import * as z from 'zod/mini'
import { ANSWERED_BUCKETS } from '#lib/contract/api-queries.ts'
import { HORIZONS } from '#lib/contract/horizons.ts'
import { decimal, envelope, meta, seconds } from './envelope.ts'
import { priced } from './track.ts'

const day = z.string()

/**
 * A symbol's closes in the buckets of its series: in each that has one, the last one that was known by the end of the range or by
 * `as_of`, and its day. `prices` counts those that were known then. Closes have 6 places.
 */
export const priceSeries = z.object({
  symbol: z.string(),
  bucket: z.enum(ANSWERED_BUCKETS),
  prices: z.int(),
  points: z.array(z.object({ t: seconds, date: day, close: decimal })),
})
export type PriceSeries = z.infer<typeof priceSeries>

/** `GET /api/symbols/{symbol}/prices`. */
export const pricesAnswer = envelope(priceSeries, { meta })
export type PricesAnswer = z.infer<typeof pricesAnswer>

/** What became of a price after a month's end; only of what is `scored` all of it is known. */
const FOLLOWED_OUTCOMES = ['scored', 'open', 'no_price', 'no_entry'] as const

/**
 * A month (`2025-01`) with its consensus at its end, of `active` ratings, and what the price did from the first trading day after it.
 * Decimals have 6 places, the consensus 4.
 */
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
 * What followed a symbol's consensus, over months of at least 3 active ratings. `scored` months have an excess; `windows` of them do not
 * overlap, and intervals are as wide as these allow. `mean` is the excess of a month, `slope` how much more came with one step of
 * consensus more, each with its interval (95 %, Student's) from 5 windows on.
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

/** `GET /api/symbols/{symbol}/followed`. */
export const followedAnswer = envelope(followed, { meta })
export type FollowedAnswer = z.infer<typeof followedAnswer>
