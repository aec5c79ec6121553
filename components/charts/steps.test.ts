import { describe, expect, test } from 'vitest'
import { toRuns } from './runs.ts'
import { toStepRows } from './step-rows.ts'
import { toStepArea, toStepPath } from './steps.ts'

describe('the rows of a line of steps', () => {
  test('go to the end of its last step, before a gap and behind the last point', () => {
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

  test('of one line may go on where the other has a gap', () => {
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
})

describe('a line of steps', () => {
  test('holds each value until the next, ends at a gap and begins anew after it', () => {
    const steps = [
      { x: 0, value: 5 },
      { x: 4, value: 2 },
      { x: 8, value: null },
      { x: 12, value: 3 },
      { x: 14, value: 3 },
      { x: 16, value: null },
    ]
    expect(toStepPath(steps)).toBe('M0 5h4v-3h4M12 3h4')
  })

  test('of a single bucket is as wide as the bucket', () => {
    const steps = [
      { x: 2, value: 7 },
      { x: 10, value: null },
    ]
    expect(toStepPath(steps)).toBe('M2 7h8')
  })

  test('of nothing but gaps is nothing', () => {
    expect(toStepPath([{ x: 0, value: null }])).toBe('')
    expect(toStepPath([])).toBe('')
  })
})

test('a band of steps goes along its upper edge and back along its lower one, each run by itself', () => {
  const steps = [
    { x: 0, value: [8, 2] as const },
    { x: 4, value: [9, 1] as const },
    { x: 6, value: null },
    { x: 7, value: [6, 4] as const },
    { x: 9, value: null },
  ]
  expect(toStepArea(steps)).toBe('M0 2h4v-1h2v8h-2v-1h-4zM7 4h2v2h-2z')
})

test('neighbours make a run', () => {
  expect(toRuns([1, 2, 3, 7, 9, 10])).toEqual([
    { from: 1, to: 3 },
    { from: 7, to: 7 },
    { from: 9, to: 10 },
  ])
})
