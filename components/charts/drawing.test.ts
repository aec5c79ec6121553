import { describe, expect, test } from 'vitest'
import { CONSENSUS_SCALE } from './consensus-scale.ts'
import { toDrawing } from './drawing.ts'
import { toY } from './pane-scale.ts'
import { pointOf } from './point.test-support.ts'
import { toX } from './time-frame.ts'

const DAY = 86_400

const drawingOf = (consensus: number, more: Partial<Parameters<typeof toDrawing>[0]> = {}) =>
  toDrawing({
    points: Array.from({ length: 20 }, (_, index) => pointOf({ t: index * DAY, consensus })),
    bucket: 'day',
    bucketSeconds: DAY,
    dots: [],
    pending: [],
    moves: [],
    trend: 'count',
    width: 900,
    ...more,
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
    const { ends, landmarks, frame } = drawingOf(4, { pending })
    expect(ends.at(-1)).toBe(now)
    expect(landmarks.now).toBe(toX(frame, now))
    expect(frame.span[1]).toBe(30 * DAY)
  })

  test('texts stand beside the line, whether it is high or low', () => {
    const moves = [{ t: 10 * DAY, text: '5 downgrades' }]
    for (const consensus of [1, 1.6, 3, 4.2, 5]) {
      const [label] = drawingOf(consensus, { moves }).annotations
      const distance = Math.abs((label?.y ?? 0) - toY(CONSENSUS_SCALE, consensus))
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
    const { annotations, landmarks } = drawingOf(4, { moves, pending })
    const [label] = annotations
    expect((label?.left ?? 0) + (label?.width ?? 0)).toBeLessThanOrEqual(landmarks.now ?? 0)
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

  test('a hairline without a text is not drawn either', () => {
    const moves = [1, 2, 3, 4, 5].map((day) => ({ t: day * DAY, text: 'a long text of a move' }))
    const { annotations, landmarks } = drawingOf(4, { moves })
    expect(landmarks.moves).toHaveLength(annotations.length)
  })

  test('a single bucket has a place', () => {
    const { frame } = drawingOf(4, { points: [pointOf({ t: 0, consensus: 4 })] })
    expect(toX(frame, 0)).toBe(frame.left)
    expect(Number.isFinite(toX(frame, DAY))).toBe(true)
  })
})
