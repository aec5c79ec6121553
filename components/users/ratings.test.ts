import { describe, expect, test } from 'vitest'
import type { UserRating, UserRatings } from '#lib/contract/answers/users.ts'
import {
  placeRatings,
  pressRatingKey,
  selectRatingAt,
  toEndText,
  toLimitText,
  toRatingsExtent,
  toRatingsSummary,
  toRatingText,
} from './ratings.ts'

const DAY = 86_400
const START = 1_704_067_200
const at = (day: number) => START + day * DAY

const rating = (id: number, from: number, given: Partial<UserRating> = {}): UserRating => ({
  id,
  created_at: at(from),
  until: null,
  rating: 4,
  rating_label: 'Moderate Buy',
  action: 1,
  action_label: 'Initiated',
  prediction: '12.50',
  ended: null,
  ...given,
})

const RATINGS: UserRatings = {
  symbols: [
    {
      symbol: 'AAPL',
      calls: [
        rating(1, 0, { until: at(20), ended: 'renewed' }),
        rating(2, 20, { until: at(60), ended: 'expired' }),
        rating(3, 80),
      ],
    },
    { symbol: 'MSFT', calls: [rating(4, 70, { until: at(65), ended: 'expired' })] },
    { symbol: 'OLD', calls: [rating(5, -900, { until: at(-800), ended: 'expired' })] },
  ],
  symbols_total: 3,
  calls_total: 5,
}

const extent = { from: at(10), to: at(110) }

describe('where ratings are drawn', () => {
  test('on one axis, cut at its ends, gaps left open, symbols without any left out', () => {
    const rows = placeRatings(RATINGS, extent, 1000)
    expect(rows.map(({ symbol }) => symbol)).toEqual(['AAPL', 'MSFT'])
    expect(rows[0]?.ratings.map(({ start, end, how, isCut }) => [start, end, how, isCut])).toEqual([
      [0, 0.1, 'renewed', true],
      [0.1, 0.5, 'expired', false],
      [0.7, 1, 'active', false],
    ])
    expect(rows[1]?.ratings[0]).toMatchObject({ start: 0.6, end: 0.6, how: 'never' })
  })

  test('where earlier ratings are not listed, the axis begins with those that are', () => {
    const many = Array.from({ length: 1000 }, (_, id) => rating(id, id / 50))
    const cut = { symbols: [{ symbol: 'AAPL', calls: many }], symbols_total: 1, calls_total: 5000 }
    expect(toRatingsExtent(cut, '3y', at(30)).from).toBe(at(0))
    expect(toLimitText(cut)).toBe(
      'The latest 1,000 can be shown, on the latest 1 symbol; the time axis begins with the first of them.',
    )
    const whole = { ...cut, calls_total: 1000 }
    expect(toRatingsExtent(whole, '3y', at(30)).from).toBeLessThan(at(-1000))
    expect(toLimitText(whole)).toBe('')
  })

  test('glyphs never stand on each other', () => {
    const marks = placeRatings(RATINGS, extent, 100)[0]?.ratings.map(({ isMarked }) => isMarked)
    expect(marks).toEqual([true, false, true])
  })

  test('the axis reaches back as asked, or to the first rating', () => {
    expect(toRatingsExtent(RATINGS, '1y', at(110)).from).toBe(1_681_948_800)
    expect(toRatingsExtent(RATINGS, 'all', at(110)).from).toBe(at(-900))
  })

  test('one rating in the second that the page stands at still has an axis', () => {
    const one = {
      symbols: [{ symbol: 'A', calls: [rating(1, 0)] }],
      symbols_total: 1,
      calls_total: 1,
    }
    const { from, to } = toRatingsExtent(one, 'all', at(0))
    expect(to).toBeGreaterThan(from)
  })

  test('what is pointed at is what covers the place, or the nearest within reach', () => {
    const [row] = placeRatings(RATINGS, extent, 1000)
    expect(selectRatingAt(row, 300, 1000)?.rating.id).toBe(2)
    expect(selectRatingAt(row, 100, 1000)?.rating.id).toBe(2)
    expect(selectRatingAt(row, 695, 1000)?.rating.id).toBe(3)
    expect(selectRatingAt(row, 600, 1000)).toBeNull()
    expect(selectRatingAt(undefined, 300, 1000)).toBeNull()
  })
})

describe('arrow keys', () => {
  const rows = placeRatings(RATINGS, extent, 1000)
  const press = (from: number | null, key: string) => {
    const start = rows.flatMap(({ ratings }) => ratings).find(({ rating: one }) => one.id === from)
    return pressRatingKey(rows, start ?? null, key)?.rating.id
  }

  test('come in at the latest rating of the first row', () => {
    expect([press(null, 'ArrowDown'), press(null, 'Home')]).toEqual([3, 1])
  })

  test('go along a row and stay at its ends, and to the nearest rating of the next row', () => {
    expect([press(2, 'ArrowLeft'), press(2, 'ArrowRight'), press(3, 'ArrowRight')]).toEqual([
      1, 3, 3,
    ])
    expect([press(1, 'ArrowDown'), press(4, 'ArrowUp'), press(4, 'ArrowDown')]).toEqual([4, 3, 4])
    expect([press(1, 'End'), press(3, 'Home')]).toEqual([3, 1])
  })

  test('other keys are not ours', () => {
    expect(pressRatingKey(rows, null, 'x')).toBeNull()
    expect(pressRatingKey([], null, 'ArrowDown')).toBeNull()
  })
})

describe('in words', () => {
  test('a rating says what, from when, until when, and why no longer', () => {
    const text = toRatingText('AAPL', rating(1, 0, { until: at(20), ended: 'renewed' }), {
      zone: 'UTC',
    })
    expect(text).toBe(
      'AAPL: Initiated, Moderate Buy, +12.50%, posted 2024-01-01 00:00, until 2024-01-21 00:00, replaced by the next.',
    )
    expect(toEndText(rating(1, 0), 'UTC')).toBe('still active, no expiry')
    expect(toEndText(rating(1, 0, { until: at(9) }), 'UTC')).toBe(
      'still active, expires 2024-01-10 00:00',
    )
    expect(toEndText(rating(1, 5, { until: at(9), ended: 'vanished' }), 'UTC')).toMatch(
      /^until .*, no longer listed by the service$/,
    )
    expect(toEndText(rating(1, 5, { until: at(5), ended: 'expired' }), 'UTC')).toBe(
      'had expired before it was posted',
    )
  })

  test('the drawing is summed up', () => {
    const rows = placeRatings(RATINGS, extent, 1000)
    const summary = toRatingsSummary({ userId: 12, rows, ...extent, zone: 'UTC' })
    expect(summary).toContain('User 12: 4 ratings on 2 symbols active between 2024-01-11')
    expect(summary).toContain(
      '1 still active, 1 replaced by the next rating, 1 expired, 1 had expired',
    )
  })
})
