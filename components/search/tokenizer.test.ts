import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readWords, replaceAt, writingAt } from './tokenizer.ts'

const at = (marked: string) => writingAt(readWords(marked.replace('|', '')), marked.indexOf('|'))

it.each([
  ['|', null, ''],
  ['symbol:A |', null, ''],
  ['-sym|', null, 'sym'],
  ['sym|bol:AAPL', null, 'symbol'],
  ['|symbol:A', null, 'symbol'],
  ['symbol:|', 'symbol', ''],
  ['a symbol:AAPL,-"BRK| B",C', 'symbol', 'BRK B'],
  ['symbol:"BRK B|', 'symbol', 'BRK B'],
  ['rating:>=str|', 'rating', 'str'],
  ['sort:-pred|', 'sort', 'pred'],
])('reads the word at the caret of %s', (marked, name, typed) => {
  expect(at(marked)).toMatchObject({ name, typed })
})

it.each([
  ['sym|', 'symbol:', 'symbol:|'],
  ['x -sym| y', 'symbol:', 'x -symbol:| y'],
  ['sy|mbl:AAPL', 'symbol:', 'symbol:|AAPL'],
  ['symbol:AA|', 'AAPL', 'symbol:AAPL |'],
  ['symbol:X,-AA|,Y', '"A B"', 'symbol:X,-"A B"|,Y'],
  ['rating:>=ho| page:2', '3', 'rating:>=3| page:2'],
])('replaces the word at the caret of %s with %s', (marked, piece, result) => {
  const { text, caret } = replaceAt(marked.replace('|', ''), at(marked), piece)
  expect(`${text.slice(0, caret)}|${text.slice(caret)}`).toBe(result)
})

it('lies within the text, whatever that is and wherever the caret is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.nat({ max: 40 }), (text, place) => {
      const { start, end } = writingAt(readWords(text), Math.min(place, text.length))
      expect(start).toBeGreaterThanOrEqual(0)
      expect(end).toBeGreaterThanOrEqual(start)
      expect(end).toBeLessThanOrEqual(text.length)
    }),
  )
})
