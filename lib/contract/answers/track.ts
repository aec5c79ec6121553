import * as z from 'zod/mini'
import { HORIZONS } from '#lib/contract/horizons.ts'
import { callList } from '#lib/contract/lists/calls.ts'
import type { RowOf } from '#lib/contract/lists/define-list.ts'
import { decimal, envelope, meta, pageInfo } from './envelope.ts'
import { toRowSchema } from './lists.ts'

const horizon = z.literal([...HORIZONS])
const day = z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/))

/** `clusters`: overlapping scored calls of a user on a symbol count once. */
const counts = {
  calls: z.int(),
  scored: z.int(),
  open: z.int(),
  hold: z.int(),
  no_price: z.int(),
  no_entry: z.int(),
  jump: z.int(),
  clusters: z.int(),
}

/**
 * Over clusters, 6 places. Wilson's interval of `hit_rate`, Student's of `excess` (null below 5).
 */
const rates = {
  hit_rate: z.nullable(decimal),
  hit_low: z.nullable(decimal),
  hit_high: z.nullable(decimal),
  excess: z.nullable(decimal),
  excess_low: z.nullable(decimal),
  excess_high: z.nullable(decimal),
}

const tally = z.object({ ...counts, ...rates })
export type Tally = z.infer<typeof tally>

/** One of ten equal groups. Fractions, 6 places. */
const calibrationGroup = z.object({
  calls: z.int(),
  prediction: decimal,
  return: decimal,
  return_low: z.nullable(decimal),
  return_high: z.nullable(decimal),
})

/** `slope`: least squares of return on prediction. */
const calibration = z.object({
  calls: z.int(),
  zero: z.int(),
  error: z.nullable(decimal),
  slope: z.nullable(decimal),
  groups: z.array(calibrationGroup),
})
export type Calibration = z.infer<typeof calibration>

/** `benchmark` null: mean of all symbols. */
export const priced = z.object({
  symbols: z.int(),
  first_day: z.nullable(day),
  last_day: z.nullable(day),
  benchmark: z.nullable(z.string()),
})
export type Priced = z.infer<typeof priced>

/** `rank`: by `hit_low`. */
export const track = z.object({
  horizon,
  ...counts,
  ...rates,
  rank: z.nullable(z.int()),
  ranked: z.int(),
  prices: priced,
})
export type Track = z.infer<typeof track>

export const trackAnswer = envelope(track, { meta })
export type TrackAnswer = z.infer<typeof trackAnswer>

/** `expected*`: by luck alone. */
export const luck = z.object({
  ranked: z.int(),
  beat: z.int(),
  expected: decimal,
  worse: z.int(),
  expected_worse: decimal,
})
export type Luck = z.infer<typeof luck>

const communityRecord = z.object({
  horizon,
  ...counts,
  ...rates,
  by_label: z.array(z.object({ rating: z.int(), label: z.string(), ...counts, ...rates })),
  by_year: z.array(z.object({ year: z.int(), ...counts, ...rates })),
  calibration,
  users: z.int(),
  prices: priced,
})
export type CommunityRecord = z.infer<typeof communityRecord>

export const communityRecordAnswer = envelope(communityRecord, { meta })

export type Call = RowOf<typeof callList>

export const callsPage = envelope(z.array(toRowSchema(callList)), { page: pageInfo, meta })
export type CallsPage = z.infer<typeof callsPage>
