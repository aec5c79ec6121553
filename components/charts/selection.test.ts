import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toSelection } from './selection.ts'

test('a selection is at least two buckets wide, inside, and holds both ends', () => {
  const bucket = fc.integer({ min: 0, max: 399 })
  fc.assert(
    fc.property(bucket, bucket, fc.integer({ min: 3, max: 400 }), (a, b, count) => {
      const [began, reached] = [a % count, b % count]
      const columns = toSelection(began, reached, count)
      expect(columns).not.toBeNull()
      const { from, to } = columns ?? { from: 0, to: 0 }
      expect(to - from).toBeGreaterThanOrEqual(2)
      expect(from).toBeGreaterThanOrEqual(0)
      expect(to).toBeLessThanOrEqual(count)
      expect(from).toBeLessThanOrEqual(Math.min(began, reached))
      expect(to).toBeGreaterThan(Math.max(began, reached))
    }),
  )
})

test('a selection is the same in both directions', () => {
  expect(toSelection(7, 3, 20)).toEqual(toSelection(3, 7, 20))
})

test('where two buckets are all, there is nothing to choose', () => {
  expect(toSelection(0, 1, 2)).toBeNull()
  expect(toSelection(0, 0, 1)).toBeNull()
})
