import * as z from 'zod/mini'
import { envelope } from '../envelope.ts'
import { rating } from '../rating.ts'
import { counted, decimal, meta, pageInfo, seconds } from './shared.ts'

/**
 * A rating as the archive knows it: the 15 fields as the service gave them, the member's rating before this one on
 * the symbol, and its state (`null` where it lies in the future of `as_of`).
 */
export const ratingRow = z.extend(rating, {
  previous_rating: z.nullable(z.int()),
  previous_prediction: z.nullable(z.string()),
  state: z.nullable(z.enum(['active', 'expired'])),
})
export type RatingRow = z.infer<typeof ratingRow>

/** `GET /api/ratings`. `all` is the number of ratings with no filter. */
export const ratingsPage = envelope(z.array(ratingRow), {
  page: pageInfo,
  meta: z.extend(meta, { all: z.int() }),
})
export type RatingsPage = z.infer<typeof ratingsPage>

const instantBin = z.object({ from: seconds, to: seconds, count: z.int() })
const decimalBin = z.object({ from: decimal, to: decimal, count: z.int() })

/** Each facet counts the rows that pass all the other filters. Bins are half open, the last one closed. */
export const facets = z.object({
  rating: z.array(counted),
  action: z.array(counted),
  symbol: z.array(z.object({ value: z.string(), count: z.int() })),
  user: z.array(z.object({ value: z.int(), count: z.int() })),
  created: z.array(instantBin),
  prediction: z.array(decimalBin),
})
export type Facets = z.infer<typeof facets>

/** `GET /api/facets`. */
export const facetsAnswer = envelope(facets, { meta })
export type FacetsAnswer = z.infer<typeof facetsAnswer>
