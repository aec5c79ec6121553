import * as z from 'zod/mini'
import { decimal, envelope, meta, seconds } from './envelope.ts'

/** `usual`: mean of the previous 28 days by weekday, 2 places. */
const busySymbol = z.object({
  symbol: z.string(),
  lookups: z.int(),
  usual: decimal,
  active: z.int(),
})

/** `ratio`: share of 30-day look-ups over share of active ratings; null without ratings. */
const comparedSymbol = z.object({
  symbol: z.string(),
  lookups: z.int(),
  active: z.int(),
  ratio: z.nullable(decimal),
})

/** Bootstrap, 2,000 draws. Null below 5 symbols. */
const medianRatio = z.object({
  median: z.nullable(decimal),
  low: z.nullable(decimal),
  high: z.nullable(decimal),
})

/**
 * Look-ups in the 7 days before a change, relative to the usual. `placebo`: before equally many
 * random instants.
 */
const beforeChanges = z.object({
  changes: z.int(),
  symbols: z.int(),
  ...medianRatio.shape,
  placebo: medianRatio,
  is_told: z.boolean(),
})
export type BeforeChanges = z.infer<typeof beforeChanges>

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

export const attentionOverviewAnswer = envelope(attentionOverview, { meta })
