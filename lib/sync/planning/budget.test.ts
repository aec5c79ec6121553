import { describe, expect, test } from 'vitest'
import { nextMonthAt } from '#lib/upstream/ledger.ts'
import {
  type Spending,
  selectFollowSeconds,
  selectRequestedSeconds,
  selectRetrySeconds,
} from './budget.ts'

const NOVEMBER = Date.UTC(2026, 10, 1) / 1000
const DAY = 86_400

const spend = (limit: number | null, used = 0, change: Partial<Spending> = {}): Spending => ({
  budget: {
    minute: { limit: 60, used: 0 },
    month: { limit, used },
    spent: { dump: 0, follow: used, people: 0 },
    reserved: 0,
    pausedUntil: null,
    clockSkewSeconds: null,
  },
  at: NOVEMBER,
  requestsPerFollow: 1,
  ...change,
})

describe('the plan of a month', () => {
  test('without a monthly limit the newest page is read every minute', () => {
    expect(selectFollowSeconds(spend(null))).toBe(60)
  })

  test('whatever the limit and the cost of a follow, a month that keeps the plan has its dumps to spare', () => {
    for (const limit of [1, 2, 5, 10, 30, 100, 1000, 20_000]) {
      for (const cost of [1, 2, 7]) {
        let at = NOVEMBER
        let used = 0
        for (;;) {
          const seconds = selectFollowSeconds(spend(limit, used, { at, requestsPerFollow: cost }))
          if (seconds === null || at + seconds >= nextMonthAt(NOVEMBER)) break
          at += seconds
          used += cost
        }
        expect(used, `${limit} at ${cost}`).toBeLessThanOrEqual(limit + cost - 1)
        if (limit >= 30) expect(used).toBeGreaterThan(limit / 2)
      }
    }
  })

  test('what others spent slows the plan down, and what was saved speeds it up only so far', () => {
    const even = selectFollowSeconds(spend(100)) ?? 0
    expect(selectFollowSeconds(spend(100, 50))).toBeGreaterThan(even)
    const late = selectFollowSeconds(spend(100, 0, { at: nextMonthAt(NOVEMBER) - DAY })) ?? 0
    expect(late).toBeGreaterThanOrEqual(Math.floor(even / 5))
  })
})

test('failures wait 5 s doubling to 10 min, and longer where requests are counted by the month', () => {
  const waits = [1, 2, 3, 8, 20].map((failures) => selectRetrySeconds(failures, spend(null)))
  expect(waits).toEqual([5, 10, 20, 600, 600])
  expect(selectRetrySeconds(1, spend(100))).toBe(900)
  expect(selectRetrySeconds(2, spend(100))).toBe(selectFollowSeconds(spend(100)))
})

test('who asks gets a follow at once, or within a share of the plan where requests are scarce', () => {
  expect(selectRequestedSeconds(null, 60)).toBe(5)
  expect(selectRequestedSeconds(100, 28_800)).toBe(7200)
})
