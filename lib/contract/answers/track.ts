import * as z from 'zod/mini'
import { HORIZONS } from '#lib/contract/horizons.ts'
import { callList } from '#lib/contract/lists/calls.ts'
import type { RowOf } from '#lib/contract/lists/define-list.ts'
import { decimal, envelope, meta, pageInfo } from './envelope.ts'
import { toRowSchema } from './lists.ts'

const horizon = z.literal([...HORIZONS])
const day = z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/))

/**
 * How many calls a set holds, and what became of them. `clusters` are the scored ones that tell a thing of their own: calls of one
 * user on one symbol whose windows overlap are one. `calls` is the sum of the five outcomes.
 */
const counts = {
  calls: z.int(),
  scored: z.int(),
  open: z.int(),
  hold: z.int(),
  no_price: z.int(),
  no_entry: z.int(),
  clusters: z.int(),
}

/**
 * Rates over clusters, each of weight one, 6 places. `hit_low` and `hit_high` are Wilson's interval (95 %), null over no
 * cluster; `excess` is the mean signed excess, with Student's interval (95 %) from 5 clusters on.
 */
const rates = {
  hit_rate: z.nullable(decimal),
  hit_low: z.nullable(decimal),
  hit_high: z.nullable(decimal),
  excess: z.nullable(decimal),
  excess_low: z.nullable(decimal),
  excess_high: z.nullable(decimal),
}

/** What can be said of any set of calls. */
const tally = z.object({ ...counts, ...rates })
export type Tally = z.infer<typeof tally>

/** One of ten equal groups of scored calls with a prediction other than 0, by prediction; fractions, 6 places. */
const calibrationGroup = z.object({
  calls: z.int(),
  prediction: decimal,
  return: decimal,
  return_low: z.nullable(decimal),
  return_high: z.nullable(decimal),
})

/** `zero` predictions are left out. `slope` is of returns over predictions by least squares, null under two calls. */
const calibration = z.object({
  calls: z.int(),
  zero: z.int(),
  error: z.nullable(decimal),
  slope: z.nullable(decimal),
  groups: z.array(calibrationGroup),
})
export type Calibration = z.infer<typeof calibration>

/** Where prices come from, as far as a record needs them; `benchmark` null is the mean of all symbols. */
export const priced = z.object({
  symbols: z.int(),
  first_day: z.nullable(day),
  last_day: z.nullable(day),
  benchmark: z.nullable(z.string()),
})
export type Priced = z.infer<typeof priced>

/**
 * A user's track record. `rank` among `ranked` users, those with at least 5 clusters, by the lower end of the interval; null where
 * the user has fewer. `luck` is the share of coins that would do as well or better; `everybody` the hit rate of all.
 */
export const track = z.object({
  horizon,
  ...counts,
  ...rates,
  rank: z.nullable(z.int()),
  ranked: z.int(),
  luck: z.nullable(decimal),
  everybody: z.nullable(decimal),
  calibration,
  prices: priced,
})
export type Track = z.infer<typeof track>

/** `GET /api/users/{id}/track`. */
export const trackAnswer = envelope(track, { meta })
export type TrackAnswer = z.infer<typeof trackAnswer>

/**
 * Of `ranked` users, `beat` have an interval of the hit rate above a half, `worse` below it; of as many coins `expected` and
 * `expected_worse` would by luck alone.
 */
export const luck = z.object({
  ranked: z.int(),
  beat: z.int(),
  expected: decimal,
  worse: z.int(),
  expected_worse: decimal,
})
export type Luck = z.infer<typeof luck>

/**
 * What would have come of following each symbol's consensus from every month's end on: `calls` are so many consensuses,
 * scored as ratings are: those that count are of `symbols` at the ends of `months`; `buy` and `sell` are those that said so.
 */
const followed = z.object({
  symbols: z.int(),
  months: z.int(),
  ...counts,
  ...rates,
  buy: tally,
  sell: tally,
})
export type FollowedConsensus = z.infer<typeof followed>

/** The whole community's record. */
const communityRecord = z.object({
  horizon,
  ...counts,
  ...rates,
  by_label: z.array(z.object({ rating: z.int(), label: z.string(), ...counts, ...rates })),
  by_horizon: z.array(z.object({ horizon, ...counts, ...rates })),
  by_year: z.array(z.object({ year: z.int(), ...counts, ...rates })),
  calibration,
  luck,
  followed,
  users: z.int(),
  prices: priced,
})
export type CommunityRecord = z.infer<typeof communityRecord>

/** `GET /api/record`. */
export const communityRecordAnswer = envelope(communityRecord, { meta })
export type CommunityRecordAnswer = z.infer<typeof communityRecordAnswer>

export type Call = RowOf<typeof callList>

/** `GET /api/calls`: a page of them. */
export const callsPage = envelope(z.array(toRowSchema(callList)), { page: pageInfo, meta })
export type CallsPage = z.infer<typeof callsPage>
