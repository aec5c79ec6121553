import * as z from 'zod/mini'
import { ANSWERED_BUCKETS } from '#lib/contract/api-queries.ts'
import { symbolList } from '#lib/contract/lists/symbols.ts'
import { MOVES } from '#lib/contract/moves.ts'
import { decimal, envelope, meta, pageInfo, seconds } from './envelope.ts'
import { toRowSchema } from './lists.ts'

const symbolName = z.nullable(z.string())

/**
 * Over active ratings, 4 places. `consensus_low`/`_high`, `change_shrunk` and `prediction_shrunk`
 * are sort keys (docs/definitions.md). `change_30d` and points of `spark` are null below
 * CONSENSUS_MIN. `lookups_30d` is null without look-ups.
 */
export const symbolRow = z.extend(toRowSchema(symbolList), {
  spark: z.array(z.nullable(decimal)),
})
export type SymbolRow = z.infer<typeof symbolRow>

export type UnnamedSymbolRow = Omit<SymbolRow, 'name'>

export const symbolsPage = envelope(z.array(symbolRow), { page: pageInfo, meta })
export type SymbolsPage = z.infer<typeof symbolsPage>

/** Over active ratings, 4 places. `change` is null below CONSENSUS_MIN at either end. */
export const mapCell = z.object({
  symbol: z.string(),
  name: symbolName,
  sector: z.nullable(z.string()),
  active: z.int(),
  consensus: decimal,
  change: z.nullable(decimal),
})
export type MapCell = z.infer<typeof mapCell>

/** Most active ratings first, at most MAP_SYMBOLS_MAX of `meta.symbols`. */
export const symbolMapAnswer = envelope(z.array(mapCell), {
  meta: z.extend(meta, { symbols: z.int() }),
})

export type SymbolMapAnswer = z.infer<typeof symbolMapAnswer>

const tallyOrRatio = decimal

/** At the last second of a UTC day. 4 places, `avg_prediction` 6; null without active ratings. */
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

/** `meta` counts are over all time. */
export const aggregateAnswer = envelope(aggregate, {
  meta: z.extend(meta, {
    ratings: z.int(),
    users: z.int(),
    first_created_at: seconds,
    last_created_at: seconds,
  }),
})

/**
 * `moves` need 3 active ratings at both ends and are selected by |change| · n / (n + 5), n being
 * the smaller count.
 */
export const movers = z.object({
  since: seconds,
  moves: z.array(
    z.object({
      symbol: z.string(),
      active: z.int(),
      before: decimal,
      consensus: decimal,
      change: decimal,
    }),
  ),
})
export type Movers = z.infer<typeof movers>

export const moversAnswer = envelope(movers, { meta })
export type MoversAnswer = z.infer<typeof moversAnswer>

/** 6 places. */
const change = z.nullable(decimal)

/** Parts add up exactly to `change`; null if there was no mean at `from`. */
export const moves = z.object({
  symbol: z.string(),
  from: seconds,
  to: seconds,
  consensus_from: change,
  consensus_to: change,
  change,
  prediction_from: change,
  prediction_to: change,
  prediction_change: change,
  active_from: z.int(),
  active_to: z.int(),
  parts: z.array(
    z.object({ kind: z.enum(MOVES), events: z.int(), change, prediction_change: change }),
  ),
})
export type Moves = z.infer<typeof moves>

export const movesAnswer = envelope(moves, { meta })

const day = z.string()

/** `spike`: a close that is not used; `jump`: calls across it do not count. */
const priceFlag = z.object({ date: day, factor: decimal, kind: z.enum(['spike', 'jump']) })

/** 6 places. */
const priceSeries = z.object({
  symbol: z.string(),
  bucket: z.enum(ANSWERED_BUCKETS),
  prices: z.int(),
  points: z.array(z.object({ t: seconds, date: day, close: decimal })),
  flags: z.array(priceFlag),
})
export type PriceSeries = z.infer<typeof priceSeries>

export const pricesAnswer = envelope(priceSeries, { meta })
