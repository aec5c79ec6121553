import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { pointOf } from '#testing/components/chart-points.ts'
import { PANE_HEIGHTS } from './chart-sizes.ts'
import { toAnnotations, toDrawing } from './layout.ts'
import { toConsensusScale, toY } from './scales.ts'
import { toX } from './time-axis.ts'

const DAY = 86_400
const SCALE = toConsensusScale(PANE_HEIGHTS.consensus)

const drawingOf = (consensus: number, more: Partial<Parameters<typeof toDrawing>[0]> = {}) =>
  toDrawing({
    points: Array.from({ length: 20 }, (_, index) => pointOf({ t: index * DAY, consensus })),
    bucket: 'day',
    bucketSeconds: DAY,
    dots: [],
    pending: [],
    moves: [],
    trend: 'count',
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

  test('texts stand beside the line, whether it is high or low', () => {
    const moves = [{ t: 10 * DAY, text: '5 downgrades' }]
    for (const consensus of [1, 1.6, 3, 4.2, 5]) {
      const [label] = drawingOf(consensus, { moves }).annotations
      const distance = Math.abs((label?.y ?? 0) - toY(SCALE, consensus))
      expect(distance).toBeGreaterThan(8)
      expect(distance).toBeLessThan(40)
    }
  })

  test('a text of the past never reaches into what is to come', () => {
    const pending = [
      { t: 20 * DAY, consensus: 4 },
      { t: 30 * DAY, consensus: 3 },
    ]
    const moves = [{ t: 19 * DAY, text: '5 downgrades on 2024-08-02' }]
    const { annotations, now } = drawingOf(4, { moves, pending })
    const [label] = annotations
    expect((label?.left ?? 0) + (label?.width ?? 0)).toBeLessThanOrEqual(now ?? 0)
  })

  test('what the edge is called stands between the labels’ lines, off the consensus, and no text lies on it', () => {
    const ahead = fc.record({
      past: fc.array(fc.integer({ min: 10, max: 50 }), { minLength: 20, maxLength: 20 }),
      next: fc.integer({ min: 10, max: 50 }),
      days: fc.integer({ min: 1, max: 40 }),
      at: fc.integer({ min: 12, max: 19 }),
      width: fc.constantFrom(300, 900),
    })
    fc.assert(
      fc.property(ahead, ({ past, next, days, at, width }) => {
        const { edge, annotations, frame } = drawingOf(4, {
          width,
          points: past.map((tenths, index) => pointOf({ t: index * DAY, consensus: tenths / 10 })),
          edge: 'as of 2025-11-23',
          moves: [{ t: at * DAY, text: '12 downgrades on 2025-11-20', short: '12 downgrades' }],
          pending: [
            { t: 20 * DAY, consensus: (past.at(-1) ?? 30) / 10 },
            { t: (20 + days) * DAY, consensus: next / 10 },
          ],
        })
        if (edge === null) throw new Error('There is no edge.')
        for (const rating of [1, 2, 3, 4, 5]) {
          expect(Math.abs(edge.y - toY(SCALE, rating))).toBeGreaterThan(14)
        }
        expect(edge.left + edge.width).toBeLessThanOrEqual(frame.width)
        for (const label of annotations) {
          const isBeside =
            label.left + label.width < edge.left || edge.left + edge.width < label.left
          expect(isBeside || Math.abs(label.y - edge.y) > 16).toBe(true)
        }
      }),
    )
    const flat = (consensus: number) => {
      const pending = [20, 21].map((day) => ({ t: day * DAY, consensus }))
      return drawingOf(consensus, { pending, edge: 'as of 2025-11-23' }).edge?.y ?? 0
    }
    for (const consensus of [1, 1.5, 2.4, 5]) {
      expect(Math.abs(flat(consensus) - toY(SCALE, consensus))).toBeGreaterThan(8)
    }
  })

  test('what lies outside of the range is not drawn', () => {
    const moves = [{ t: 40 * DAY, text: '5 downgrades' }]
    const dots = [
      { id: 1, t: 3 * DAY, rating: 5, prediction: 12 },
      { id: 2, t: -DAY, rating: 5, prediction: 12 },
    ]
    const { annotations, rated } = drawingOf(4, { moves, dots })
    expect(annotations).toEqual([])
    expect(rated.map(({ id }) => id)).toEqual([1])
  })

  test('at most three notes stand beside the line, whatever the range', () => {
    const moves = Array.from({ length: 19 }, (_, day) => ({ t: day * DAY, text: '9 upgrades' }))
    const { annotations } = drawingOf(4, { moves })
    expect(annotations.length).toBeGreaterThan(0)
    expect(annotations.length).toBeLessThanOrEqual(3)
  })

  test('a single bucket has a place', () => {
    const { frame } = drawingOf(4, { points: [pointOf({ t: 0, consensus: 4 })] })
    expect(toX(frame, 0)).toBe(frame.left)
    expect(Number.isFinite(toX(frame, DAY))).toBe(true)
  })
})

