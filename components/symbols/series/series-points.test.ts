import { describe, expect, test } from 'vitest'
import type { SeriesPoint } from '#lib/contract/answers/opinion.ts'
import { dayAt, pointOn } from '#testing/components/chart-points.ts'
import { selectMove, toCauseText, toChangeText } from './series-points.ts'

const DAY = 86_400

const series = (...points: [consensus: string | null, changes?: Partial<SeriesPoint>][]) => ({
  points: points.map(([consensus, changes], index) =>
    pointOn('2024-08-01', { t: dayAt('2024-08-01') + index * DAY, consensus, ...changes }),
  ),
})

const moveOf = (given: ReturnType<typeof series>) => {
  const move = selectMove(given.points)
  return move && [toChangeText(move), toCauseText(move)]
}

describe('the most notable move', () => {
  test('says what happened, in the direction of the move', () => {
    const changes = { downgraded: 5, upgraded: 2, lapsed: 9 }
    expect(moveOf(series(['4.0000'], ['3.8000', changes]))).toEqual(['-0.2000', '5 downgrades'])
    expect(moveOf(series(['4.0000'], ['4.2000', { upgraded: 1 }]))).toEqual(['0.2000', '1 upgrade'])
  })

  test('says so where far more expired, where labels speak against it, and where neither happened', () => {
    const causeOf = (changes: Partial<SeriesPoint>) =>
      moveOf(series(['4.0000'], ['3.8000', changes]))?.[1]
    expect(causeOf({ downgraded: 4, lapsed: 12 })).toBe('12 expired')
    expect(causeOf({ downgraded: 2, upgraded: 2, lapsed: 1 })).toBe('1 expired')
    expect(causeOf({ posted: 7 })).toBe('7 posted')
  })

  test('is of 0.15 and more, in exact decimals', () => {
    expect(moveOf(series(['4.1499'], ['4.0000']))).toBeNull()
    expect(moveOf(series(['4.1500'], ['4.0000']))).not.toBeNull()
  })

  test('is never over fewer than three on either side, nor over a gap', () => {
    expect(moveOf(series(['4.0000', { active: 2 }], ['3.0000']))).toBeNull()
    expect(moveOf(series(['4.0000'], ['3.0000', { active: 2 }]))).toBeNull()
    expect(moveOf(series(['4.0000'], [null, { active: 0 }], ['3.0000']))).toBeNull()
  })

  test('is one of many rather than a larger one of few', () => {
    const move = moveOf(
      series(
        ['4.0000', { active: 4 }],
        ['3.0000', { active: 4 }],
        ['3.5000', { active: 400 }],
        ['4.0000', { active: 400 }],
      ),
    )
    expect(move?.[0]).toBe('0.5000')
  })
})
