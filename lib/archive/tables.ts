import type { Generated } from 'kysely'
import type { Rating } from '#lib/contract/rating.ts'

/**
 * What the archive's tables hold, as queries see it: integers as numbers, decimals as text.
 * The 15 fields stand as they came; the rest is derived from them.
 */
export type Tables = {
  rating: RatingTable
  symbol: { symbol_key: string; symbol: string }
  quarantine: QuarantineTable
  journal: JournalTable
  /** Staging of the import run in progress, absent between runs. */
  incoming: IncomingTable
  incoming_rejected: { reason: string; raw: string | null; rating_id: number | null }
  /**
   * The staged rows that are to be written: those that the archive lacks (`known` 0) or holds otherwise (1), and those
   * that it holds just so, but as vanished (2). Lives within one commit.
   */
  changed: IncomingTable & { known: number; returned: number }
  /** The ratings that a whole import should hold and does not. Lives within one commit. */
  gone: { id: number }
  /** Where each row of an export stands in it, from 0. Lives as long as the export's connection. */
  export_order: { place: number; row_id: number }
  /** The members and symbols whose ratings have to be derived anew. Lives within one commit. */
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
