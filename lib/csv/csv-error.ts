/** `cut_character`: the text ends within a character. */
export type CsvErrorCode =
  | 'empty'
  | 'not_csv'
  | 'encoding'
  | 'cut_character'
  | 'unclosed_quote'
  | 'long_record'

/** Why the rest of a file cannot be read. The message is the end of a sentence that begins with the file. */
export class CsvError extends Error {
  readonly code: CsvErrorCode
  /** Where the record begins that cannot be read; null if the file as a whole cannot. */
  readonly line: number | null
  constructor(code: CsvErrorCode, message: string, line: number | null = null) {
    super(message)
    this.name = 'CsvError'
    this.code = code
    this.line = line
  }
}

const VALUE_MAX_LENGTH = 200

/** A record, or one cell of it, that is not read. `line` counts from 1 and includes the header; `value` is shortened. */
export type Reject = { line: number; column: string | null; value: string; reason: string }

export const shortenValue = (value: string): string =>
  value.length > VALUE_MAX_LENGTH ? `${value.slice(0, VALUE_MAX_LENGTH - 1)}…` : value
