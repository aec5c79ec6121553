import * as z from 'zod/mini'
import { MOVES } from '#lib/contract/moves.ts'
import { decimal, envelope, meta, seconds } from './envelope.ts'

/** Every decimal has 6 places. */
const change = z.nullable(decimal)

/**
 * Why the consensus of a symbol moved between two instants. Each event takes the mean of the active ratings from one value to the
 * next; the parts of a kind are summed exactly and rounded so that they add up to `change` to the last digit. While nobody is
 * active the last mean stands; where there was none at `from`, changes are null and events are only counted. `prediction_…` is
 * the same of the mean prediction. `parts` are of the kinds that there was an event of, in the order of {@link MOVES}.
 */
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

/** `GET /api/symbols/{symbol}/moves`. */
export const movesAnswer = envelope(moves, { meta })
export type MovesAnswer = z.infer<typeof movesAnswer>
