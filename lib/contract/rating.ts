import * as z from 'zod/mini'

/** The fields of a rating, in the order of the specification (2.2), which is also the posts dump's. */
export const RATING_FIELDS = [
  'id',
  'user_id',
  'symbol',
  'rating',
  'rating_label',
  'action',
  'action_label',
  'prediction',
  'tally_agree',
  'tally_disagree',
  'tally_comment',
  'created_at',
  'created_at_date',
  'expired_at',
  'expired_at_date',
] as const

export type RatingField = (typeof RATING_FIELDS)[number]

/** At most 12 digits before the point and 6 behind it: what the archive holds as DECIMAL(18,6). */
export const PREDICTION_PATTERN = /^[+-]?\d{1,12}(?:\.\d{1,6})?$/

export const SYMBOL_MAX_LENGTH = 64

/** 9999-12-31T23:59:59Z: what lies behind it is no instant that anybody meant. */
export const LAST_SECOND = 253_402_300_799

const instant = z.int().check(z.gte(0), z.lte(LAST_SECOND))
const code = z.int().check(z.gte(-32_768), z.lte(32_767))
const tally = z.int().check(z.gte(0), z.lte(2_147_483_647))
const label = z.string().check(z.maxLength(200))

/**
 * A rating as a service writes it. `created_at` and `expired_at` are seconds since 1970; `expired_at` may be
 * null, 0 or before `created_at`. `prediction` is the decimal text that came. Unknown fields are stripped here
 * and kept apart by {@link splitRating}.
 */
export const rating = z.object({
  id: z.int(),
  user_id: z.int(),
  symbol: z.string().check(z.minLength(1), z.maxLength(SYMBOL_MAX_LENGTH)),
  rating: code,
  rating_label: label,
  action: code,
  action_label: label,
  prediction: z.string().check(z.regex(PREDICTION_PATTERN, 'not a decimal number')),
  tally_agree: tally,
  tally_disagree: tally,
  tally_comment: tally,
  created_at: instant,
  created_at_date: label,
  expired_at: z.nullable(instant),
  expired_at_date: z.nullable(label),
})

export type Rating = z.infer<typeof rating>

/** The form in which symbols are compared: case does not count. Rows keep the symbol that came. */
export const toSymbolKey = (symbol: string): string => symbol.toUpperCase()
