import * as z from 'zod/mini'
import { counted, decimal, envelope, meta, pageInfo, seconds } from './envelope.ts'

/**
 * One line of the league table, as of the instant that was asked for. `recent` were posted in the 90 days before it,
 * `activity` in each of the ACTIVITY_WEEKS weeks before it, the oldest first.
 * `agreement_low` is the lower end of Wilson's interval (95 %) of the share of votes that agreed; votes are known only as
 * last seen. `bias` is the mean distance of the user's active ratings from the consensus of the others on the symbol,
 * where at least 3 others are active: `bias_n` ratings.
 */
export const userRow = z.object({
  user_id: z.int(),
  ratings: z.int(),
  active: z.int(),
  symbols: z.int(),
  recent: z.int(),
  activity: z.array(z.int()),
  agree: z.int(),
  disagree: z.int(),
  agreement_low: z.nullable(decimal),
  bias: z.nullable(decimal),
  bias_n: z.int(),
  last_created_at: seconds,
})
export type UserRow = z.infer<typeof userRow>

/** `GET /api/users`. */
export const usersPage = envelope(z.array(userRow), { page: pageInfo, meta })
export type UsersPage = z.infer<typeof usersPage>

/** One user's standing on one symbol: how often rated, and the latest rating. */
export const userSymbol = z.object({
  symbol: z.string(),
  ratings: z.int(),
  rating: z.int(),
  rating_label: z.string(),
  prediction: z.string(),
  state: z.nullable(z.enum(['active', 'expired'])),
  last_created_at: seconds,
})
export type UserSymbol = z.infer<typeof userSymbol>

/**
 * One user, by the instant that was asked for. `recent`, `bias` and `bias_n` are those of the league table. `by_symbol`
 * holds the symbols most recently rated, at most 100; `symbols` counts them all.
 */
export const user = z.object({
  user_id: z.int(),
  ratings: z.int(),
  active: z.int(),
  symbols: z.int(),
  recent: z.int(),
  first_created_at: seconds,
  last_created_at: seconds,
  avg_rating: decimal,
  avg_prediction: decimal,
  agree: z.int(),
  disagree: z.int(),
  agreement_low: z.nullable(decimal),
  bias: z.nullable(decimal),
  bias_n: z.int(),
  by_rating: z.array(counted),
  by_action: z.array(counted),
  by_symbol: z.array(userSymbol),
})
export type User = z.infer<typeof user>

/** `GET /api/users/{id}`. */
export const userAnswer = envelope(user, { meta })
export type UserAnswer = z.infer<typeof userAnswer>
