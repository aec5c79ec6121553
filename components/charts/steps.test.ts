import { describe, expect, test } from 'vitest'
import { toStepArea, toStepPath } from './steps.ts'

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
