import { BIGINT, type DuckDBType, type DuckDBValue, INTEGER, VARCHAR } from '@duckdb/node-api'
import { parseCsvRating } from '#lib/contract/incoming-rating.ts'
import {
  PREDICTION_PATTERN,
  RATING_FIELDS,
  type RatingField,
  SYMBOL_MAX_LENGTH,
} from '#lib/contract/rating-fields.ts'

type Column = { type: DuckDBType; plain: (text: string) => boolean }

const wide = { type: BIGINT, plain: (text: string) => /^\d{1,15}$/.test(text) }
const code = { type: INTEGER, plain: (text: string) => /^\d{1,4}$/.test(text) }
const tally = { type: INTEGER, plain: (text: string) => /^\d{1,9}$/.test(text) }
const instant = { type: BIGINT, plain: (text: string) => /^\d{1,11}$/.test(text) }
const label = { type: VARCHAR, plain: (text: string) => text.length <= 200 }

const COLUMNS: Record<RatingField, Column> = {
  id: wide,
  user_id: wide,
  symbol: {
    type: VARCHAR,
    plain: (text) => text.length > 0 && text.length <= SYMBOL_MAX_LENGTH,
  },
  rating: code,
  rating_label: label,
  action: code,
  action_label: label,
  prediction: { type: VARCHAR, plain: (text) => PREDICTION_PATTERN.test(text) },
  tally_agree: tally,
  tally_disagree: tally,
  tally_comment: tally,
  created_at: instant,
  created_at_date: label,
  expired_at: instant,
  expired_at_date: label,
}

export const CSV_TYPES: readonly DuckDBType[] = RATING_FIELDS.map((field) => COLUMNS[field].type)

/** The values of a rating in the order of the fields, or why a record is none. */
export type CsvRow = { ok: true; values: DuckDBValue[] } | { ok: false; reason: string }

/**
 * Reads records under a header by {@link parseCsvRating}. Records that are ratings at first sight, nearly all of a
 * large file, are taken without it; whatever is doubtful is left to its judgement.
 */
export function createRowReader(header: readonly string[]): (cells: readonly string[]) => CsvRow {
  const columns = RATING_FIELDS.map((field) => ({
    ...COLUMNS[field],
    position: header.indexOf(field),
    nullable: field === 'expired_at' || field === 'expired_at_date',
  }))
  return (cells) => {
    if (cells.length !== header.length) return judge(header, cells)
    const values: DuckDBValue[] = []
    for (const { type, plain, position, nullable } of columns) {
      const text = cells[position] ?? ''
      if (nullable && text === '') values.push(null)
      else if (plain(text)) values.push(toValue(type, text))
      else return judge(header, cells)
    }
    return { ok: true, values }
  }
}

function judge(header: readonly string[], cells: readonly string[]): CsvRow {
  const parsed = parseCsvRating(header, cells)
  if (!parsed.ok) return parsed
  const { rating } = parsed
  return {
    ok: true,
    values: RATING_FIELDS.map((field) => {
      const value = rating[field]
      return typeof value === 'number' ? toValue(COLUMNS[field].type, String(value)) : value
    }),
  }
}

function toValue(type: DuckDBType, text: string): DuckDBValue {
  if (type === VARCHAR) return text
  return type === BIGINT ? BigInt(text) : Number(text)
}
