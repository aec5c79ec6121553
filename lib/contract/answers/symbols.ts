import * as z from 'zod/mini'
import { decimal, envelope, meta, pageInfo, seconds } from './envelope.ts'

/** What a symbol is called; null where nobody says. */
const symbolName = z.nullable(z.string())

/**
 * Look-ups in the 7 and in the 30 days before what is known of them ends, and the share (6 places) of all in those 30. `is_busy`: the 7 days hold
 * more than chance brings (docs/lookups.md). Null where there are no look-ups to count, `is_busy` also where they do not reach back far enough.
 */
const leagueAttention = z.object({
  lookups_7d: z.nullable(z.int()),
  lookups_30d: z.nullable(z.int()),
  lookups_share: z.nullable(decimal),
  is_busy: z.nullable(z.boolean()),
})
export type LeagueAttention = z.infer<typeof leagueAttention>

/**
 * One line of the league table, as of the instant that was asked for; `ratings` had been posted by then. `name` is what an operator calls it. Over the
 * active ratings: `consensus` with the bounds that it is ranked by (docs/opinion.md), `change_30d` against the
 * consensus 30 days before (null where fewer than CONSENSUS_MIN were active at either) and `change_shrunk`, by which it is
 * ranked, `avg_prediction` and
 * `prediction_shrunk`, by which it is ranked, `dispersion` (standard deviation) and `spark`, the consensus every two
 * weeks (null where fewer than CONSENSUS_MIN were active). All decimals have 4 places.
 */
export const symbolRow = z.object({
  symbol: z.string(),
  name: symbolName,
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
  ...leagueAttention.shape,
  spark: z.array(z.nullable(decimal)),
})
export type SymbolRow = z.infer<typeof symbolRow>

/** What the ratings say of it: names are an operator's, and look-ups lie elsewhere. */
export type UnnamedSymbolRow = Omit<SymbolRow, 'name' | keyof LeagueAttention>

/** `GET /api/symbols`. */
export const symbolsPage = envelope(z.array(symbolRow), { page: pageInfo, meta })
export type SymbolsPage = z.infer<typeof symbolsPage>

const tallyOrRatio = decimal

/**
 * The active ratings of a symbol at the last second of a UTC day (for today: now): how many, their mean rating
 * (4 decimals) and prediction (6), how many of each rating and action, and each action's share (4). All but the
 * symbol and its name are decimals as strings; means are null where nothing is active.
 */
export const aggregate = z.object({
  day: z.string(),
  symbol: z.string(),
  name: symbolName,
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
export type UnnamedAggregate = Omit<Aggregate, 'name'>

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

const changed = z.object({ symbol: z.string(), count: z.int() })

/** How many ratings there are since the first one. */
export const newSymbol = z.object({
  symbol: z.string(),
  first_created_at: seconds,
  ratings: z.int(),
})

/** Votes on its active ratings, and at least which share disagrees. */
export const contestedSymbol = z.object({
  symbol: z.string(),
  agree: z.int(),
  disagree: z.int(),
  disagreement_low: decimal,
})

/** How many of its active ratings expire of themselves, at least which share, and the consensus with them and without. */
export const expiringSymbol = z.object({
  symbol: z.string(),
  active: z.int(),
  lapsing: z.int(),
  lapsing_low: decimal,
  consensus: decimal,
  left: z.nullable(decimal),
})

/**
 * What happened lately, each list with the most notable first. `upgraded` and `downgraded` count the ratings labelled so
 * within the 7 days before `as_of` (from `since` on); `moves` are the largest changes of consensus over those 7 days
 * among symbols with at least 3 active ratings at both ends, those of largest |change| · n / (n + 5) with n the fewer of
 * both, in order of |change|; `newest` the symbols first rated last; `contested` those whose active ratings are disagreed with most, by the lower end of Wilson's interval (95 %) of the share of votes, as
 * last seen; `cliffs` those of at least 3 active ratings that rest most on ratings that expire of themselves within 30
 * days, by the lower end of Wilson's interval of their share, with what would be left of it if nobody renewed (`left`).
 */
export const overview = z.object({
  since: seconds,
  upgraded: z.array(changed),
  downgraded: z.array(changed),
  moves: z.array(
    z.object({
      symbol: z.string(),
      active: z.int(),
      before: decimal,
      consensus: decimal,
      change: decimal,
    }),
  ),
  newest: z.array(newSymbol),
  contested: z.array(contestedSymbol),
  cliffs: z.array(expiringSymbol),
})
export type Overview = z.infer<typeof overview>

/** `GET /api/overview`. */
export const overviewAnswer = envelope(overview, { meta })
export type OverviewAnswer = z.infer<typeof overviewAnswer>
