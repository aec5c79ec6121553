import type { Applied, SharedState } from '#lib/archive/archive.ts'
import { RATING_FIELDS } from '#lib/contract/rating-fields.ts'

export type SharedColumns = { names: readonly string[]; texts: readonly string[] }

/** Every archive computes its own derived columns. */
export const RATING_COLUMNS: SharedColumns = {
  names: [...RATING_FIELDS, 'extra', 'vanished_at'],
  texts: [
    ...['symbol', 'rating_label', 'action_label', 'prediction', 'created_at_date'],
    ...['expired_at_date', 'extra'],
  ],
}

/** With the key that nodes of earlier versions read. */
export const WRITTEN_COLUMNS: SharedColumns = {
  names: [...RATING_COLUMNS.names, 'symbol_key'],
  texts: [...RATING_COLUMNS.texts, 'symbol_key'],
}

export const QUARANTINE_COLUMNS: SharedColumns = {
  names: ['source_kind', 'source_name', 'reason', 'raw', 'quarantined_at', 'rating_id'],
  texts: ['source_kind', 'source_name', 'reason', 'raw'],
}

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

type ChecksumWords = {
  byteLength: (name: string) => string
  toShared: (name: string) => string
}

/** Injective: integers end with a comma, texts start with their length. */
export function toCanonicalSql({ byteLength, toShared }: ChecksumWords): string {
  const parts = RATING_COLUMNS.names.map((name) => {
    if (!RATING_COLUMNS.texts.includes(name)) return `coalesce(cast(${name} as text), '-') || ','`
    const text = toShared(name)
    return `coalesce(cast(${byteLength(text)} as text) || ':' || ${text}, '-')`
  })
  return parts.join(' || ')
}

/** 60 bits, so that sums fit in both databases. */
export const CHECKSUM_DIGITS = 15
