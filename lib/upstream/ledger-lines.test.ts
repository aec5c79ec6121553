import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nextMonthAt, parseLine, toLine } from './ledger-lines.ts'

const START = 1_700_000_000

test('a line says what was written into it, and any other line says nothing', () => {
  const spent = { at: START, month: '2023-11', ordinal: 12, purpose: 'people' as const, nth: 3 }
  const old = { ...spent, purpose: null, nth: 0 }
  expect(parseLine(toLine(spent))).toEqual(spent)
  expect(parseLine(toLine(old))).toEqual(old)
  fc.assert(fc.property(fc.string(), (text) => parseLine(text) === null))
})

test('the next month begins at its first second', () => {
  expect(nextMonthAt(Date.UTC(2026, 11, 31, 23, 59, 59) / 1000)).toBe(Date.UTC(2027, 0, 1) / 1000)
  expect(nextMonthAt(Date.UTC(2026, 1, 1) / 1000)).toBe(Date.UTC(2026, 2, 1) / 1000)
})
