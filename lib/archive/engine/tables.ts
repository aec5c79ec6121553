import { type Generated, type RawBuilder, type SqlBool, sql } from 'kysely'
import { EXTREME_PERCENT, FLIP_SECONDS, QUALITIES, type Quality } from '#lib/contract/quality.ts'
import type { Rating } from '#lib/contract/rating.ts'
import { RATING_FIELDS } from '#lib/contract/rating-fields.ts'

/** Integers are numbers, decimals are text. */
export type Tables = {
  rating: RatingTable
  /** `search_key`: null only between insert and `setSearchKeys`. */
  symbol: { symbol_key: string; symbol: string; search_key: string | null }
  quarantine: QuarantineTable
  journal: JournalTable
  replica: { generation: number; mark: string; revision: number; quarantine_seq: number }
  incoming: IncomingTable
  incoming_rejected: {
    reason: string
    raw: string | null
    rating_id: number | null
    line: number | null
  }
  /** `known`: 0 new, 1 changed, 2 unchanged but marked as vanished. */
  changed: IncomingTable & { known: number; returned: number }
  gone: { id: number }
  export_order: { place: number; row_id: number }
  touched: { user_id: number; symbol_key: string }
}

export type RatingTable = Rating & {
  symbol_key: string
  extra: string | null
  /** DECIMAL(18,6) */
  prediction_value: string
  /** First second at which the rating is not active, or NEVER. */
  effective_until: number
  previous_rating: number | null
  previous_prediction: string | null
  /** Seconds since 1970. */
  previous_created_at: number | null
  quality: number
  /** Instant of the first whole dump without it; null while listed. */
  vanished_at: number | null
}

type IncomingTable = Rating & { seq: number; symbol_key: string; extra: string | null }

type QuarantineTable = {
  source_kind: string
  source_name: string
  reason: string
  raw: string
  quarantined_at: number
  rating_id: number | null
}

/** `last_state`: `running`, `committed`, `aborted` or `broken off`. */
type JournalTable = {
  schema_version: number
  generation: number
  complete_to: number | null
  last_source: string | null
  last_state: string | null
  last_at: number | null
  last_inserted: number
  last_updated: number
  last_unchanged: number
  covered_to_id: Generated<number | null>
  covered_at: Generated<number | null>
  quarantine_dropped: Generated<number>
}

/** After every instant a query can name. */
export const NEVER = 253_402_300_800

const code = (value: number) => sql.lit(value)

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

/** Stored in files: never reorder {@link QUALITIES}. */
export const qualityBit = (name: Quality): number => 2 ** QUALITIES.indexOf(name)

const QUALITY_BITS = sql`cast(${sql.join(
  QUALITIES.map((name) => sql`case when ${RULES[name]} then ${code(qualityBit(name))} else 0 end`),
  sql` + `,
)} as smallint)`

export const qualityAt = (at: number) => sql<number>`
  case when vanished_at > ${at} then quality - ${code(qualityBit('vanished'))} else quality end`

export const hasQuality = (names: readonly Quality[], at: number) => {
  const mask = code(names.reduce((sum, name) => sum + qualityBit(name), 0))
  const bits = names.includes('vanished') ? qualityAt(at) : sql`quality`
  return sql<SqlBool>`((${bits}) & ${mask}) <> 0`
}

export const FIELDS = sql.join(RATING_FIELDS.map((name) => sql.ref(name)))

export const NEIGHBORS = sql`
  lead(created_at) over own as next_created_at,
  lag(rating) over own as previous_rating,
  lag(prediction) over own as previous_prediction,
  lag(created_at) over own as previous_created_at`

export const NEIGHBOR_NAMES = sql`
  next_created_at, previous_rating, previous_prediction, previous_created_at`

export const DERIVED = sql`
  cast(prediction as decimal(18, 6)) as prediction_value,
  least(
    case when expired_at > 0 then expired_at else ${sql.lit(NEVER)} end,
    coalesce(next_created_at, ${sql.lit(NEVER)}),
    coalesce(vanished_at, ${sql.lit(NEVER)})
  ) as effective_until,
  previous_rating,
  previous_prediction,
  previous_created_at,
  ${QUALITY_BITS} as quality,
  vanished_at`

export const OWN = sql`window own as (partition by user_id, symbol_key order by created_at, id)`

export const DERIVED_NAMES = sql`
  prediction_value, effective_until, previous_rating, previous_prediction, previous_created_at,
  quality, vanished_at`

const INTEGER = /^[+-]?\d{1,16}$/

const CUT_OFF = /^\{(?:"id"|.*?[{,]"id"):"?([+-]?\d{1,16})"?,/s

export function readRejectedId(raw: string): number | null {
  const id = Number(readIdText(raw) ?? Number.NaN)
  return Number.isSafeInteger(id) ? id : null
}

function readIdText(raw: string): string | undefined {
  const value = parse(raw)
  if (value === undefined) return CUT_OFF.exec(raw)?.[1]
  if (typeof value !== 'object' || value === null) return undefined
  const id: unknown = Array.isArray(value) ? value[0] : 'id' in value ? value.id : undefined
  const text = typeof id === 'number' ? String(id) : id
  return typeof text === 'string' && INTEGER.test(text) ? text : undefined
}

function parse(raw: string): unknown {
  try {
    return JSON.parse(raw)
  } catch {
    return undefined
  }
}
