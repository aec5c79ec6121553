import fc from 'fast-check'
import { expect, test } from 'vitest'
import { draws } from '#testing/draws.ts'
import { rating } from './rating.ts'
import { parseRatingId, SYMBOL_KEY_MAX_LENGTH, toSearchKey, toSymbolKey } from './rating-fields.ts'
import { parseRatingsQuery } from './ratings-query.ts'

test('every id that a service may give has an address', () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), (id) => {
      expect(rating.shape.id.safeParse(id).success).toBe(true)
      expect(parseRatingId(String(id))).toBe(id === 0 ? 0 : id)
    }),
    { examples: [[0], [-1], [Number.MAX_SAFE_INTEGER], [Number.MIN_SAFE_INTEGER]] },
  )
})

test.each([
  '',
  '-0',
  '+1',
  '007',
  '1.5',
  '1e3',
  'abc',
  ' 1',
  '1 ',
  '0x10',
  '\u0000',
  '9007199254740993',
  '9'.repeat(400),
])('%j is no id, rather than nearly one', (text) => {
  expect(parseRatingId(text)).toBeNull()
})

test.each([
  ['aapl', 'AAPL', 'AAPL'],
  ['Straße', 'STRASSE', 'STRASSE'],
  ['Chambéry', 'CHAMBÉRY', 'CHAMBERY'],
  ['chambe\u0301ry', 'CHAMBÉRY', 'CHAMBERY'],
  ['ﬁ', 'FI', 'FI'],
  ['ΐ', 'Ϊ\u0301', 'Ι'],
  ['CO₂', 'CO₂', 'CO2'],
  ['日経', '日経', '日経'],
  ['ガ', 'ガ', 'カ'],
  ['BRK.B', 'BRK.B', 'BRK.B'],
])('%s is compared as %s and searched as %s', (symbol, key, search) => {
  expect([toSymbolKey(symbol), toSearchKey(symbol)]).toEqual([key, search])
})

test('every spelling of a text has its one key when it is folded again, composed or in another case', () => {
  const character = fc.oneof(
    fc.integer({ min: 0, max: 0xd7ff }).map((code) => String.fromCodePoint(code)),
    fc.integer({ min: 0xe000, max: 0x1_ffff }).map((code) => String.fromCodePoint(code)),
    fc.constantFrom('ß', 'é', 'e', '\u0301', '\u0308', '\u0345', '\u0327', 'ΐ', 'ᾳ', 'ǆ', 'İ', 'ı'),
  )
  fc.assert(
    fc.property(fc.array(character, { maxLength: 8 }), (characters) => {
      const text = characters.join('')
      const [key, search] = [toSymbolKey(text), toSearchKey(text)]
      const others = [key, text.normalize('NFC'), text.normalize('NFD')]
      for (const other of others) {
        expect([toSymbolKey(other), toSearchKey(other)]).toEqual([key, search])
      }
      expect(toSearchKey(search)).toBe(search)
    }),
    { numRuns: draws(3000) },
  )
})

test('a key fits into an address when its symbol is as long as a service may give', () => {
  const longest = Array.from({ length: 64 }, () => 'ΐ').join('')
  expect(toSymbolKey(longest).length).toBeLessThanOrEqual(SYMBOL_KEY_MAX_LENGTH)
  const read = parseRatingsQuery(new URLSearchParams({ symbol: toSymbolKey(longest) }))
  expect(read).toMatchObject({ ok: true, value: { symbol: { only: [toSymbolKey(longest)] } } })
})
