import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { phraseAt, readWords, replaceAt, writingAt } from './tokenizer.ts'

const at = (marked: string) => {
  const caret = marked.indexOf('|')
  return writingAt(readWords(marked.replace('|', '')), caret)
}
const replaced = (marked: string, piece: string) => {
  const { text, caret } = replaceAt(marked.replace('|', ''), at(marked), piece)
  return `${text.slice(0, caret)}|${text.slice(caret)}`
}

describe('the word at the caret', () => {
  it.each([
    ['|', null, ''],
    ['symbol:A |', null, ''],
    ['sym|', null, 'sym'],
    ['-sym|', null, 'sym'],
    ['sym|bol:AAPL', null, 'symbol'],
    ['symbol:|', 'symbol', ''],
    ['symbol:AA|', 'symbol', 'AA'],
    ['symbol:AAPL,-"BRK| B",C', 'symbol', 'BRK B'],
    ['symbol:"BRK B|', 'symbol', 'BRK B'],
    ['rating:>=str|', 'rating', 'str'],
    ['|symbol:A', null, 'symbol'],
    ['a symbol:A|', 'symbol', 'A'],
  ])('%s', (marked, name, typed) => {
    expect(at(marked)).toMatchObject({ name, typed })
  })

  it('is replaced with what is chosen, and the caret goes behind it', () => {
    expect(replaced('sym|', 'symbol:')).toBe('symbol:|')
    expect(replaced('x -sym| y', 'symbol:')).toBe('x -symbol:| y')
    expect(replaced('sy|mbl:AAPL', 'symbol:')).toBe('symbol:|AAPL')
    expect(replaced('symbol:AA|', 'AAPL')).toBe('symbol:AAPL |')
    expect(replaced('symbol:X,-AA|,Y', '"A B"')).toBe('symbol:X,-"A B"|,Y')
    expect(replaced('symbol:"BR|', '"BRK B"')).toBe('symbol:"BRK B" |')
    expect(replaced('rating:>=ho| page:2', '3')).toBe('rating:>=3| page:2')
  })

  it.each([
    ['amber ac|', 'amber ac', 0],
    ['hold amber acorn soft|', 'amber acorn soft', 5],
    ['amb|er acorn', 'amber', 0],
    ['AAPL amber acorn|', 'amber acorn', 5],
    ['amber AAPL|', 'AAPL', 6],
    ['-amber acorn|', 'acorn', 7],
    ['amber,x acorn|', 'acorn', 8],
    ['"amber" acorn|', 'amber acorn', 0],
    ['user:3 acorn|', 'acorn', 7],
    ['amber symbol:ac|', 'ac', 13],
    ['amber |', '', 6],
  ])('with the unknown words before it: %s', (marked, typed, start) => {
    const words = readWords(marked.replace('|', ''))
    const isUnknown = (text: string) => ['amber', 'acorn', 'ac', 'soft', 'x'].includes(text)
    expect(phraseAt(words, at(marked), isUnknown)).toMatchObject({ typed, start })
  })

  it('lies within the text, whatever that is and wherever the caret stands', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat({ max: 40 }), (text, place) => {
        const { start, end } = writingAt(readWords(text), Math.min(place, text.length))
        expect(start).toBeGreaterThanOrEqual(0)
        expect(end).toBeGreaterThanOrEqual(start)
        expect(end).toBeLessThanOrEqual(text.length)
      }),
    )
  })
})
