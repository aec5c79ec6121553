import { describe, expect, test } from 'vitest'
import { toRuns } from './runs.ts'
import { toStepPath, toStepRows } from './steps.ts'

describe('a line of steps', () => {
  test('goes to the end of its last step, before a gap and behind the last point', () => {
    const rows = [
      { t: 0, a: 4 },
      { t: 10, a: null },
      { t: 20, a: 3 },
    ]
    expect(toStepRows(rows, [10, 20, 27])).toEqual([
      { t: 0, a: 4 },
      { t: 10, a: 4 },
      { t: 10, a: null },
      { t: 20, a: 3 },
      { t: 27, a: 3 },
    ])
  })

  test('one of two lines may go on where the other has a gap', () => {
    const rows = [
      { t: 0, a: 4, b: 1 },
      { t: 10, a: null, b: 2 },
    ]
    expect(toStepRows(rows, [10, 20]).map(({ t, b }) => [t, b])).toEqual([
      [0, 1],
      [10, 1],
      [10, 2],
      [20, 2],
    ])
  })

  test('as a path holds each value until the next, and begins anew after a gap', () => {
    const places = [
      { x: 0, y: 5 },
      { x: 4, y: 2 },
      { x: 8, y: null },
      { x: 12, y: 3 },
      { x: 16, y: 3 },
    ]
    expect(toStepPath(places)).toBe('M0.0 5.0H4.0V2.0H8.0M12.0 3.0H16.0V3.0')
  })
})

test('neighbours make a run', () => {
  expect(toRuns([1, 2, 3, 7, 9, 10])).toEqual([
    { from: 1, to: 3 },
    { from: 7, to: 7 },
    { from: 9, to: 10 },
  ])
})
