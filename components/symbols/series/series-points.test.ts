import { describe, expect, test } from 'vitest'
import type { SeriesPoint } from '#lib/contract/answers/opinion.ts'
import { dayAt, pointOn } from '#testing/components/chart-points.ts'
import { selectMoves, toChangeText } from './series-points.ts'

const DAY = 86_400

const series = (...points: [consensus: string | null, changes?: Partial<SeriesPoint>][]) => ({
  bucket: 'day' as const,
  points: points.map(([consensus, changes], index) =>
    pointOn('2024-08-01', { t: dayAt('2024-08-01') + index * DAY, consensus, ...changes }),
  ),
})

const textsOf = (given: ReturnType<typeof series>, minimum = 3) =>
  selectMoves(given, minimum).map((move) => move.text)

describe('notes of large moves', () => {
  test('say what happened, in the direction of the move', () => {
    expect(
      textsOf(series(['4.0000'], ['3.8000', { downgraded: 5, upgraded: 2, lapsed: 9 }])),
    ).toEqual(['5 downgrades on 2024-08-02'])
    expect(textsOf(series(['4.0000'], ['4.2000', { upgraded: 1 }]))).toEqual([
      '1 upgrade on 2024-08-02',
    ])
  })

  test('say so where far more expired, where labels speak against it, and where neither happened', () => {
    const many = { downgraded: 4, lapsed: 12 }
    const against = { downgraded: 2, upgraded: 2, lapsed: 1 }
    expect(textsOf(series(['4.0000'], ['3.8000', many]))).toEqual(['12 expired on 2024-08-02'])
    expect(textsOf(series(['4.0000'], ['3.8000', against]))).toEqual(['1 expired on 2024-08-02'])
    expect(textsOf(series(['4.0000'], ['3.8000', { posted: 7 }]))).toEqual([
      '7 posted on 2024-08-02',
    ])
  })

  test('name a week by its Monday', () => {
    const weekly = { ...series(['4.0000'], ['4.2000', { upgraded: 7 }]), bucket: 'week' as const }
    expect(selectMoves(weekly, 3).map((move) => move.text)).toEqual([
      '7 upgrades in the week of 2024-08-02',
    ])
  })

  test('are of 0.15 and more, in exact decimals', () => {
    expect(textsOf(series(['4.1499'], ['4.0000']))).toEqual([])
    expect(textsOf(series(['4.1500'], ['4.0000']))).toHaveLength(1)
  })

  test('are never over fewer than the minimum on either side, nor over a gap', () => {
    expect(textsOf(series(['4.0000', { active: 2 }], ['3.0000']))).toEqual([])
    expect(textsOf(series(['4.0000'], ['3.0000', { active: 2 }]))).toEqual([])
    expect(textsOf(series(['4.0000', { active: 2 }], ['3.0000']), 2)).toHaveLength(1)
    expect(textsOf(series(['4.0000'], [null, { active: 0 }], ['3.0000']))).toEqual([])
  })

  test('a move of many counts more than a larger one of few', () => {
    const moves = selectMoves(
      series(
        ['4.0000', { active: 4 }],
        ['3.0000', { active: 4 }],
        ['3.5000', { active: 400 }],
        ['4.0000', { active: 400 }],
      ),
      3,
    )
    expect(moves.map(toChangeText)[0]).toBe('0.5000')
  })

  test('are at most three, and never so near that they lie on one another', () => {
    const jumps = Array.from({ length: 60 }, (_, index): [string] => [
      index % 2 === 0 ? '4.0000' : '3.5000',
    ])
    const moves = selectMoves(series(...jumps), 3)
    expect(moves).toHaveLength(3)
    const times = moves.map((move) => move.t).sort((a, b) => a - b)
    for (const [index, t] of times.slice(1).entries()) {
      expect(t - (times[index] ?? 0)).toBeGreaterThanOrEqual(59 * DAY * 0.08)
    }
  })
})
