import * as z from 'zod/mini'
import { decimal, envelope, meta, seconds } from './envelope.ts'

/**
 * What can happen to the active ratings of a symbol, by what is so and not by what a rating says of itself. `initiated`: a user's
 * first rating on the symbol; `returned`: one of a user whose earlier ones had ended; `upgraded`, `downgraded`, `reiterated`: one
 * that takes the place of the user's active one, which was lower, higher, equal; `lapsed`: one ended; `vanished`: it ended because
 * the service lists it no more.
 */
export const MOVES = [
  'initiated',
  'returned',
  'upgraded',
  'downgraded',
  'reiterated',
  'lapsed',
  'vanished',
] as const
export type MoveKind = (typeof MOVES)[number]

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
