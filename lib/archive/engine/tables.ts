import { type Generated, type RawBuilder, type SqlBool, sql } from 'kysely'
import { QUALITIES, type Quality } from '#lib/contract/quality.ts'
import { EXTREME_PERCENT, FLIP_SECONDS } from '#lib/contract/quality-definitions.ts'
import type { Rating } from '#lib/contract/rating.ts'
import { RATING_FIELDS } from '#lib/contract/rating-fields.ts'

/**
 * What the archive's tables hold, as queries see it: integers as numbers, decimals as text.
 * The 15 fields stand as they came; the rest is derived from them.
 */
export type Tables = {
  rating: RatingTable
  symbol: { symbol_key: string; symbol: string }
  quarantine: QuarantineTable
  journal: JournalTable
  /** One row, where the archive follows a store of several nodes: which state of it this is. */
  replica: { generation: number; mark: string; revision: number; quarantine_seq: number }
  /** Staging of the import run in progress, absent between runs. */
  incoming: IncomingTable
  incoming_rejected: {
    reason: string
    raw: string | null
    rating_id: number | null
    line: number | null
  }
  /**
   * The staged rows that are to be written: those that the archive lacks (`known` 0) or holds otherwise (1), and those
   * that it holds just so, but as vanished (2). Lives within one commit.
   */
  changed: IncomingTable & { known: number; returned: number }
  /** The ratings that a whole import should hold and does not. Lives within one commit. */
  gone: { id: number }
  /** Where each row of an export stands in it, from 0. Lives as long as the export's connection. */
  export_order: { place: number; row_id: number }
  /** The users and symbols whose ratings have to be derived anew. Lives within one commit. */
  touched: { user_id: number; symbol_key: string }
}

export type RatingTable = Rating & {
  symbol_key: string
  /** Unknown fields as canonical JSON. */
  extra: string | null
  /** DECIMAL(18,6) */
  prediction_value: string
  /** The first second (since 1970) at which it is not active any more; NEVER where nothing ends it. */
  effective_until: number
  previous_rating: number | null
  previous_prediction: string | null
  /** Seconds since 1970, as every instant here. */
  previous_created_at: number | null
  /** The lenses that it falls under: a bit for each ({@link toQualities}). */
  quality: number
  /** The instant of the whole dump that lacked it first; null as long as the service lists it. */
  vanished_at: number | null
}

/** A staged row: `seq` numbers the rows of a run as they came, `extra` is canonical JSON. */
type IncomingTable = Rating & { seq: number; symbol_key: string; extra: string | null }

type QuarantineTable = {
  source_kind: string
  source_name: string
  reason: string
  raw: string
  quarantined_at: number
  /** The id that can be read from it, though it is no rating; null where there is none. */
  rating_id: number | null
}

/** One row. `last_state` is `running`, `committed`, `aborted` or `broken off`. */
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
  /** The highest id of the last whole import, and the instant that it was of; null before the first. */
  covered_to_id: Generated<number | null>
  covered_at: Generated<number | null>
  /** Rejected rows that were counted, but are not kept any more. */
  quarantine_dropped: Generated<number>
}

/** `effective_until` of a rating that nothing ends: behind every instant that can be asked for. */
export const NEVER = 253_402_300_800

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

/** The 15 fields, in the order in which every table of ratings begins. */
export const FIELDS = sql.join(RATING_FIELDS.map((name) => sql.ref(name)))

/** What a rating takes from those before and behind it; stands in a select over {@link OWN}. */
export const NEIGHBOURS = sql`
  lead(created_at) over own as next_created_at,
  lag(rating) over own as previous_rating,
  lag(prediction) over own as previous_prediction,
  lag(created_at) over own as previous_created_at`

export const NEIGHBOUR_NAMES = sql`
  next_created_at, previous_rating, previous_prediction, previous_created_at`

/** What is worked out from a rating and its {@link NEIGHBOURS}, and `vanished_at`, which is carried along. */
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

/** The user's ratings of one symbol, in the order in which they followed each other. */
export const OWN = sql`window own as (partition by user_id, symbol_key order by created_at, id)`

export const DERIVED_NAMES = sql`
  prediction_value, effective_until, previous_rating, previous_prediction, previous_created_at,
  quality, vanished_at`

const INTEGER = /^[+-]?\d{1,16}$/

/** An object that was cut off behind its id: a name in quotes right behind a brace or comma is never within a text. */
const CUT_OFF = /^\{(?:"id"|.*?[{,]"id"):"?([+-]?\d{1,16})"?,/s

/**
 * The id that can be read from a row that is not a rating, of the JSON that is kept of it: an object of fields, or the
 * cells of a record whose first one the layout of dumps says is the id. Null where there is none.
 */
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
