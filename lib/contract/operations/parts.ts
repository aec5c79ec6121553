import { readSymbol, readWhole } from '#lib/contract/query-parameters.ts'
import { parseRatingId, SYMBOL_KEY_MAX_LENGTH } from '#lib/contract/rating-fields.ts'
import type { Part } from './operation.ts'

export const symbolPart: Part<string> = {
  read: readSymbol,
  meaning: 'The symbol, case-insensitive.',
  example: 'AAPL',
  type: 'string',
  maxLength: SYMBOL_KEY_MAX_LENGTH,
}

const NOT_WHOLE = { problem: 'is not a whole number' }

export const userPart: Part<number> = {
  read: readWhole,
  meaning: 'The user number.',
  example: '1',
  type: 'integer',
}

export const ratingPart: Part<number> = {
  read: (text) => parseRatingId(text) ?? NOT_WHOLE,
  meaning: 'The rating id.',
  example: '1',
  type: 'integer',
}

export const textPart = (meaning: string, example: string): Part<string> => ({
  read: (text) => text,
  meaning,
  example,
  type: 'string',
})
