import * as z from 'zod/mini'
import { decimal, envelope, meta, seconds } from './envelope.ts'

/**
 * A symbol's look-ups in the 7 days before what is known ends, and what is usual: the mean of the 28 days before, by weekday
 * (2 places). `active` ratings are those at `as_of`.
 */
const busySymbol = z.object({
  symbol: z.string(),
  lookups: z.int(),
  usual: decimal,
  active: z.int(),
})

/** Look-ups of 30 days against active ratings: the share of the one over the share of the other, null over no rating (2 places). */
const comparedSymbol = z.object({
  symbol: z.string(),
  lookups: z.int(),
  active: z.int(),
  ratio: z.nullable(decimal),
})

/** A median over symbols, with the interval (95 %) of 2,000 draws of them; null over fewer than 5 symbols. 2 places. */
const medianRatio = z.object({
  median: z.nullable(decimal),
  low: z.nullable(decimal),
  high: z.nullable(decimal),
})

/**
 * Look-ups of the 7 days before each change, over what was usual before them: a symbol's median, and the median of those. The
 * `placebo` is the same before as many random instants. `is_told`: the interval lies on one side of 1, and apart from the placebo's.
 */
const beforeChanges = z.object({
  changes: z.int(),
  symbols: z.int(),
  ...medianRatio.shape,
  placebo: medianRatio,
  is_told: z.boolean(),
})
export type BeforeChanges = z.infer<typeof beforeChanges>

/** What look-ups say of symbols beside what ratings say. Lists have the most notable first, and at most 10. */
export const attentionOverview = z.object({
  known_from: z.nullable(seconds),
  known_to: z.nullable(seconds),
  lookups_7d: z.int(),
  lookups_30d: z.int(),
  busy: z.array(busySymbol),
  hardly_rated: z.array(comparedSymbol),
  hardly_looked_up: z.array(comparedSymbol),
  before_upgrades: beforeChanges,
  before_downgrades: beforeChanges,
})
export type AttentionOverview = z.infer<typeof attentionOverview>

/** `GET /api/attention`. */
export const attentionOverviewAnswer = envelope(attentionOverview, { meta })
export type AttentionOverviewAnswer = z.infer<typeof attentionOverviewAnswer>
