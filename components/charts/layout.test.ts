import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { pointOf } from '#testing/components/chart-points.ts'
import { toDrawing } from './layout.ts'
import { CONSENSUS_SCALE, toY } from './scales.ts'
import { toX } from './time-axis.ts'

const DAY = 86_400

const drawingOf = (consensus: number, more: Partial<Parameters<typeof toDrawing>[0]> = {}) =>
  toDrawing({
    points: Array.from({ length: 20 }, (_, index) => pointOf({ t: index * DAY, consensus })),
    bucket: 'day',
    bucketSeconds: DAY,
    dots: [],
    pending: [],
    edge: 'now',
    width: 900,
    ...more,
  })

test('a prediction off the scale is drawn at the edge of its pane and named there', () => {
  const dots = [...Array(30).fill(10), 999_999_999_999.5].map((prediction, id) => {
    return { id, t: DAY, rating: 3, prediction }
  })
  const { predicted, percentScale, percents, offScale } = drawingOf(4, { dots })
  expect(predicted).toHaveLength(31)
  expect(predicted.at(-1)?.y).toBe(toY(percentScale, percents.bound))
  expect(offScale).toEqual({ above: '1 rating off the scale', below: null })
})

describe('what the panes of a chart have in common', () => {
  test('each step goes to the end of its bucket', () => {
    const { ends } = drawingOf(4)
    expect(ends).toHaveLength(20)
    expect(ends.at(0)).toBe(DAY)
    expect(ends.at(-1)).toBe(20 * DAY)
  })

  test('the last step ends now, where what is to come begins', () => {
    const now = 19.4 * DAY
    const pending = [
      { t: now, consensus: 4 },
      { t: 30 * DAY, consensus: 3 },
    ]
    const { ends, now: drawnNow, frame } = drawingOf(4, { pending })
    expect(ends.at(-1)).toBe(now)
    expect(drawnNow).toBe(toX(frame, now))
    expect(frame.span[1]).toBe(30 * DAY)
  })

  test('what the edge is called stands between the labels’ lines, off the consensus', () => {
    const ahead = fc.record({
      past: fc.array(fc.integer({ min: 10, max: 50 }), { minLength: 20, maxLength: 20 }),
      next: fc.integer({ min: 10, max: 50 }),
      days: fc.integer({ min: 1, max: 40 }),
      width: fc.constantFrom(300, 900),
    })
    fc.assert(
      fc.property(ahead, ({ past, next, days, width }) => {
        const { edge, frame } = drawingOf(4, {
          width,
          points: past.map((tenths, index) => pointOf({ t: index * DAY, consensus: tenths / 10 })),
          edge: 'as of 2025-11-23',
          pending: [
            { t: 20 * DAY, consensus: (past.at(-1) ?? 30) / 10 },
            { t: (20 + days) * DAY, consensus: next / 10 },
          ],
        })
        if (edge === null) throw new Error('There is no edge.')
        for (const rating of [1, 2, 3, 4, 5]) {
          expect(Math.abs(edge.y - toY(CONSENSUS_SCALE, rating))).toBeGreaterThan(14)
        }
        expect(edge.left + edge.width).toBeLessThanOrEqual(frame.width)
      }),
    )
    const flat = (consensus: number) => {
      const pending = [20, 21].map((day) => ({ t: day * DAY, consensus }))
      return drawingOf(consensus, { pending, edge: 'as of 2025-11-23' }).edge?.y ?? 0
    }
    for (const consensus of [1, 1.5, 2.4, 5]) {
      expect(Math.abs(flat(consensus) - toY(CONSENSUS_SCALE, consensus))).toBeGreaterThan(8)
    }
  })

  test('what lies outside of the range is not drawn', () => {
    const dots = [
      { id: 1, t: 3 * DAY, rating: 5, prediction: 12 },
      { id: 2, t: -DAY, rating: 5, prediction: 12 },
    ]
    const { rated } = drawingOf(4, { dots })
    expect(rated.map(({ id }) => id)).toEqual([1])
  })

  test('a single bucket has a place', () => {
    const { frame } = drawingOf(4, { points: [pointOf({ t: 0, consensus: 4 })] })
    expect(toX(frame, 0)).toBe(frame.left)
    expect(Number.isFinite(toX(frame, DAY))).toBe(true)
  })
})
