import { expect, it } from 'vitest'
import type { Followed } from '#lib/contract/answers/prices.ts'
import { toFollowedFacts, toFollowedSentence } from './followed-panel.tsx'

const followed: Followed = {
  symbol: 'AAPL',
  horizon: 90,
  months: [],
  scored: 20,
  windows: 7,
  mean: '-0.004112',
  mean_low: '-0.081220',
  mean_high: '0.072996',
  slope: '0.051000',
  slope_low: '-0.210000',
  slope_high: '0.312000',
  prices: { symbols: 30, first_day: '2024-06-20', last_day: '2026-06-18', benchmark: null },
}

const say = (given: Partial<Followed>) => toFollowedSentence({ ...followed, ...given })

it('says that nothing can be told from luck where the interval holds nothing at all', () => {
  expect(say({})).toBe(
    'A better consensus on AAPL was not followed by a significantly better price over the next 90 days: the effect of a consensus 0.1 higher is −2.10 to +3.12 percentage points.',
  )
})

it('says which way it went where the interval is on one side', () => {
  expect(say({ slope_low: '0.02', slope_high: '0.1' })).toMatch(
    /^The better the consensus on AAPL, the better its price .* \+0\.20 to \+1\.00 percentage/,
  )
  expect(say({ slope_low: '-0.1', slope_high: '-0.02' })).toMatch(
    /the worse its price .* −1\.00 to −0\.20 percentage/,
  )
})

it('says why nothing can be said', () => {
  expect(say({ scored: 0, windows: 0, slope: null })).toMatch(
    /^No month of AAPL is complete enough/,
  )
  const none = { slope_low: null, slope_high: null }
  expect(say({ ...none, scored: 6, windows: 2 })).toMatch(
    /^Too little data .*: 6 months are known, too few/,
  )
  expect(say({ ...none, slope: null })).toMatch(/its consensus hardly moved/)
})

it('gives n, and how many of the months count', () => {
  expect(toFollowedFacts(followed)).toBe(
    'n = 20 months, of which 7 do not overlap; only those count for the 95% intervals. After an average month it was −0.41% against the mean of all symbols (−8.12% to +7.30%).',
  )
})
