import * as z from 'zod/mini'
import { userList } from '#lib/contract/lists/users.ts'
import { counted, decimal, envelope, meta, pageInfo, seconds } from './envelope.ts'
import { USER_RATINGS_MAX } from './limits.ts'
import { toRowSchema } from './lists.ts'
import { ended } from './ratings.ts'
import { luck, priced } from './track.ts'

/**
 * `agreement_low`: lower bound of Wilson's interval. `bias`: mean distance from the consensus of at
 * least 3 others. From `clusters` on null without prices; `rank` also below 5 clusters.
 */
export const userRow = z.extend(toRowSchema(userList), { activity: z.array(z.int()) })
export type UserRow = z.infer<typeof userRow>

export type Standing = Pick<
  UserRow,
  | 'clusters'
  | 'hit_rate'
  | 'hit_low'
  | 'hit_high'
  | 'rank'
  | 'excess'
  | 'excess_low'
  | 'excess_high'
>

const standings = z.object({ horizon: z.int(), luck, prices: priced })

export const usersPage = envelope(z.array(userRow), { page: pageInfo, standings, meta })
export type UsersPage = z.infer<typeof usersPage>

export const userSymbol = z.object({
  symbol: z.string(),
  ratings: z.int(),
  rating: z.int(),
  rating_label: z.string(),
  prediction: z.string(),
  state: z.nullable(z.enum(['active', 'expired'])),
  ended,
  last_created_at: seconds,
})
export type UserSymbol = z.infer<typeof userSymbol>

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

export const userAnswer = envelope(user, { meta })
export type UserAnswer = z.infer<typeof userAnswer>

export const JUDGED_MAX = 500

/** Active from `created_at` to `until` (null: forever); never, if `until` is not later. */
export const userRating = z.object({
  id: z.int(),
  created_at: seconds,
  until: z.nullable(seconds),
  rating: z.int(),
  rating_label: z.string(),
  action: z.int(),
  action_label: z.string(),
  prediction: z.string(),
  ended,
})
export type UserRating = z.infer<typeof userRating>

/** At most {@link USER_RATINGS_MAX} ratings; the totals count all. */
export const userRatings = z.object({
  symbols: z.array(z.object({ symbol: z.string(), calls: z.array(userRating) })),
  symbols_total: z.int(),
  calls_total: z.int(),
})
export type UserRatings = z.infer<typeof userRatings>

export const userRatingsAnswer = envelope(userRatings, { meta })
export type UserRatingsAnswer = z.infer<typeof userRatingsAnswer>

/**
 * Distance from the mean of at least 3 others `LATER_DAYS` later. `band`: peers with a similar `n`.
 * Null below `JUDGED_LEAST`.
 */
const closeness = z.object({
  old: z.int(),
  n: z.int(),
  mean: z.nullable(decimal),
  band: z.nullable(z.object({ from: z.int(), to: z.int(), users: z.int(), farther: z.int() })),
})
export type Closeness = z.infer<typeof closeness>

/**
 * `distance`: from the mean of at least 3 earlier active ratings of other users; `mean` is signed,
 * `size` absolute, `gaps` round half away from zero. `lead.chance`: (towards + away) / 2n. `never`:
 * expired before they were posted.
 */
export const record = z.object({
  judged: z.int(),
  distance: z.object({
    n: z.int(),
    mean: z.nullable(decimal),
    size: z.nullable(decimal),
    gaps: z.array(z.object({ gap: z.int(), count: z.int() })),
  }),
  lead: z.object({
    n: z.int(),
    towards: z.int(),
    away: z.int(),
    still: z.int(),
    chance: z.nullable(decimal),
  }),
  closeness,
  persistence: z.object({
    ended: z.int(),
    renewed: z.int(),
    returned: z.int(),
    lapsed: z.int(),
    never: z.int(),
  }),
  activity: z.array(z.object({ day: seconds, count: z.int() })),
})
export type UserRecord = z.infer<typeof record>

export const recordAnswer = envelope(record, { meta })
export type RecordAnswer = z.infer<typeof recordAnswer>
