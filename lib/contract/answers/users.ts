import * as z from 'zod/mini'
import { counted, decimal, envelope, meta, pageInfo, seconds } from './envelope.ts'
import { USER_RATINGS_MAX } from './limits.ts'
import { ended } from './ratings.ts'
import { luck, priced } from './track.ts'

/**
 * What a league says of a user's record within a horizon, as a track record has it: over `clusters`; `rank` from 5 of them
 * on. All of it is null where there are no prices.
 */
const standing = {
  clusters: z.nullable(z.int()),
  hit_rate: z.nullable(decimal),
  hit_low: z.nullable(decimal),
  hit_high: z.nullable(decimal),
  rank: z.nullable(z.int()),
  excess: z.nullable(decimal),
  excess_low: z.nullable(decimal),
  excess_high: z.nullable(decimal),
}
export type Standing = { [K in keyof typeof standing]: z.infer<(typeof standing)[K]> }

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
  ...standing,
})
export type UserRow = z.infer<typeof userRow>

/** Within how many days calls are scored, how many users can be told from a coin, and by which prices. */
const standings = z.object({ horizon: z.int(), luck, prices: priced })

/** `GET /api/users`. */
export const usersPage = envelope(z.array(userRow), { page: pageInfo, standings, meta })
export type UsersPage = z.infer<typeof usersPage>

/** One user's standing on one symbol: how often rated, and the latest rating. */
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

/** How many of a user's latest ratings are judged for distance and lead. */
export const JUDGED_MAX = 500

/**
 * One rating in a user's row of a symbol: it counted from `created_at` to `until` (null: it still does, for ever). Where
 * it had expired before it was posted, `until` is not after `created_at` and it never counted.
 */
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

/**
 * The symbols most recently rated, each with its ratings in order, of which the latest {@link USER_RATINGS_MAX} are
 * listed; `symbols_total`, `calls_total` count them all.
 */
export const userRatings = z.object({
  symbols: z.array(z.object({ symbol: z.string(), calls: z.array(userRating) })),
  symbols_total: z.int(),
  calls_total: z.int(),
})
export type UserRatings = z.infer<typeof userRatings>

/** `GET /api/users/{id}/calls`. */
export const userRatingsAnswer = envelope(userRatings, { meta })
export type UserRatingsAnswer = z.infer<typeof userRatingsAnswer>

/**
 * How near a user's ratings came to the mean of the others `LATER_DAYS` later, of all that are `old` enough at the
 * beginning of the day (UTC) of `as_of` and on whose symbol at least 3 others were active then: `n`, and the `mean` of the
 * distances without their signs. `band`: the other `users` with a similar number of such ratings, at least half and at
 * most twice as many, or where they are fewer than `PEERS_LEAST`, so many with the nearest numbers by ratio (and whoever is
 * as near as the last): they have `from` to `to`, and so many of them are `farther` from it. Nobody with fewer than
 * `JUDGED_LEAST` is compared: then `mean` and `band` are null.
 */
const closeness = z.object({
  old: z.int(),
  n: z.int(),
  mean: z.nullable(decimal),
  band: z.nullable(z.object({ from: z.int(), to: z.int(), users: z.int(), farther: z.int() })),
})
export type Closeness = z.infer<typeof closeness>

/**
 * What can be judged of a user without prices, by `as_of`.
 *
 * Where others are judged, the {@link JUDGED_MAX} latest ratings are: `judged` of them. *Others* are the ratings on the
 * symbol by other users that came before it (by `created_at`, then `id`) and were active at its instant.
 *
 * `distance`: rating minus the mean of the others, where there are at least 3: `n` ratings. `mean` keeps the sign, `size`
 * does not; `gaps` counts the distances rounded to whole steps, half away from zero. Each distance is rounded to nine
 * places, the means of them to four.
 *
 * `lead`: of those `n` whose distance is not 0, that are at least 30 days old, and on whose symbol at least 3 others are
 * active 30 days later, how many saw the mean of the others move towards them by then, away, or not at all. `chance` is
 * the share that would be `towards` if a coin had drawn the direction of each that moved: (towards + away) / 2n.
 *
 * `persistence`, of all ratings that have `ended`: `renewed` by the user's next rating no later than they expired or were
 * not listed any more, `returned` to after that, `lapsed` with none since; `never` had expired before they were posted.
 *
 * `activity` are the days (UTC) with ratings among the 371 (53 weeks) up to and with that of `as_of`, each by its first
 * instant.
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

/** `GET /api/users/{id}/record`. */
export const recordAnswer = envelope(record, { meta })
export type RecordAnswer = z.infer<typeof recordAnswer>
