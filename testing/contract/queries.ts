import fc from 'fast-check'
import { MOVES } from '#lib/contract/moves.ts'
import { QUALITIES } from '#lib/contract/quality.ts'
import { isProblem, readSymbol } from '#lib/contract/query-parameters.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import { RATING_SORTS, type RatingsQuery } from '#lib/contract/ratings-query.ts'
import type { Chosen } from '#lib/contract/value-list.ts'

const chosen = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<Chosen<T>> => {
  const values = fc.uniqueArray(value, { maxLength: 4 })
  return fc.record({ only: values, not: values })
}
const numbers = chosen(fc.integer({ min: -99, max: 99_999 }))
const instant = fc.option(fc.integer({ min: 0, max: 4_000_000_000 }))
const periods = ['1999', '2024-02', '2024-02-29']
const decimals = ['-5', '0', '+1.25', '1.25', '-0.000001']
const oddSymbols = [
  '-A',
  'A,B',
  '"',
  '""A,',
  'A "B"',
  ',',
  '--',
  'A B',
  '>A',
  '=X',
  'A..B',
  'A:B',
  '#1',
  '−A',
  '12',
  'A%',
  '😀',
  'A\u00a0B',
  '\u202eLPAA\u202c',
  '\\U202ELPAA',
  'A\u200b',
  ' A',
  'A ',
  'A  B',
  'A\nB',
]
export const symbols: fc.Arbitrary<string> = fc.oneof(
  fc.stringMatching(/^[A-Z][A-Z0-9.\-^=]{0,9}$/),
  fc.constantFrom(...oddSymbols),
  fc
    .string({ minLength: 1, maxLength: 9, unit: 'grapheme' })
    .map((text) => toSymbolKey(text.trim()))
    .filter((text) => text !== '' && !isProblem(readSymbol(text))),
)

export const queries: fc.Arbitrary<RatingsQuery> = fc
  .record({
    id: numbers,
    symbol: chosen(symbols),
    user: numbers,
    rating: numbers,
    action: numbers,
    prediction: chosen(fc.constantFrom(...decimals)),
    agree: numbers,
    disagree: numbers,
    comments: numbers,
    created: chosen(fc.constantFrom(...periods)),
    expires: chosen(fc.constantFrom(...periods, 'never')),
    quality: chosen(fc.constantFrom(...QUALITIES)),
    moved: chosen(fc.constantFrom(...MOVES)),
    moved_from: instant,
    moved_to: instant,
    from: instant,
    to: instant,
    prediction_min: fc.option(fc.constantFrom(...decimals)),
    prediction_max: fc.option(fc.constantFrom('2', '2.50', '1000')),
    prediction_above: fc.option(fc.constantFrom(...decimals)),
    prediction_below: fc.option(fc.constantFrom('2', '2.50', '1000')),
    state: fc.option(fc.constantFrom('active' as const, 'expired' as const)),
    asof: instant,
    sort: fc.record({
      column: fc.constantFrom(...RATING_SORTS),
      direction: fc.constantFrom('asc' as const, 'desc' as const),
    }),
    page: fc.integer({ min: 1, max: 9_999_999 }),
    per_page: fc.integer({ min: 1, max: 500 }),
  })
  .filter(({ from, to }) => from === null || to === null || from < to)
  .filter(({ moved_from: from, moved_to: to }) => from === null || to === null || from < to)
