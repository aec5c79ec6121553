import fc from 'fast-check'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { Curve, type CurveProps } from 'recharts'
import { describe, expect, test } from 'vitest'
import { toBandPoints, toBoxesPath, toDotsPath, toSegmentPoints, toStepPoints } from './paths.ts'

/** The path that is written for a curve, empty where there is none. */
const draw = (props: CurveProps) =>
  / d="([^"]*)"/.exec(renderToStaticMarkup(createElement(Curve, props)))?.[1] ?? ''

const drawSteps = (steps: Parameters<typeof toStepPoints>[0]) =>
  draw({ points: toStepPoints(steps), type: 'stepAfter' })

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
    expect(drawSteps(steps)).toBe('M0,5L4,5L4,2L8,2L8,2M12,3L16,3L16,3')
  })

  test('of a single bucket is as wide as the bucket', () => {
    const steps = [
      { x: 2, value: 7 },
      { x: 10, value: null },
    ]
    expect(drawSteps(steps)).toBe('M2,7L10,7L10,7')
  })

  test('ends with its last value where that is no gap', () => {
    const steps = [
      { x: 0, value: 5 },
      { x: 4, value: 2 },
      { x: 9, value: 2 },
    ]
    expect(drawSteps(steps)).toBe('M0,5L4,5L4,2L9,2L9,2')
  })

  test('of nothing but gaps is nothing', () => {
    expect(drawSteps([{ x: 0, value: null }])).toBe('')
    expect(drawSteps([])).toBe('')
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
  expect(draw({ ...toBandPoints(steps), type: 'stepAfter' })).toBe(
    'M0,2L4,2L4,1L6,1L6,1L6,9L6,9L4,9L4,8L0,8ZM7,4L9,4L9,4L9,6L9,6L7,6Z',
  )
})
