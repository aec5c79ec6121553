import { expect, test } from 'vitest'
import type { LastSeen } from '#components/store/stored-state.ts'
import { isWatched, type Stars, toStarId, withLook, withoutStar, withStar } from './stars.ts'

const watched = (kind: 'symbol' | 'user' | 'view', key: string) => ({ kind, key, name: '' })
const [AAPL, VIEW] = [watched('symbol', 'AAPL'), watched('view', 'a')]

const held = (ratings: number, rest: Partial<LastSeen> = {}): LastSeen => ({
  ratings,
  newest: Array.from({ length: Math.min(ratings, 50) }, (_, index) => ratings - index),
  newestAt: ratings,
  consensus: '3.0000',
  active: ratings,
  at: ratings,
  generation: ratings,
  of: '',
  ...rest,
})
const look = (all: Stars, of: typeof AAPL, at: LastSeen, stays?: boolean) =>
  withLook(all, new Map([[toStarId(of), at]]), () => stays ?? false)

test('a star is given once and taken away again, and nothing else changes', () => {
  const one = withStar(withStar([], AAPL), VIEW)
  expect(withStar(one, AAPL)).toBe(one)
  expect(isWatched(one, AAPL)).toBe(true)
  const none = withoutStar(one, AAPL)
  expect(isWatched(none, AAPL)).toBe(false)
  expect(none.map(toStarId)).toEqual(['view a'])
  expect(withoutStar(none, AAPL)).toEqual(none)
})

test('there is room for a hundred symbols, and users have their own', () => {
  const many = Array.from({ length: 100 }, (_, index) => watched('symbol', `S${index}`))
  const all = many.reduce<Stars>(withStar, [])
  expect(withStar(all, AAPL)).toBe(all)
  expect(isWatched(withStar(all, watched('user', '1')), watched('user', '1'))).toBe(true)
})

test('the first answer is what news are told from, and a look that found some keeps the one before', () => {
  const first = look(withStar([], AAPL), AAPL, held(3))
  expect(first[0]).toMatchObject({ seen: { ratings: 3 }, before: null })
  const second = look(first, AAPL, held(5))
  expect(second[0]).toMatchObject({ seen: { ratings: 5 }, before: { ratings: 3 } })
  const third = look(second, AAPL, held(5, { at: 9, consensus: '3.1000' }))
  expect(third[0]).toMatchObject({ seen: { at: 9 }, before: { ratings: 3 } })
  expect(look(third, AAPL, held(5, { at: 9, consensus: '3.1000' }))).toBe(third)
})

test('what comes while the reader has the page in sight is told beside what was there', () => {
  const before = look(look(withStar([], AAPL), AAPL, held(3)), AAPL, held(5))
  expect(look(before, AAPL, held(6), true)[0]).toMatchObject({ before: { ratings: 3 } })
  expect(look(before, AAPL, held(6))[0]).toMatchObject({ before: { ratings: 5 } })
})

test('a view that is asked for with other filters begins anew', () => {
  const first = look(withStar([], VIEW), VIEW, held(3, { of: 'rating=5' }))
  const other = look(look(first, VIEW, held(4, { of: 'rating=5' })), VIEW, held(9, { of: 'x' }))
  expect(other[0]).toMatchObject({ seen: { ratings: 9 }, before: null })
})

test('a star that was removed comes back with what was seen', () => {
  const looked = look(withStar([], AAPL), AAPL, held(3))
  const none = withoutStar(looked, AAPL)
  const [star] = looked
  expect(star && withStar(none, star)).toEqual(looked)
})
