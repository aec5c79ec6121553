/** The fields of a rating, in the order of the specification (2.2), which is also the posts dump's. */
export const RATING_FIELDS = [
  'id',
  'user_id',
  'symbol',
  'rating',
  'rating_label',
  'action',
  'action_label',
  'prediction',
  'tally_agree',
  'tally_disagree',
  'tally_comment',
  'created_at',
  'created_at_date',
  'expired_at',
  'expired_at_date',
] as const

export type RatingField = (typeof RATING_FIELDS)[number]

/** At most 12 digits before the point and 6 behind it: what the archive holds as DECIMAL(18,6). */
export const PREDICTION_PATTERN = /^[+-]?\d{1,12}(?:\.\d{1,6})?$/

export const SYMBOL_MAX_LENGTH = 64

/** 9999-12-31T23:59:59Z: what lies behind it is no instant that anybody meant. */
export const LAST_SECOND = 253_402_300_799

const INTEGER_CELL = /^[+-]?\d{1,16}(?:\.0+)?$/

/** The whole number in a CSV cell, `1.0` included; null where the cell holds anything else. */
export function parseIntegerCell(text: string): number | null {
  // "-0" is a zero like any other, as it is to the database.
  return INTEGER_CELL.test(text) ? Number(text) + 0 : null
}

/** The form in which symbols are compared: case does not count. Rows keep the symbol that came. */
export const toSymbolKey = (symbol: string): string => symbol.toUpperCase()

const ID = /^(?:0|-?[1-9]\d{0,15})$/

/**
 * A rating's id as an address writes it, or null where the text is none. Services may count from 0 or below it; each
 * id has one spelling, so that each rating has one address.
 */
export function parseRatingId(text: string): number | null {
  const id = ID.test(text) ? Number(text) : Number.NaN
  return Number.isSafeInteger(id) ? id : null
}

/** The codes of our own service, in order. Another service may use others: those keep their own label. */
export const RATING_LABELS: Readonly<Record<number, string>> = {
  1: 'Strong Sell',
  2: 'Moderate Sell',
  3: 'Hold',
  4: 'Moderate Buy',
  5: 'Strong Buy',
}

export const ACTION_LABELS: Readonly<Record<number, string>> = {
  1: 'Initiated',
  2: 'Upgraded',
  3: 'Downgraded',
  4: 'Reiterated',
}

/** The label of a rating code where no row gives one. */
export const ratingLabel = (code: number): string => RATING_LABELS[code] ?? `Rating ${code}`

/** The label of an action code where no row gives one. */
export const actionLabel = (code: number): string => ACTION_LABELS[code] ?? `Action ${code}`

/** A prediction in a plain text, as finance writes it, each digit as it came: `+12.50%`, `−3%`. */
export function predictionText(prediction: string): string {
  const digits = prediction.replace(/^[+-]/, '')
  const sign = /^[0.]*$/.test(digits) ? '' : prediction.startsWith('-') ? '−' : '+'
  return `${sign}${digits}%`
}
