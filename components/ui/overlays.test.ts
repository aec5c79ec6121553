import fc from 'fast-check'
import { expect, it } from 'vitest'
import { toCardPlace } from './overlays.tsx'

const PHONE = { width: 360, height: 640 }
const CARD = { width: 336, height: 230 }
const about = (left: number, top: number) => ({
  left,
  top,
  bottom: top + 20,
  width: 120,
  height: 20,
})

it('a card stands below what it is about, and above where there is no room', () => {
  expect(toCardPlace(about(10, 100), CARD, PHONE)).toEqual({ left: 10, top: 124 })
  expect(toCardPlace(about(10, 500), CARD, PHONE)).toEqual({ left: 10, top: 266 })
})

it('a card is in sight as a whole, wherever on a phone somebody points', () => {
  fc.assert(
    fc.property(fc.integer({ min: -50, max: 400 }), fc.integer({ min: -50, max: 700 }), (x, y) => {
      const { left, top } = toCardPlace(about(x, y), CARD, PHONE)
      expect(left).toBeGreaterThanOrEqual(8)
      expect(left + CARD.width).toBeLessThanOrEqual(PHONE.width - 8)
      expect(top).toBeGreaterThanOrEqual(8)
      expect(top + CARD.height).toBeLessThanOrEqual(PHONE.height - 8)
    }),
  )
})
