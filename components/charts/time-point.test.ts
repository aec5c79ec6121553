import { expect, test } from 'vitest'
import { isLone, type TimePoint, toTimeSpan } from './time-point.ts'

const point = (t: number): TimePoint => ({
  t,
  posted: 0,
  active: 0,
  consensus: null,
  postedRating: null,
  activePrediction: null,
  postedPrediction: null,
})

test('the axis shows the whole of the first and the last bucket', () => {
  expect(toTimeSpan([point(100), point(200)], 100)).toEqual([50, 250])
})

test('an axis with a single bucket still has a width', () => {
  expect(toTimeSpan([point(100)], 10)).toEqual([95, 105])
})

test('a value between two gaps is told apart, so that it can be a dot', () => {
  const values = [4, null, 3, null, 2, 2]
  expect(values.map((_, index) => isLone(values, index))).toEqual([
    true,
    false,
    true,
    false,
    false,
    false,
  ])
})
