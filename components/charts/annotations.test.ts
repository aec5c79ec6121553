import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toAnnotations } from './annotations.ts'

const ROOM = { left: 40, right: 900, rows: [180, 200, 130, 150] }

test('labels never overlap, never leave the pane, and are at most three', () => {
  const move = fc.record({
    x: fc.integer({ min: 40, max: 900 }),
    text: fc.string({ minLength: 1, maxLength: 40 }),
  })
  fc.assert(
    fc.property(fc.array(move, { maxLength: 8 }), (moves) => {
      const placed = toAnnotations(moves, ROOM)
      expect(placed.length).toBeLessThanOrEqual(3)
      for (const [index, one] of placed.entries()) {
        expect(one.left).toBeGreaterThanOrEqual(ROOM.left)
        expect(one.left + one.width).toBeLessThanOrEqual(ROOM.right)
        for (const other of placed.slice(index + 1)) {
          const isApart = one.left + one.width < other.left || other.left + other.width < one.left
          expect(one.y !== other.y || isApart).toBe(true)
        }
      }
    }),
  )
})

test('a label that finds its row taken drops to the next', () => {
  const moves = [
    { x: 300, text: '5 downgrades' },
    { x: 310, text: '9 upgrades' },
  ]
  expect(toAnnotations(moves, ROOM).map(({ y }) => y)).toEqual([180, 200])
})

test('one that is wider than the pane is left out', () => {
  const narrow = { ...ROOM, right: 90 }
  expect(toAnnotations([{ x: 50, text: '5 downgrades, 2024-08-02' }], narrow)).toEqual([])
})
