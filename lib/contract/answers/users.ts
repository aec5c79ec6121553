import * as z from 'zod/mini'
import { userList } from '#lib/contract/lists/users.ts'
import { envelope, meta, pageInfo, seconds } from './envelope.ts'
import { USER_RATINGS_MAX } from './limits.ts'
import { toRowSchema } from './lists.ts'
import { ended } from './ratings.ts'
import { luck, priced } from './track.ts'

/** From `clusters` on null without prices; `rank` also below 5 clusters. */
export const userRow = toRowSchema(userList)
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
  first_created_at: seconds,
  last_created_at: seconds,
  by_symbol: z.array(userSymbol),
})
export type User = z.infer<typeof user>

export const userAnswer = envelope(user, { meta })
export type UserAnswer = z.infer<typeof userAnswer>

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
