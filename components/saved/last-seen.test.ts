import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { LastSeen } from '#components/store/stored-state.ts'
import { draws } from '#testing/draws.ts'
import { isFurther, NO_NEW_RATINGS, toNewRatings, toTotal } from './last-seen.ts'

const NEWEST = 50

type Row = { id: number; at: number }

const toHeld = (rows: readonly Row[], rest: Partial<LastSeen> = {}): LastSeen => {
  const newest = [...rows].sort((a, b) => b.at - a.at || b.id - a.id).slice(0, NEWEST)
  return {
    ratings: rows.length,
    newest: newest.map(({ id }) => id),
    newestAt: newest[0]?.at ?? null,
    consensus: null,
    active: 0,
    at: 0,
    generation: 1,
    of: '',
    ...rest,
  }
}

const aRow = (id: number) => fc.record({ id: fc.constant(id), at: fc.nat(40) })
const someRows = (from: number, most: number) =>
  fc
    .nat(most)
    .chain((count) => fc.tuple(...Array.from({ length: count }, (_, i) => aRow(from + i))))
const shuffled = (most: number) =>
  someRows(1, most).chain((rows) =>
    fc.shuffledSubarray(rows, { minLength: rows.length, maxLength: rows.length }),
  )

const aLife = shuffled(160).chain((rows) =>
  fc
    .array(fc.record({ arrive: fc.nat(60), isLooked: fc.boolean() }), { maxLength: 12 })
    .map((steps) => ({ rows, steps })),
)

test('what is new is as many as came since the last look, however old they are, and only those are named', () => {
  fc.assert(
    fc.property(aLife, ({ rows, steps }) => {
      const here: Row[] = []
      let seen = toHeld(here)
      let since: number[] = []
      for (const { arrive, isLooked } of steps) {
        const come = rows.slice(here.length, here.length + arrive)
        here.push(...come)
        since.push(...come.map(({ id }) => id))
        const now = toHeld(here)
        const { count, ids } = toNewRatings(seen, now, 'grows')
        expect(count).toBe(since.length)
        expect(ids.filter((id) => !since.includes(id))).toEqual([])
        expect(new Set(ids).size).toBe(ids.length)
        if (here.length <= NEWEST) expect(ids.length).toBe(count)
        if (!isLooked) continue
        seen = now
        since = []
        expect(toNewRatings(seen, now, 'grows')).toEqual(NO_NEW_RATINGS)
      }
    }),
    { numRuns: draws(1000) },
  )
})

test('of a view that ratings leave too, never more is new than did not match at the last look', () => {
  const aView = fc.tuple(shuffled(140), fc.infiniteStream(fc.nat(3)), fc.infiniteStream(fc.nat(3)))
  fc.assert(
    fc.property(aView, ([rows, ofThen, ofNow]) => {
      const then = rows.filter(() => (ofThen.next().value ?? 0) > 0)
      const now = rows.filter(() => (ofNow.next().value ?? 0) > 0)
      const known = new Set(then.map(({ id }) => id))
      const truth = now.filter(({ id }) => !known.has(id)).map(({ id }) => id)
      const { count, ids } = toNewRatings(toHeld(then), toHeld(now), 'changes')
      expect(count).toBeLessThanOrEqual(truth.length)
      expect(ids.filter((id) => !truth.includes(id))).toEqual([])
      if (then.length <= NEWEST && now.length <= NEWEST) expect(count).toBe(truth.length)
    }),
    { numRuns: draws(1000) },
  )
})

test('one rating that came to several watched things is one new thing, and never more are told than came', () => {
  const several = shuffled(120).chain((rows) =>
    fc.record({
      rows: fc.constant(rows),
      split: fc.nat(rows.length),
      things: fc.array(fc.infiniteStream(fc.boolean()), { minLength: 1, maxLength: 4 }),
    }),
  )
  fc.assert(
    fc.property(several, ({ rows, split, things }) => {
      const arrived = new Set<number>()
      const all = things.map((isOfIt) => {
        const own = rows.map((row, index) => ({ row, index, isOwn: isOfIt.next().value ?? false }))
        const before = own.filter(({ isOwn, index }) => isOwn && index < split)
        const after = own.filter(({ isOwn }) => isOwn)
        for (const { row, index } of after) if (index >= split) arrived.add(row.id)
        const held = (some: typeof own) => toHeld(some.map(({ row }) => row))
        return toNewRatings(held(before), held(after), 'grows')
      })
      const total = toTotal(all)
      expect(total).toBeLessThanOrEqual(arrived.size)
      expect(total > 0).toBe(arrived.size > 0)
      if (all.every(({ count, ids }) => count === ids.length)) expect(total).toBe(arrived.size)
    }),
    { numRuns: draws(1000) },
  )
})

test('a rating that came late, posted long before the last look, is new and named', () => {
  const seen = toHeld([
    { id: 9, at: 30 },
    { id: 7, at: 20 },
  ])
  const now = toHeld([
    { id: 9, at: 30 },
    { id: 7, at: 20 },
    { id: 3, at: 5 },
  ])
  expect(toNewRatings(seen, now, 'grows')).toEqual({ count: 1, ids: [3] })
})

test('a view whose filters are others than those that were looked at has nothing new', () => {
  const seen = toHeld([], { of: 'rating=5' })
  expect(toNewRatings(seen, toHeld([{ id: 1, at: 1 }], { of: 'rating=4' }), 'changes')).toBe(
    NO_NEW_RATINGS,
  )
  expect(toNewRatings(null, toHeld([{ id: 1, at: 1 }]), 'grows')).toBe(NO_NEW_RATINGS)
})

test('what was seen stays seen where a node lags or an archive is being filled anew', () => {
  const seen = toHeld(
    [
      { id: 1, at: 1 },
      { id: 2, at: 2 },
    ],
    { at: 100, generation: 9 },
  )
  const lagging = toHeld([{ id: 1, at: 1 }], { at: 110, generation: 8 })
  expect(isFurther(lagging, seen, 'grows')).toBe(false)
  expect(toNewRatings(seen, lagging, 'grows')).toEqual(NO_NEW_RATINGS)
  expect(isFurther({ ...seen, at: 101 }, seen, 'grows')).toBe(true)
  expect(isFurther({ ...seen, at: 99 }, seen, 'changes')).toBe(false)
})
