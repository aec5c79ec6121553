/** `cut_character`: the text ends within a character. */
type CsvErrorCode =
  | 'empty'
  | 'not_csv'
  | 'encoding'
  | 'cut_character'
  | 'unclosed_quote'
  | 'long_record'

/** The message is the end of a sentence. */
export class CsvError extends Error {
  readonly code: CsvErrorCode
  readonly line: number | null
  constructor(code: CsvErrorCode, message: string, line: number | null = null) {
    super(message)
    this.name = 'CsvError'
    this.code = code
    this.line = line
  }
}

const VALUE_MAX_LENGTH = 200

/** `line` is 1-based, header included; `value` is truncated. */
export type Reject = { line: number; column: string | null; value: string; reason: string }

export const shortenValue = (value: string): string =>
  value.length > VALUE_MAX_LENGTH ? `${value.slice(0, VALUE_MAX_LENGTH - 1)}…` : value
