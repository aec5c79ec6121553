import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { QUALITIES, type Quality } from '#lib/contract/quality.ts'
import { EXTREME_PERCENT, FLIP_SECONDS } from '#lib/contract/quality-rules.ts'

const code = (value: number) => sql.lit(value)

/** What `QUALITY_RULES` of the contract say in words, over a rating and what is derived from its neighbours; null is no. */
const RULES: Record<Quality, RawBuilder<unknown>> = {
  strong_buy_negative: sql`rating = 5 and prediction_value < 0`,
  upgraded_false: sql`action = 2 and (previous_rating is null or previous_rating >= rating)`,
  initiated_twice: sql`action = 1 and previous_rating is not null`,
  expired_before_created: sql`expired_at > 0 and expired_at <= created_at`,
  extreme_prediction: sql`
    prediction_value >= ${code(EXTREME_PERCENT)} or prediction_value <= ${code(-EXTREME_PERCENT)}`,
  flip_within_day: sql`
    (rating >= 4 and previous_rating <= 2 or rating <= 2 and previous_rating >= 4)
    and created_at - previous_created_at < ${code(FLIP_SECONDS)}`,
  vanished: sql`vanished_at is not null`,
}

/** One bit a lens, by its place in {@link QUALITIES}: files hold them, so places never change hands. */
export const qualityBit = (name: Quality): number => 2 ** QUALITIES.indexOf(name)

/** The lenses that a rating falls under, as a sum of bits. Stands where {@link RULES} find their columns. */
export const QUALITY_BITS = sql`cast(${sql.join(
  QUALITIES.map((name) => sql`case when ${RULES[name]} then ${code(qualityBit(name))} else 0 end`),
  sql` + `,
)} as smallint)`

/** What a rating falls under by what was known at `at` (seconds): it may have vanished later. */
export const qualityAt = (at: number) => sql<number>`
  case when vanished_at > ${at} then quality - ${code(qualityBit('vanished'))} else quality end`

/** Falls under one of the lenses at least, by what was known at `at`. */
export const hasQuality = (names: readonly Quality[], at: number) => {
  const mask = code(names.reduce((sum, name) => sum + qualityBit(name), 0))
  const bits = names.includes('vanished') ? qualityAt(at) : sql`quality`
  return sql<SqlBool>`((${bits}) & ${mask}) <> 0`
}

/** The lenses of a sum of bits. */
export const toQualities = (bits: number): Quality[] =>
  QUALITIES.filter((name) => (bits & qualityBit(name)) !== 0)
