import * as z from 'zod/mini'
import { envelope } from '../envelope.ts'
import { quality, ratingRow } from './ratings.ts'
import { meta, seconds } from './shared.ts'

const isObject = (value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * A rating with all that is known of it. `effective_until` is the first second at which it is not active any more, null
 * where nothing ends it; `quality` are the lenses that it falls under; `extra` holds the fields that the specification does not know, null where there are none.
 */
export const ratingDetail = z.extend(ratingRow, {
  effective_until: z.nullable(seconds),
  quality: z.array(quality),
  extra: z.nullable(z.custom<Readonly<Record<string, unknown>>>(isObject)),
})
export type RatingDetail = z.infer<typeof ratingDetail>

/** One of the member's ratings on the symbol. */
export const historyItem = z.pick(ratingRow, {
  id: true,
  created_at: true,
  rating: true,
  rating_label: true,
  action: true,
  action_label: true,
  prediction: true,
  expired_at: true,
  state: true,
})
export type HistoryItem = z.infer<typeof historyItem>

/**
 * The member's ratings on the symbol in the order in which they followed each other, this one among them: `total` in
 * all, `before` of them older than the first of `ratings`.
 */
export const ratingHistory = z.object({
  total: z.int(),
  before: z.int(),
  ratings: z.array(historyItem),
})
export type RatingHistory = z.infer<typeof ratingHistory>

/** `GET /api/ratings/{id}`. */
export const ratingAnswer = envelope(ratingDetail, { history: ratingHistory, meta })
export type RatingAnswer = z.infer<typeof ratingAnswer>
