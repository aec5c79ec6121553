import fc from 'fast-check'
import { expect, it } from 'vitest'
import { toButtonPlace } from './cell-button.tsx'

const WIDE = { left: 100, right: 200 }

it('a number has the button at its left, a word at its right', () => {
  const around = { before: 90, after: 210 }
  const number = { cell: WIDE, text: { left: 160, right: 194 }, ...around, isNumeric: true }
  expect(toButtonPlace(number)).toBe(101)
  const word = { cell: WIDE, text: { left: 106, right: 140 }, ...around, isNumeric: false }
  expect(toButtonPlace(word)).toBe(175)
})

it('where a cell is as narrow as its value, the button stands in the margin between two values', () => {
  const cell = { left: 100, right: 152 }
  const number = { cell, text: { left: 114, right: 146 }, before: 80, after: 158, isNumeric: true }
  expect(toButtonPlace(number)).toBe(89)
})

it('where there is no room for it, there is none', () => {
  const cell = { left: 100, right: 124 }
  const text = { left: 106, right: 118 }
  expect(toButtonPlace({ cell, text, before: 94, after: 130, isNumeric: false })).toBeNull()
})

it('it never lies over a value, whatever stands around it', () => {
  const px = fc.integer({ min: 0, max: 80 })
  fc.assert(
    fc.property(px, px, px, px, px, fc.boolean(), (...[a, b, c, d, e, isNumeric]) => {
      const cell = { left: 100, right: 100 + a + b + c }
      const text = { left: 100 + a, right: 100 + a + b }
      const [before, after] = [cell.left - d, cell.right + e]
      const place = toButtonPlace({ cell, text, before, after, isNumeric })
      if (place === null) return
      expect(place).toBeGreaterThanOrEqual(before)
      expect(place + 24).toBeLessThanOrEqual(after)
      expect(place + 24 <= text.left || place >= text.right).toBe(true)
    }),
  )
})
