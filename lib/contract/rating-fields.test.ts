import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rating } from './rating.ts'
import { parseRatingId } from './rating-fields.ts'

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
