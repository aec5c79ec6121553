import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  toBoxesPath,
  toCornersPath,
  toDotsPath,
  toStepArea,
  toStepPath,
  toTicksPath,
} from './paths.ts'

describe('a path', () => {
  test('along corners joins sides that go on in one direction', () => {
    expect(
      toCornersPath([
        [0, 5],
        [4, 5],
        [8, 5],
        [8, 2],
        [9, 2],
      ]),
    ).toBe('M0 5h8v-3h1')
  })

  test('of boxes begins each where it stands, counted from where the one before began', () => {
    const boxes = [
      { left: 1, right: 3, top: 10, bottom: 12.5 },
      { left: 4.2, right: 5, top: 7, bottom: 12 },
    ]
    expect(toBoxesPath(boxes)).toBe('m1 10h2v2.5h-2zm3.2-3h0.8v5h-0.8z')
  })

  test('of dots has a line of no length at each', () => {
    const dots = [
      { x: 1, y: 2 },
      { x: 1.5, y: 1.94 },
    ]
    expect(toDotsPath(dots)).toBe('m1 2h0m0.5-0.1h0')
  })

  test('never drifts: after any number of steps it stands within half a tenth of where it should', () => {
    const pixels = fc.double({ min: 0, max: 2000, noNaN: true })
    fc.assert(
      fc.property(fc.array(fc.record({ x: pixels, y: pixels }), { minLength: 1 }), (places) => {
        let [x, y] = [0, 0]
        const moves = [...toDotsPath(places).matchAll(/m(-?[\d.]+) ?(-?[\d.]+)h0/g)]
        expect(moves).toHaveLength(places.length)
        moves.forEach(([, dx, dy], index) => {
          x += Number(dx)
          y += Number(dy)
          expect(Math.abs(x - (places[index]?.x ?? 0))).toBeLessThan(0.0501)
          expect(Math.abs(y - (places[index]?.y ?? 0))).toBeLessThan(0.0501)
        })
      }),
    )
  })

  test('of ticks begins each at its place', () => {
    const places = [
      { x: 2, y: 10 },
      { x: 4.5, y: 10 },
      { x: 7, y: 3 },
    ]
    expect(toTicksPath(places, -4)).toBe('m2 10v-4m2.5 4v-4m2.5-3v-4')
    expect(toTicksPath([], 4)).toBe('')
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
