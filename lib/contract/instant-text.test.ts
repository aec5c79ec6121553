import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseInstant, toDateText, toInstantText } from './instant-text.ts'

it('an instant survives being written and read', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 253_402_300_799 }), (seconds) => {
      expect(parseInstant(toInstantText(seconds))).toBe(seconds)
    }),
  )
})

it('a day that does not exist is no instant', () => {
  for (const text of ['2024-02-30', '2023-02-29', '2024-13-01', '2024-00-10', '10000-01-01']) {
    expect(parseInstant(text)).toBeNull()
  }
})

it("the specification's text form is UTC", () => {
  expect(toDateText(1_704_067_199)).toBe('2023-12-31 23:59:59')
})
