import * as z from 'zod/mini'
import { MOVES } from '#lib/contract/moves.ts'
import { decimal, envelope, meta, seconds } from './envelope.ts'
import { moves } from './symbols.ts'

export const REPORT_LINES = 10

const contestedSymbol = z.object({
  symbol: z.string(),
  agree: z.int(),
  disagree: z.int(),
  disagreement_low: decimal,
})

/** `lapsing`: ratings about to expire. `left`: the consensus without them. */
const expiringSymbol = z.object({
  symbol: z.string(),
  active: z.int(),
  lapsing: z.int(),
  lapsing_low: decimal,
  consensus: decimal,
  left: z.nullable(decimal),
})

/**
 * Changes in `[from, to)`; `active_*` just before either instant. `lapsing`: expiring within
 * another such period.
 */
export const changes = z.object({
  from: seconds,
  to: seconds,
  ratings: z.int(),
  users: z.int(),
  symbols: z.int(),
  new_users: z.int(),
  active_from: z.int(),
  active_to: z.int(),
  events: z.array(z.object({ kind: z.enum(MOVES), events: z.int(), symbols: z.int() })),
  moves: z.array(moves),
  minds: z.array(
    z.object({
      id: z.int(),
      user_id: z.int(),
      symbol: z.string(),
      before: z.int(),
      rating: z.int(),
      created_at: seconds,
    }),
  ),
  lapsed: z.array(z.object({ symbol: z.string(), events: z.int(), active: z.int() })),
  lapsing_by: seconds,
  lapsing: z.array(expiringSymbol),
  contested: z.array(contestedSymbol),
})
export type Changes = z.infer<typeof changes>

export const changesAnswer = envelope(changes, { meta })

/** `ratings` includes ended ones, so it never falls for a symbol or user. */
const held = {
  ratings: z.int(),
  newest: z.array(z.int()),
  last_created_at: z.nullable(seconds),
}

/** Mean of the active ratings, 4 places. */
const consensus = z.nullable(decimal)

/** In the requested order. */
export const watching = z.object({
  symbols: z.array(
    z.object({
      symbol: z.string(),
      name: z.nullable(z.string()),
      ...held,
      active: z.int(),
      consensus,
    }),
  ),
  users: z.array(
    z.object({
      user_id: z.int(),
      ...held,
    }),
  ),
  views: z.array(z.object({ view: z.string(), ...held })),
})
export type Watching = z.infer<typeof watching>

export type UnnamedWatching = Omit<Watching, 'symbols'> & {
  symbols: Omit<Watching['symbols'][number], 'name'>[]
}

export const watchingAnswer = envelope(watching, { meta })
export type WatchingAnswer = z.infer<typeof watchingAnswer>
