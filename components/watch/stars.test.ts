import fc from 'fast-check'
import { expect, test } from 'vitest'
import { draws } from '#testing/draws.ts'
import type { LastSeen } from './last-seen.ts'
import {
  hasRoom,
  isWatched,
  mergeStars,
  NO_STARS,
  type Stars,
  toFullText,
  withLook,
  withoutStar,
  withStar,
} from './stars.ts'
import { toStarId } from './watched.ts'

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
  const one = withStar(withStar(NO_STARS, AAPL), VIEW)
  expect(withStar(one, AAPL)).toBe(one)
  expect(isWatched(one, AAPL)).toBe(true)
  const none = withoutStar(one, AAPL)
  expect(isWatched(none, AAPL)).toBe(false)
  expect(none.stars.map(toStarId)).toEqual(['view a'])
  expect(withoutStar(none, AAPL)).toBe(none)
})

test('there is room for a hundred symbols, and users have their own', () => {
  const many = Array.from({ length: 100 }, (_, index) => watched('symbol', `S${index}`))
  const all = many.reduce(withStar, NO_STARS)
  expect(hasRoom(all, 'symbol')).toBe(false)
  expect(withStar(all, AAPL)).toBe(all)
  expect(isWatched(withStar(all, watched('user', '1')), watched('user', '1'))).toBe(true)
  expect(toFullText('symbol')).toBe('At most 100 watched symbols can be kept. Remove a star first.')
})

test('the first answer is what news are told from, and a look that found some keeps the one before', () => {
  const first = look(withStar(NO_STARS, AAPL), AAPL, held(3))
  expect(first.stars[0]).toMatchObject({ seen: { ratings: 3 }, before: null })
  const second = look(first, AAPL, held(5))
  expect(second.stars[0]).toMatchObject({ seen: { ratings: 5 }, before: { ratings: 3 } })
  const third = look(second, AAPL, held(5, { at: 9, consensus: '3.1000' }))
  expect(third.stars[0]).toMatchObject({ seen: { at: 9 }, before: { ratings: 3 } })
  expect(look(third, AAPL, held(5, { at: 9, consensus: '3.1000' }))).toBe(third)
})

test('what comes while the reader has the page in sight is told beside what was there', () => {
  const before = look(look(withStar(NO_STARS, AAPL), AAPL, held(3)), AAPL, held(5))
  expect(look(before, AAPL, held(6), true).stars[0]).toMatchObject({ before: { ratings: 3 } })
  expect(look(before, AAPL, held(6)).stars[0]).toMatchObject({ before: { ratings: 5 } })
})

test('a view that is asked for with other filters begins anew', () => {
  const first = look(withStar(NO_STARS, VIEW), VIEW, held(3, { of: 'rating=5' }))
  const other = look(look(first, VIEW, held(4, { of: 'rating=5' })), VIEW, held(9, { of: 'x' }))
  expect(other.stars[0]).toMatchObject({ seen: { ratings: 9 }, before: null })
})

type Change = (all: Stars) => Stars
const aThing = fc.constantFrom(
  AAPL,
  VIEW,
  watched('symbol', 'MSFT'),
  watched('user', '12'),
  watched('user', '-3'),
)
const aChange: fc.Arbitrary<Change> = fc.oneof(
  aThing.map(
    (one): Change =>
      (all) =>
        withStar(all, one),
  ),
  aThing.map(
    (one): Change =>
      (all) =>
        withoutStar(all, one),
  ),
  fc.tuple(aThing, fc.nat(9), fc.nat(9), fc.boolean()).map(
    ([one, ratings, at, stays]): Change =>
      (all) =>
        look(all, one, held(ratings, { at, generation: at }), stays),
  ),
)
const history = fc.array(aChange, { maxLength: 8 })
const apply = (all: Stars, changes: Change[]) => changes.reduce((so, to) => to(so), all)

test('two tabs that hear of each other hold the same, whoever was first', () => {
  fc.assert(
    fc.property(history, history, history, (common, ones, others) => {
      const base = apply(NO_STARS, common)
      const [one, other] = [apply(base, ones), apply(base, others)]
      const merged = mergeStars(one, other)
      expect(mergeStars(other, one)).toEqual(merged)
      expect(mergeStars(merged, one)).toEqual(merged)
      expect(mergeStars(merged, merged)).toEqual(merged)
    }),
    { numRuns: draws(2000) },
  )
})

test('three tabs hold the same in whatever order they hear of each other', () => {
  fc.assert(
    fc.property(history, history, history, (a, b, c) => {
      const [one, two, three] = [a, b, c].map((changes) => apply(NO_STARS, changes)) as [
        Stars,
        Stars,
        Stars,
      ]
      expect(mergeStars(mergeStars(one, two), three)).toEqual(
        mergeStars(one, mergeStars(two, three)),
      )
    }),
    { numRuns: draws(2000) },
  )
})

test('what one tab has looked at is not new again by what another tab knew before', () => {
  fc.assert(
    fc.property(fc.nat(40), fc.nat(40), (then, more) => {
      const base = look(withStar(NO_STARS, AAPL), AAPL, held(then))
      const looked = look(base, AAPL, held(then + more))
      const [star] = mergeStars(base, looked).stars
      expect(star?.seen?.ratings).toBe(then + more)
    }),
  )
})

test('a star that one tab took away does not come back from another, and one that was given again stays', () => {
  const base = withStar(NO_STARS, AAPL)
  const gone = withoutStar(base, AAPL)
  expect(mergeStars(base, gone).stars).toEqual([])
  expect(mergeStars(look(base, AAPL, held(4)), gone).stars).toEqual([])
  expect(mergeStars(gone, withStar(gone, AAPL)).stars).toHaveLength(1)
})
