import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toColumn, toEdges, toSides, toTimeFrame, toX } from './time-axis.ts'

const DAY = 86_400
const at = (text: string) => Date.parse(`${text}T00:00:00Z`) / 1000

const starts = Array.from({ length: 30 }, (_, index) => at('2026-01-01') + index * DAY)
const frame = toTimeFrame({ starts, bucket: 'day', bucketSeconds: DAY, width: 900 })

describe('the edges of buckets', () => {
  test('are one more than the buckets, and months end where the calendar says', () => {
    const months = [at('2026-01-01'), at('2026-02-01')]
    const edges = toEdges(months, { bucket: 'month', bucketSeconds: 30 * DAY })
    expect(edges).toEqual([...months, at('2026-03-01')])
    expect(toEdges([at('2024-01-01')], { bucket: 'year', bucketSeconds: 1 })).toEqual([
      at('2024-01-01'),
      at('2025-01-01'),
    ])
  })

  test('a single bucket still has a width', () => {
    expect(toEdges([100], { bucket: 'week', bucketSeconds: 7 * DAY })).toEqual([100, 100 + 7 * DAY])
  })
})

describe('the time axis', () => {
  test('shows the whole of the first and of the last bucket', () => {
    expect(frame.span).toEqual([starts[0], at('2026-01-31')])
    expect(toX(frame, frame.span[0])).toBe(frame.left)
    expect(toX(frame, frame.span[1])).toBe(frame.width - frame.right)
  })

  test('reaches to what is still to come', () => {
    const until = at('2026-03-01')
    const longer = toTimeFrame({ starts, bucket: 'day', bucketSeconds: DAY, width: 900, until })
    expect(longer.span[1]).toBe(until)
    expect(longer.edges).toEqual(frame.edges)
  })

  test('names no time that its right edge would cut off', () => {
    const width = fc.integer({ min: 200, max: 2000 })
    const days = fc.integer({ min: 1, max: 400 })
    fc.assert(
      fc.property(width, days, (wide, count) => {
        const some = Array.from({ length: count }, (_, index) => index * DAY)
        const one = toTimeFrame({ starts: some, bucket: 'day', bucketSeconds: DAY, width: wide })
        const ends = one.ticks.map((tick) => toX(one, tick.at) + tick.label.length * 3)
        expect(ends.every((end) => end <= wide)).toBe(true)
      }),
    )
  })
})

describe('the bucket at a place', () => {
  test('is the one whose column the place lies in', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 29 }),
        fc.double({ min: 0.01, max: 0.99, noNaN: true }),
        (n, s) => {
          const [from, to] = toSides(frame, n)
          expect(toColumn(frame, from + s * (to - from))).toBe(n)
        },
      ),
    )
  })

  test('is the first or the last one beyond them', () => {
    expect(toColumn(frame, -50)).toBe(0)
    expect(toColumn(frame, 5000)).toBe(29)
  })
})
