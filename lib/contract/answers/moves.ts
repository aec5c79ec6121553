import * as z from 'zod/mini'
import { MOVES } from '#lib/contract/moves.ts'
import { decimal, envelope, meta, seconds } from './envelope.ts'

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
