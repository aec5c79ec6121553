import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toFitting, toLines, toXmlText } from './svg-elements.ts'

const measure = (text: string) => [...text].length

const ANY_UNITS = fc.array(fc.nat(0xffff)).map((units) => String.fromCharCode(...units))

describe('what XML can hold', () => {
  it('of any text only what no XML may hold is replaced', () => {
    fc.assert(
      fc.property(ANY_UNITS, (text) => {
        const written = toXmlText(text)
        // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
        expect(written).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/)
        expect(written).toHaveLength(text.length)
      }),
    )
    expect(toXmlText('A\u0000B\ud800C 😀 <b>&')).toBe('A\ufffdB\ufffdC 😀 <b>&')
  })
})

describe('lines', () => {
  it('no line is wider than there is room, and no letter is lost', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 80 }), fc.integer({ min: 1, max: 30 }), (text, width) => {
        const lines = toLines(text, width, measure)
        for (const line of lines) expect(measure(line)).toBeLessThanOrEqual(width)
        expect(lines.join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''))
      }),
    )
  })

  it('words stay whole where they fit', () => {
    expect(toLines('one two three', 8, measure)).toEqual(['one two', 'three'])
    expect(toLines('abcdefghij kl', 4, measure)).toEqual(['abcd', 'efgh', 'ij', 'kl'])
  })
})

it('a text that is cut says so, and one that fits is left alone', () => {
  expect(toFitting('Consensus', 9, measure)).toBe('Consensus')
  expect(toFitting('Consensus', 6, measure)).toBe('Conse…')
  expect(toFitting('Consensus', 0, measure)).toBe('…')
})
