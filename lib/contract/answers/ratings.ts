import * as z from 'zod/mini'
import { ratingList } from '#lib/contract/lists/ratings.ts'
import { QUALITIES } from '#lib/contract/quality.ts'
import { rating } from '#lib/contract/rating.ts'
import { counted, decimal, envelope, meta, pageInfo, seconds } from './envelope.ts'
import { toCountSchemas } from './lists.ts'

/** What ended the rating first, by `as_of`; ties in this order. Null: nothing yet. */
export const ended = z.nullable(z.enum(['expired', 'vanished', 'renewed']))
export type Ended = z.infer<typeof ended>

/**
 * `state` is null if the rating was posted after `as_of`, `vanished_at` while the service lists it.
 */
export const ratingRow = z.extend(rating, {
  previous_rating: z.nullable(z.int()),
  previous_prediction: z.nullable(z.string()),
  state: z.nullable(z.enum(['active', 'expired'])),
  vanished_at: z.nullable(seconds),
  ended,
})
export type RatingRow = z.infer<typeof ratingRow>

export const ratingsPage = envelope(z.array(ratingRow), {
  page: pageInfo,
  meta: z.extend(meta, { all: z.int() }),
})
export type RatingsPage = z.infer<typeof ratingsPage>

const countOf = <T extends z.core.$ZodType>(value: T) =>
  z.array(z.object({ value, count: z.int() }))

const { distinct, ...counts } = toCountSchemas(ratingList)

const instantBin = z.object({
  from: seconds,
  to: seconds,
  count: z.int(),
  ratings: countOf(z.int()),
})
const decimalBin = z.object({ from: decimal, to: decimal, count: z.int() })

/** Half-open bins, except the last of `prediction`. `bounds` cover all ratings. */
export const facets = z.object({
  rating: z.array(counted),
  action: z.array(counted),
  state: countOf(z.enum(['active', 'expired'])),
  ...counts,
  distinct,
  created: z.array(instantBin),
  prediction: z.array(decimalBin),
  quality: z.array(z.object({ value: z.enum(QUALITIES), label: z.string(), count: z.int() })),
  bounds: z.object({
    created: z.nullable(z.object({ from: seconds, to: seconds })),
    prediction: z.nullable(z.object({ min: decimal, max: decimal })),
  }),
})
export type Facets = z.infer<typeof facets>

export const facetsAnswer = envelope(facets, { meta })

const isObject = (value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** `effective_until`: first inactive second; null if it never ends. */
export const ratingDetail = z.extend(ratingRow, {
  effective_until: z.nullable(seconds),
  extra: z.nullable(z.custom<Readonly<Record<string, unknown>>>(isObject)),
})
export type RatingDetail = z.infer<typeof ratingDetail>

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

/** Oldest first. `before`: how many older ones are not listed. */
export const ratingHistory = z.object({
  total: z.int(),
  before: z.int(),
  ratings: z.array(historyItem),
})
export type RatingHistory = z.infer<typeof ratingHistory>

export const ratingAnswer = envelope(ratingDetail, { history: ratingHistory, meta })
export type RatingAnswer = z.infer<typeof ratingAnswer>
