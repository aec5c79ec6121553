import * as z from 'zod/mini'
import { envelope } from '../envelope.ts'
import { decimal, meta, pageInfo, seconds } from './shared.ts'

/** How many instants a league table's sparkline has, and how far apart they are: the last is `as_of`. */
export const SPARK_POINTS = 27
export const SPARK_STEP_SECONDS = 14 * 86_400

/** From so many active ratings on a consensus is drawn, or compared with an earlier one. */
export const CONSENSUS_MIN = 3

/** How many imagined opinions that did not move stand beside those that did, where changes are ranked. */
export const UNMOVED = 5

/**
 * One line of the league table, as of the instant that was asked for; `ratings` had been posted by then. Over the
 * active ratings: `consensus` with the bounds that it is ranked by (docs/opinion.md), `change_30d` against the
 * consensus 30 days before (null where fewer than CONSENSUS_MIN were active at either) and `change_shrunk`, by which it is
 * ranked, `avg_prediction` and
 * `prediction_shrunk`, by which it is ranked, `dispersion` (standard deviation) and `spark`, the consensus every two
 * weeks (null where fewer than CONSENSUS_MIN were active). All decimals have 4 places.
 */
export const symbolRow = z.object({
  symbol: z.string(),
  ratings: z.int(),
  active: z.int(),
  consensus: z.nullable(decimal),
  consensus_low: z.nullable(decimal),
  consensus_high: z.nullable(decimal),
  change_30d: z.nullable(decimal),
  change_shrunk: z.nullable(decimal),
  avg_prediction: z.nullable(decimal),
  prediction_shrunk: z.nullable(decimal),
  dispersion: z.nullable(decimal),
  first_created_at: seconds,
  last_created_at: seconds,
  spark: z.array(z.nullable(decimal)),
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
