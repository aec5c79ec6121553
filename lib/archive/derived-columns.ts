import { sql } from 'kysely'
import { RATING_FIELDS } from '#lib/contract/rating-fields.ts'
import { QUALITY_BITS } from './quality-bits.ts'
import { NEVER } from './tables.ts'

/** The 15 fields, in the order in which every table of ratings begins. */
export const FIELDS = sql.join(RATING_FIELDS.map((name) => sql.ref(name)))

/**
 * What is worked out from a rating and its neighbours, and `vanished_at`, which is carried along; stands in a select
 * over {@link OWN}.
 */
export const DERIVED = sql`
  cast(prediction as decimal(18, 6)) as prediction_value,
  least(
    case when expired_at > 0 then expired_at else ${sql.lit(NEVER)} end,
    coalesce(lead(created_at) over own, ${sql.lit(NEVER)}),
    coalesce(vanished_at, ${sql.lit(NEVER)})
  ) as effective_until,
  lag(rating) over own as previous_rating,
  lag(prediction) over own as previous_prediction,
  lag(created_at) over own as previous_created_at,
  ${QUALITY_BITS} as quality,
  vanished_at`

/** The member's ratings of one symbol, in the order in which they followed each other. */
export const OWN = sql`window own as (partition by user_id, symbol_key order by created_at, id)`

export const DERIVED_NAMES = sql`
  prediction_value, effective_until, previous_rating, previous_prediction, previous_created_at,
  quality, vanished_at`