const HALF = 8
const room = (line: { from: number; left: number; right: number }) => ({
  left: 40,
  right: 900,
  top: 4,
  bottom: 210,
  reachOf: (left: number, right: number) => {
    const heights = [
      ...(left < line.from ? [line.left] : []),
      ...(right >= line.from ? [line.right] : []),
    ]
    return { top: Math.min(...heights), bottom: Math.max(...heights) }
  },
})

const LEVEL = room({ from: 500, left: 100, right: 100 })

const height = fc.integer({ min: 16, max: 222 })

test('labels never overlap, never leave the pane, and are at most three', () => {
  const move = fc.record({
    x: fc.integer({ min: 40, max: 900 }),
    y: height,
    text: fc.string({ minLength: 1, maxLength: 40 }),
  })
  const line = fc.record({ from: fc.integer({ min: 40, max: 900 }), left: height, right: height })
  fc.assert(
    fc.property(fc.array(move, { maxLength: 8 }), line, (moves, drawn) => {
      const given = room(drawn)
      const placed = toAnnotations(moves, given)
      expect(placed.length).toBeLessThanOrEqual(3)
      for (const [index, one] of placed.entries()) {
        expect(one.left > one.x || one.left + one.width < one.x).toBe(true)
        expect(one.left).toBeGreaterThanOrEqual(given.left)
        expect(one.left + one.width).toBeLessThanOrEqual(given.right)
        expect(one.y - HALF).toBeGreaterThanOrEqual(given.top)
        expect(one.y + HALF).toBeLessThanOrEqual(given.bottom)
        for (const other of placed.slice(index + 1)) {
          const isApart = one.left + one.width < other.left || other.left + other.width < one.left
          expect(Math.abs(one.y - other.y) > 2 * HALF || isApart).toBe(true)
        }
      }
    }),
  )
})

test('a single label never stands on the line, and as near to it as that allows', () => {
  fc.assert(
    fc.property(fc.integer({ min: 40, max: 900 }), height, (x, y) => {
      const [label] = toAnnotations(
        [{ x, y, text: '5 downgrades' }],
        room({ from: 0, left: y, right: y }),
      )
      const distance = Math.abs((label?.y ?? y) - y)
      expect(distance).toBeGreaterThan(HALF)
      expect(distance).toBeLessThan(3 * HALF)
    }),
  )
})

test('a label gives way to a step that it would cover', () => {
  const step = room({ from: 450, left: 60, right: 150 })
  const [label] = toAnnotations([{ x: 450, y: 150, text: '5 downgrades' }], step)
  const reach = step.reachOf(label?.left ?? 0, (label?.left ?? 0) + (label?.width ?? 0))
  expect((label?.y ?? 0) + HALF < reach.top || (label?.y ?? 0) - HALF > reach.bottom).toBe(true)
})

test('a label that finds its place taken stands in another', () => {
  const moves = [
    { x: 300, y: 100, text: '5 downgrades' },
    { x: 310, y: 100, text: '9 upgrades' },
    { x: 320, y: 100, text: '7 upgrades' },
  ]
  const [first, second, third] = toAnnotations(moves, LEVEL)
  expect([first?.y, second?.y]).not.toContain(third?.y)
})

test('where the line leaves no room, a label stands at the foot', () => {
  const full = { ...LEVEL, reachOf: () => ({ top: 0, bottom: 220 }) }
  expect(toAnnotations([{ x: 300, y: 100, text: '5 downgrades' }], full)[0]?.y).toBe(210 - HALF)
})

test('a label that finds no place beside its instant is said shorter', () => {
  const narrow = { ...LEVEL, right: LEVEL.left + 236 }
  const wanted = {
    x: LEVEL.left + 118,
    y: 100,
    text: '12 downgrades in 2021-03',
    short: '12 downgrades',
  }
  expect(toAnnotations([wanted], narrow)).toMatchObject([{ text: '12 downgrades' }])
  expect(toAnnotations([wanted], LEVEL)).toMatchObject([{ text: '12 downgrades in 2021-03' }])
})

test('a label covers the instant of no other where both sides are free', () => {
  const [first, second] = toAnnotations(
    [
      { x: 300, y: 100, text: '5 downgrades' },
      { x: 340, y: 100, text: '9 upgrades' },
    ],
    LEVEL,
  )
  expect((first?.left ?? 0) + (first?.width ?? 0)).toBeLessThan(300)
  expect(second?.left).toBeGreaterThan(340)
})

test('one that is wider than the pane is left out', () => {
  const narrow = { ...LEVEL, right: 90 }
  expect(toAnnotations([{ x: 50, y: 9, text: '5 downgrades on 2024-08-02' }], narrow)).toEqual([])
})
