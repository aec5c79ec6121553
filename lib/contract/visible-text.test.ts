import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromVisibleText, toVisibleText } from './visible-text.ts'

const INVISIBLE =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Surrogate}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800\u00a0\u2000-\u200a\u202f\u205f\u3000]/u

const text = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...'\u061c\u00ad\u200b\u200c\u200d\u200e\u200f\u202a\u202e\u2060\u2066\u2069\ufeff\u180e'.split(
          '',
        ),
        ...[
          '\u3164',
          '\uffa0',
          '\u2800',
          '\ufe0f',
          '\u{e0041}',
          '\u{e0101}',
          '\ud800',
          '\udc00',
          '\uffff',
        ],
        ...[' ', '  ', '\u00a0', '\u2003', '\u3000', '\t', '\r\n', '\u0000', '\u0301', '\\'],
        ...[
          'u',
          'n',
          '{',
          '}',
          'u202e',
          '\\u202e',
          '\\u{e0041}',
          '\\\\u200b',
          'A',
          '1',
          'א',
          'ب',
          '株',
        ],
      ),
      fc.string({ unit: 'binary', maxLength: 3 }),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''))

test('nothing that is shown is invisible, and nothing odd about its spaces', () => {
  fc.assert(
    fc.property(text, (raw) => {
      const shown = toVisibleText(raw)
      expect(shown).not.toMatch(INVISIBLE)
      expect(shown).not.toMatch(/^ | $| {2}|^\p{M}/u)
    }),
  )
})

test('two texts that differ are never shown alike: each is read back from what is shown of it', () => {
  fc.assert(
    fc.property(text, (raw) => {
      expect(fromVisibleText(toVisibleText(raw))).toBe(raw)
    }),
  )
})

test('ordinary writing of any script stays as it is', () => {
  const words = fc.constantFrom(
    'AAPL',
    'BRK.B',
    'Ünïcode',
    '株式',
    'שלום',
    'مرحبا',
    '한국',
    '<b>&amp;</b>',
    '😀',
  )
  const plain = fc.array(words, { minLength: 1 }).map((some) => some.join(' '))
  fc.assert(
    fc.property(plain, (raw) => {
      expect(toVisibleText(raw)).toBe(raw)
    }),
  )
  for (const raw of ['', 'C:\\users\\new', 'a\\nb', 'Mode\u0301re\u0301', 'ιώτα'])
    expect(toVisibleText(raw)).toBe(raw)
})

test.each([
  ['\u202eLPAA\u202c', '\\u202eLPAA\\u202c'],
  ['A\u200bA\ufeff', 'A\\u200bA\\ufeff'],
  ['a\nb\u0000c', 'a\\u000ab\\u0000c'],
  ['\ud800', '\\ud800'],
  ['A\u{e0041}', 'A\\u{e0041}'],
  [' A  B ', '\\u0020A \\u0020B\\u0020'],
  ['A\u00a0B', 'A\\u00a0B'],
  ['\u0301A', '\\u0301A'],
  ['\\u202eLPAA', '\\u005cu202eLPAA'],
  ['\\U202ELPAA', '\\u005cU202ELPAA'],
])('what a reader would not see is written out: %j', (raw, shown) => {
  expect(toVisibleText(raw)).toBe(shown)
})
