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
}

/** One bit a lens, by its place in {@link QUALITIES}: files hold them, so places never change hands. */
const bitOf = (name: Quality): number => 2 ** QUALITIES.indexOf(name)

/** The lenses that a rating falls under, as a sum of bits. Stands where {@link RULES} find their columns. */
export const QUALITY_BITS = sql`cast(${sql.join(
  QUALITIES.map((name) => sql`case when ${RULES[name]} then ${code(bitOf(name))} else 0 end`),
  sql` + `,
)} as smallint)`

/** Falls under one of the lenses at least. */
export const hasQuality = (names: readonly Quality[]) =>
  sql<SqlBool>`(quality & ${code(names.reduce((sum, name) => sum + bitOf(name), 0))}) <> 0`

/** The lenses of a sum of bits. */
export const toQualities = (bits: number): Quality[] =>
  QUALITIES.filter((name) => (bits & bitOf(name)) !== 0)
