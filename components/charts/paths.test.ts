import fc from 'fast-check'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { Curve, type CurveProps } from 'recharts'
import { describe, expect, test } from 'vitest'
import { toBandPath, toBoxesPath, toDotsPath, toSegmentPoints, toStepsPath } from './paths.ts'

const draw = (props: CurveProps) =>
  / d="([^"]*)"/.exec(renderToStaticMarkup(createElement(Curve, props)))?.[1] ?? ''

describe('a path', () => {
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
})

test('straight lines of one curve stand each by itself, in tenths of a pixel', () => {
  const ticks = [
    { x1: 2, y1: 10, x2: 2, y2: 6 },
    { x1: 4.52, y1: 10, x2: 4.52, y2: 6 },
  ]
  expect(draw({ points: toSegmentPoints(ticks) })).toBe('M2,10L2,6M4.5,10L4.5,6')
  expect(draw({ points: toSegmentPoints([]) })).toBe('')
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
    expect(toStepsPath(steps)).toBe('m0 5h4v-3h4m4 1h4')
  })

  test('of a single bucket is as wide as the bucket', () => {
    const steps = [
      { x: 2, value: 7 },
      { x: 10, value: null },
    ]
    expect(toStepsPath(steps)).toBe('m2 7h8')
  })

  test('ends with its last value where that is no gap', () => {
    const steps = [
      { x: 0, value: 5 },
      { x: 4, value: 2 },
      { x: 9, value: 2 },
    ]
    expect(toStepsPath(steps)).toBe('m0 5h4v-3h5')
  })

  test('of nothing but gaps is nothing', () => {
    expect(toStepsPath([{ x: 0, value: null }])).toBe('')
    expect(toStepsPath([])).toBe('')
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
  expect(toBandPath(steps)).toBe('m0 2h4v-1h2v8h-2v-1h-4zm7 2h2v2h-2z')
})
