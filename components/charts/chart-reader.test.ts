import { describe, expect, test } from 'vitest'
import { nextMark, selectMark } from './chart-reader.tsx'
import { toTimeFrame, toX } from './time-axis.ts'

const DAY = 86_400
const starts = Array.from({ length: 10 }, (_, index) => index * DAY)
const frame = toTimeFrame({ starts, bucket: 'day', bucketSeconds: DAY, width: 800 })
const mark = (id: number, day: number) => ({ id, x: toX(frame, day * DAY), y: 50, text: '' })
const marks = [mark(1, 1.2), mark(2, 1.4), mark(3, 6.5)]

describe('single ratings of a chart', () => {
  test('the nearest within reach is meant by a press, and none beyond', () => {
    const [first] = marks
    expect(selectMark(marks, { x: (first?.x ?? 0) + 3, y: 52 })?.id).toBe(1)
    expect(selectMark(marks, { x: (first?.x ?? 0) + 3, y: 90 })).toBeNull()
  })

  test('keys go through them in the order of time, and stay at the ends', () => {
    const step = (from: number | null, by: number) =>
      nextMark(marks, marks.find(({ id }) => id === from) ?? null, { step: by, frame, index: null })
    expect(step(null, 1).mark?.id).toBe(1)
    expect(step(1, 1).mark?.id).toBe(2)
    expect(step(3, 1).mark?.id).toBe(3)
    expect(step(3, -1)).toMatchObject({ mark: { id: 2 }, column: 1 })
  })

  test('from a bucket without any, keys go to the next one beyond', () => {
    const from = { frame, index: 4 }
    expect(nextMark(marks, null, { ...from, step: 1 }).mark?.id).toBe(3)
    expect(nextMark(marks, null, { ...from, step: -1 }).mark?.id).toBe(2)
  })
})
