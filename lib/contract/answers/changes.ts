import * as z from 'zod/mini'
import { MOVES } from '#lib/contract/moves.ts'
import { decimal, envelope, meta, seconds } from './envelope.ts'
import { moves } from './moves.ts'

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
