import fc from 'fast-check'
import { expect, it } from 'vitest'
import { fromFieldDecimal, toFieldDecimal } from './field-decimal.ts'
import { ENGLISH } from './number-marks.ts'

const GERMAN = { ...ENGLISH, group: '.', decimal: ',' }
const FRENCH = { ...ENGLISH, group: '\u202f', decimal: ',' }

it('a field takes the decimal mark of the reader, and the point of addresses and files', () => {
  expect(fromFieldDecimal('12,5', GERMAN)).toBe('12.5')
  expect(fromFieldDecimal('-1.234,50 %', GERMAN)).toBe('-1234.50 %')
  expect(fromFieldDecimal('12.5', GERMAN)).toBe('12.5')
  expect(fromFieldDecimal('1 234,5', FRENCH)).toBe('1234.5')
  expect(fromFieldDecimal('12.5')).toBe('12.5')
})

it('what is no number is not made one', () => {
  expect(fromFieldDecimal('1,2,3', GERMAN)).toBe('1,2,3')
  expect(fromFieldDecimal('ten', GERMAN)).toBe('ten')
})

it('what a field shows of a decimal is read as that decimal again', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(ENGLISH, GERMAN, FRENCH),
      fc.stringMatching(/^-?\d{1,9}(\.\d{1,6})?$/),
      (marks, text) => {
        expect(fromFieldDecimal(toFieldDecimal(text, marks), marks)).toBe(text)
      },
    ),
  )
})
