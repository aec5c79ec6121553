import { expect, it } from 'vitest'
import { toWilson } from './wilson.ts'

it('Wilson’s interval is that of his formula, whole at both ends', () => {
  expect(toWilson(57, 100)?.low).toBeCloseTo(0.4721538955, 9)
  expect(toWilson(57, 100)?.high).toBeCloseTo(0.6626670148, 9)
  expect(toWilson(0, 10)?.low).toBe(0)
  expect(toWilson(10, 10)?.high).toBe(1)
  expect(toWilson(0, 0)).toBeNull()
})

it('the share of votes lies within its interval, which narrows with the votes', () => {
  const few = toWilson(3, 4, 1.96)
  const many = toWilson(3000, 4000, 1.96)
  expect(few?.low).toBeCloseTo(0.3006, 3)
  expect(few?.high).toBeCloseTo(0.9544, 3)
  expect((many?.high ?? 1) - (many?.low ?? 0)).toBeLessThan(0.03)
  expect(toWilson(5, 5, 1.96)?.high).toBe(1)
})
