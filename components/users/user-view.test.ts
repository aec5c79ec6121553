import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toCoinRange } from './coin-range.ts'
import { CALL_RANGES, readUserView, toUserParams } from './user-view.ts'
import { toWilsonInterval } from './wilson-interval.ts'

test('every view of a user reads back from its own address; defaults are not written', () => {
  const aView = fc.record({
    range: fc.constantFrom(...CALL_RANGES),
    rows: fc.constantFrom('all' as const, null),
    view: fc.constantFrom('table' as const, null),
    activity: fc.constantFrom('table' as const, null),
    asof: fc.option(fc.integer({ min: 0, max: 4e9 })),
  })
  fc.assert(
    fc.property(aView, (view) => {
      expect(readUserView(toUserParams(view))).toEqual({ view, ignored: [] })
    }),
  )
  expect(toUserParams(readUserView(new URLSearchParams()).view).toString()).toBe('')
})

test('what cannot be read is ignored and named', () => {
  const { view, ignored } = readUserView(new URLSearchParams('range=2y&asof=zz&x=1&view=table'))
  expect(view).toMatchObject({ range: '3y', asof: null, view: 'table' })
  expect(ignored.map(({ parameter }) => parameter).sort()).toEqual(['asof', 'range', 'x'])
})

test('the share of votes lies within its interval, which narrows with the votes', () => {
  const few = toWilsonInterval(3, 4)
  const many = toWilsonInterval(3000, 4000)
  expect(few.low).toBeCloseTo(30.06, 1)
  expect(few.high).toBeCloseTo(95.44, 1)
  expect(many.high - many.low).toBeLessThan(3)
  expect(toWilsonInterval(5, 5).high).toBe(100)
})

test('what a coin gives is stated as a range', () => {
  expect(toCoinRange({ n: 100, towards: 70, away: 30, still: 0, chance: '0.5000' })).toEqual({
    low: 40,
    high: 60,
  })
  expect(toCoinRange({ n: 5, towards: 0, away: 0, still: 5, chance: '0.0000' })).toEqual({
    low: 0,
    high: 0,
  })
})
