import * as z from 'zod/mini'
import { envelope } from '../envelope.ts'
import { counted, decimal, meta, seconds } from './shared.ts'

/** The spans (days) that a consensus is compared over, and those that lapsing ratings are counted in. */
export const CHANGE_DAYS = [7, 30, 90] as const
export const CLIFF_DAYS = [7, 30] as const

/** How far ahead, a point a day, the consensus is worked out as it would be without renewals. */
export const PENDING_DAYS = 90

const consensusAt = { active: z.int(), consensus: z.nullable(decimal) }

/**
 * What a community thinks of a symbol at `meta.as_of`. `ratings` and `users` had been there by then. Decimals have 4
 * places, predictions that somebody gave their own 6. `agree` and `disagree` are the votes on the active ratings, as
 * last seen; `agreement_low` is the lower end of Wilson's interval (95 %) of the share that agreed. `changes` compare
 * with the consensus that many days before (null where fewer than 3 were active at either). `cliff`: how many expire
 * of themselves within that many days, and what would be left if nobody posted or renewed; `pending` what would be left
 * on each day from `as_of` on, which is its first. Renewals that came after `as_of` are not known at it, and no lapses.
 */
export const opinion = z.object({
  symbol: z.string(),
  ratings: z.int(),
  users: z.int(),
  first_created_at: seconds,
  last_created_at: seconds,
  last_user_id: z.int(),
  ...consensusAt,
  consensus_low: z.nullable(decimal),
  consensus_high: z.nullable(decimal),
  weighted: z.nullable(decimal),
  dispersion: z.nullable(decimal),
  prediction: z.object({
    mean: z.nullable(decimal),
    low: z.nullable(decimal),
    q1: z.nullable(decimal),
    median: z.nullable(decimal),
    q3: z.nullable(decimal),
    high: z.nullable(decimal),
  }),
  agree: z.int(),
  disagree: z.int(),
  agreement_low: z.nullable(decimal),
  by_rating: z.array(counted),
  by_action: z.array(counted),
  changes: z.array(z.object({ days: z.int(), ...consensusAt, change: z.nullable(decimal) })),
  cliff: z.array(z.object({ days: z.int(), lapsing: z.int(), ...consensusAt })),
  pending: z.array(z.object({ t: seconds, ...consensusAt })),
})
export type Opinion = z.infer<typeof opinion>

/** `GET /api/symbols/{symbol}/opinion`. */
export const opinionAnswer = envelope(opinion, { meta })
export type OpinionAnswer = z.infer<typeof opinionAnswer>
