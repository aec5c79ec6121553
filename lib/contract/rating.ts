import * as z from 'zod/mini'
import { LAST_SECOND, PREDICTION_PATTERN, SYMBOL_MAX_LENGTH } from './rating-fields.ts'

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
