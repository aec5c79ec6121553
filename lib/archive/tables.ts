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
  incoming_rejected: { reason: string; raw: string }
  /** The staged rows that the archive lacks or holds otherwise. Lives within one commit. */
  changed: IncomingTable & { known: number }
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
}

/** A staged row: `seq` numbers the rows of a run as they came, `extra` is canonical JSON. */
type IncomingTable = Rating & { seq: number; symbol_key: string; extra: string | null }

type QuarantineTable = {
  source_kind: string
  source_name: string
  reason: string
  raw: string
  quarantined_at: number
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
}

/** `effective_until` of a rating that nothing ends: behind every instant that can be asked for. */
export const NEVER = 253_402_300_800
