import { describe, expect, test } from 'vitest'
import { toAgreementText } from '#components/format/numbers.ts'
import { parseUserId } from './page-address.ts'
import { toUserRatingsHref } from './user-address.ts'

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
