import type { Applied, SharedState } from '#lib/archive/archive.ts'
import { RATING_FIELDS } from '#lib/contract/rating-fields.ts'

/** Columns in the order of every file of them, and which of them are texts; the others are whole numbers. */
export type SharedColumns = { names: readonly string[]; texts: readonly string[] }

/**
 * What is shared of a rating: what came, and whether it is still listed. What is derived from its neighbours is not: every
 * archive derives it by the same SQL.
 */
export const RATING_COLUMNS: SharedColumns = {
  names: [...RATING_FIELDS, 'symbol_key', 'extra', 'vanished_at'],
  texts: [
    ...['symbol', 'rating_label', 'action_label', 'prediction', 'created_at_date'],
    ...['expired_at_date', 'symbol_key', 'extra'],
  ],
}

export const QUARANTINE_COLUMNS: SharedColumns = {
  names: ['source_kind', 'source_name', 'reason', 'raw', 'quarantined_at', 'rating_id'],
  texts: ['source_kind', 'source_name', 'reason', 'raw'],
}

/** What a store says of itself that nobody ever wrote to, and what an archive that is nobody's replica holds of one. */
export const NOTHING_APPLIED: Applied = {
  generation: 0,
  mark: 'empty',
  revision: 0,
  quarantineSeq: 0,
}

export const NOTHING_SHARED: SharedState = {
  generation: 0,
  completeTo: null,
  coveredToId: null,
  coveredAt: null,
  quarantined: 0,
  quarantineDropped: 0,
}

/** How each of two databases says what a checksum is made of. */
export type ChecksumWords = {
  /** The bytes of a text in UTF-8. */
  byteLength: (name: string) => string
  /** A column of texts as it is shared. */
  toShared: (name: string) => string
}

/**
 * All that is shared of a rating as one text, the same in both databases: whole numbers end with a comma, texts begin with
 * their length, so that no two ratings have the same one.
 */
export function toCanonicalSql({ byteLength, toShared }: ChecksumWords): string {
  const parts = RATING_COLUMNS.names.map((name) => {
    if (!RATING_COLUMNS.texts.includes(name)) return `coalesce(cast(${name} as text), '-') || ','`
    const text = toShared(name)
    return `coalesce(cast(${byteLength(text)} as text) || ':' || ${text}, '-')`
  })
  return parts.join(' || ')
}

/** How many hexadecimal digits of a digest are summed up: 60 bits, so that a sum of them fits wherever it is made. */
export const CHECKSUM_DIGITS = 15
