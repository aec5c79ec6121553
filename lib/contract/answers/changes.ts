import * as z from 'zod/mini'
import { MOVES } from '#lib/contract/moves.ts'
import { QUALITIES } from '#lib/contract/quality.ts'
import { envelope, meta, seconds } from './envelope.ts'
import { moves } from './moves.ts'
import { contestedSymbol, expiringSymbol, newSymbol } from './symbols.ts'

/** How many lines each list of a report has at most. */
export const REPORT_LINES = 10

/**
 * What changed from `from` on and before `to`. `active_from` and `active_to` are the ratings that were active just before
 * either. `events` are what happened to active ratings, by kind, each with how many symbols it happened to; `moves` the
 * largest changes of consensus, chosen as in the overview of symbols and the largest first, each with all of its parts;
 * `minds` the ratings that took the place of one farthest away from them on the scale, of equal ones the latest first; `lapsed` the symbols of which
 * most ratings ended without another in their place; `lapsing` those that rest most on ratings which expire before
 * `lapsing_by`, as long after `to` as the period lasts; `contested` those whose active ratings were disagreed with most, by
 * the votes that are known now; `newest` those that were first rated in the period; `contradictions` how many of the
 * ratings that were posted fall under each lens. Lists have at most {@link REPORT_LINES} lines.
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
  newest: z.array(newSymbol),
  contradictions: z.array(z.object({ quality: z.enum(QUALITIES), ratings: z.int() })),
})
export type Changes = z.infer<typeof changes>

/** `GET /api/changes`. */
export const changesAnswer = envelope(changes, { meta })
export type ChangesAnswer = z.infer<typeof changesAnswer>
