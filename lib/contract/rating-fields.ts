/** In the order of the specification (2.2) and the posts dump. */
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

/** As the archive stores it: DECIMAL(18,6). */
export const PREDICTION_PATTERN = /^[+-]?\d{1,12}(?:\.\d{1,6})?$/

export const SYMBOL_MAX_LENGTH = 64

/** The database drops a leading BOM and replaces lone surrogates; addresses cannot hold NUL. */
export const SYMBOL_PATTERN = /^(?!\ufeff)[^\0\p{Cs}]*$/u
export const SYMBOL_PROBLEM = 'begins with a byte order mark, or holds a null or half a character'

/** 9999-12-31T23:59:59Z. */
export const LAST_SECOND = 253_402_300_799

const INTEGER_CELL = /^[+-]?\d{1,16}(?:\.0+)?$/

/** Accepts `1.0`. */
export function parseIntegerCell(text: string): number | null {
  const value = INTEGER_CELL.test(text) ? Number(text) + 0 : Number.NaN
  return Number.isSafeInteger(value) ? value : null
}

/** A letter has at most three in its key. */
export const SYMBOL_KEY_MAX_LENGTH = 3 * SYMBOL_MAX_LENGTH

/** Comparison key: NFC in upper case. Rows keep their original symbol. */
export const toSymbolKey = (symbol: string): string =>
  symbol.normalize('NFC').toUpperCase().normalize('NFC')

/** What a search compares of symbols and names: the key without combining marks and ligatures. */
export const toSearchKey = (text: string): string =>
  toSymbolKey(
    toSymbolKey(text)
      .normalize('NFKD')
      .replace(/\p{M}+/gu, ''),
  )

const ID = /^(?:0|-?[1-9]\d{0,15})$/

/** Ids may be 0 or negative; each has exactly one spelling. */
export function parseRatingId(text: string): number | null {
  const id = ID.test(text) ? Number(text) : Number.NaN
  return Number.isSafeInteger(id) ? id : null
}

/** The embedded service's labels; other services may differ. */
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

export const STATE_LABELS = { active: 'Active', expired: 'Ended' } as const

export const ratingLabel = (code: number): string => RATING_LABELS[code] ?? `Rating ${code}`

export const actionLabel = (code: number): string => ACTION_LABELS[code] ?? `Action ${code}`

export function predictionText(prediction: string): string {
  const digits = prediction.replace(/^[+-]/, '')
  const sign = /^[0.]*$/.test(digits) ? '' : prediction.startsWith('-') ? '−' : '+'
  return `${sign}${digits}%`
}
