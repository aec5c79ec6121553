import * as z from 'zod/mini'
import { QUALITIES } from '#lib/contract/quality.ts'
import { rating } from '#lib/contract/rating.ts'
import { counted, decimal, envelope, meta, pageInfo, seconds } from './envelope.ts'

/**
 * What ended a rating by `as_of`, the first of them: time, the service, which lists it no more, or the user's next rating.
 * Of those in one second, in this order. Null where nothing had.
 */
export const ended = z.nullable(z.enum(['expired', 'vanished', 'renewed']))
export type Ended = z.infer<typeof ended>

/**
 * A rating as the archive knows it: the 15 fields as the service gave them, the user's rating before this one on
 * the symbol, its state (`null` where it lies in the future of `as_of`), what ended it, and since when the service lists it
 * no more: the instant of the dump that lacked it first, `null` where it does.
 */
export const ratingRow = z.extend(rating, {
  previous_rating: z.nullable(z.int()),
  previous_prediction: z.nullable(z.string()),
  state: z.nullable(z.enum(['active', 'expired'])),
  vanished_at: z.nullable(seconds),
  ended,
})
export type RatingRow = z.infer<typeof ratingRow>

/** `GET /api/ratings`. `all` is the number of ratings with no filter. */
export const ratingsPage = envelope(z.array(ratingRow), {
  page: pageInfo,
  meta: z.extend(meta, { all: z.int() }),
})
export type RatingsPage = z.infer<typeof ratingsPage>

/** How many rows bear a value. */
const countOf = <T extends z.core.$ZodType>(value: T) =>
  z.array(z.object({ value, count: z.int() }))

/** A lens on the quality of the data. */
const quality = z.enum(QUALITIES)

const instantBin = z.object({
  from: seconds,
  to: seconds,
  count: z.int(),
  ratings: countOf(z.int()),
})
const decimalBin = z.object({ from: decimal, to: decimal, count: z.int() })

/**
 * Each facet counts the rows that pass all the other filters; what a list of the query names is there even with no row.
 * Bins lie where they lie for every query of a generation, half open but for the last of predictions; `ratings` splits a
 * bin by code. `distinct` is how many values a facet would have if all were listed. `bounds` are those of all ratings:
 * `from` inclusive and `to` exclusive as in the query, null where the archive holds nothing. `quality` has every lens;
 * a row may fall under several.
 */
export const facets = z.object({
  rating: z.array(counted),
  action: z.array(counted),
  state: countOf(z.enum(['active', 'expired'])),
  symbol: countOf(z.string()),
  user: countOf(z.int()),
  distinct: z.object({ symbols: z.int(), users: z.int() }),
  created: z.array(instantBin),
  prediction: z.array(decimalBin),
  quality: z.array(z.object({ value: quality, label: z.string(), count: z.int() })),
  bounds: z.object({
    created: z.nullable(z.object({ from: seconds, to: seconds })),
    prediction: z.nullable(z.object({ min: decimal, max: decimal })),
  }),
})
export type Facets = z.infer<typeof facets>

/** `GET /api/facets`. */
export const facetsAnswer = envelope(facets, { meta })
export type FacetsAnswer = z.infer<typeof facetsAnswer>

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

/** One of the user's ratings on the symbol. */
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
 * The user's ratings on the symbol in the order in which they followed each other, this one among them: `total` in
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
