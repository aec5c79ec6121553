import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toAgreementText } from '#components/format/numbers.ts'
import { CALL_SORTS } from '#lib/contract/lists/calls.ts'
import { toParams } from '#lib/contract/query-schema.ts'
import { parseUserId } from './page-address.ts'
import { RATINGS_RANGES, readUserView, toUserRatingsHref, userPageQuery } from './user-address.ts'

describe('a user’s number in an address', () => {
  test('has one spelling', () => {
    const ids = [12, 0, -4, 10 ** 15, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]
    expect(ids.map(String).map(parseUserId)).toEqual(ids)
    expect(['', '012', '1.5', '1e3', 'abc', '-0', '9007199254740992'].map(parseUserId)).toEqual(
      Array.from({ length: 7 }, () => null),
    )
  })

  test('leads to the user’s ratings', () => {
    expect(toUserRatingsHref(12)).toBe('/?user=12')
    expect(toUserRatingsHref(12, { symbol: 'AAPL' })).toBe('/?symbol=AAPL&user=12')
  })
})

describe('agreement', () => {
  test('is a share of the votes, rounded half up', () => {
    expect(toAgreementText(81, 19)).toBe('81%')
    expect(toAgreementText(1, 199)).toBe('1%')
    expect(toAgreementText(2, 1)).toBe('67%')
  })

  test('without votes there is none, which is not zero', () => {
    expect(toAgreementText(0, 0)).toBeNull()
    expect(toAgreementText(0, 3)).toBe('0%')
  })
})

test('every view of a user reads back from its own address; defaults are not written', () => {
  const aView = fc.record({
    range: fc.constantFrom(...RATINGS_RANGES),
    rows: fc.constantFrom('all' as const, null),
    view: fc.constantFrom('table' as const, null),
    horizon: fc.constantFrom('30' as const, '90' as const, '365' as const),
    sort: fc.record({
      column: fc.constantFrom(...CALL_SORTS),
      direction: fc.constantFrom('asc' as const, 'desc' as const),
    }),
    page: fc.integer({ min: 1, max: 99 }),
    symbols: fc.constantFrom('all' as const, null),
    asof: fc.option(fc.integer({ min: 0, max: 4e9 })),
  })
  fc.assert(
    fc.property(aView, (view) => {
      expect(readUserView(toParams(userPageQuery, view))).toEqual({ view, ignored: [] })
    }),
  )
  expect(toParams(userPageQuery, readUserView(new URLSearchParams()).view).toString()).toBe('')
})

test('what cannot be read is ignored and named', () => {
  const { view, ignored } = readUserView(
    new URLSearchParams('range=2y&asof=zz&activity=table&view=table'),
  )
  expect(view).toMatchObject({ range: '3y', asof: null, view: 'table' })
  expect(ignored.map(({ parameter }) => parameter).sort()).toEqual(['activity', 'asof', 'range'])
})
