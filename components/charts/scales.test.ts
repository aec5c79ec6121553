import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toCountScale } from './count-scale.ts'
import { toBeyondText } from './prediction-scale.ts'
import type { TimePoint } from './time-point.ts'

const predicted = (postedPrediction: number): TimePoint => ({
  t: 0,
  posted: 1,
  active: 1,
  consensus: null,
  postedRating: null,
  activePrediction: null,
  postedPrediction,
})

describe('the count axis', () => {
  test('holds every count and names whole numbers only', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 10_000_000 })), (counts) => {
        const { bound, ticks } = toCountScale(counts)
        expect(counts.every((count) => count <= bound)).toBe(true)
        expect(ticks.every(Number.isInteger)).toBe(true)
      }),
    )
  })

  test('does not waste more than half of its height', () => {
    expect(toCountScale([184]).bound).toBe(200)
    expect(toCountScale([11]).bound).toBe(20)
    expect(toCountScale([]).bound).toBe(2)
  })
})

describe('what the prediction pane cannot show in its place', () => {
  const usual = Array.from({ length: 40 }, (_, index) => predicted(index / 4))

  test('is counted in words', () => {
    expect(toBeyondText([...usual, predicted(-900)])).toBe(
      '1 mean lies beyond ±10% and is marked at the edge.',
    )
  })

  test('is not mentioned where there is none', () => {
    expect(toBeyondText(usual)).toBeNull()
  })
})
