import { describe, expect, it } from 'vitest'
import { toSignedPercent } from '#components/format/texts.ts'
import type { Track } from '#lib/contract/answers/track.ts'
import {
  toCalibrationText,
  toCloseText,
  toCoinVerdict,
  toLuckText,
  toMeaningText,
  toUserVerdict,
} from './track-texts.ts'

const TRACK: Track = {
  horizon: 90,
  calls: 60,
  scored: 40,
  open: 3,
  hold: 10,
  no_price: 5,
  no_entry: 2,
  jump: 0,
  clusters: 30,
  hit_rate: '0.571429',
  hit_low: '0.480000',
  hit_high: '0.661000',
  excess: '0.011847',
  excess_low: '-0.022093',
  excess_high: '0.045787',
  rank: 3,
  ranked: 9,
  prices: { symbols: 3, first_day: '2024-01-01', last_day: '2026-01-01', benchmark: null },
}
const verdictOf = (changes: Partial<Track> = {}) => toCoinVerdict({ ...TRACK, ...changes })

describe('what a track record comes to', () => {
  it.each([
    [{}, 'No better than a coin'],
    [{ hit_low: '0.500001' }, 'Better than a coin'],
    [{ hit_low: '0.500000' }, 'No better than a coin'],
    [{ hit_rate: '0.3', hit_low: '0.2', hit_high: '0.499999' }, 'Worse than a coin'],
    [{ clusters: 5, hit_low: '0.500001' }, 'Better than a coin'],
    [{ clusters: 4, hit_low: '0.500001' }, 'Too few calls to judge'],
  ])('%o: %s', (changes, stand) => {
    expect(verdictOf(changes).stand).toBe(stand)
  })

  it('has its rate, its calls and its interval beside it', () => {
    expect(verdictOf().detail).toBe('right 57% of 30 calls (48–66%)')
    expect(verdictOf({ clusters: 1 }).detail).toBe('right 57% of 1 call (48–66%)')
  })

  it.each([
    [1, '1st of 2,273'],
    [22, '22nd of 2,273'],
    [113, '113th of 2,273'],
    [1003, '1,003rd of 2,273'],
    [null, 'No better than a coin'],
  ])('of a user begins with the rank: %s', (rank, stand) => {
    expect(toUserVerdict({ ...TRACK, rank, ranked: 2273 })).toEqual({ ...verdictOf(), stand })
  })

  it('says why no rating counts', () => {
    const none = { clusters: 0, scored: 0, hit_rate: null, hit_low: null, hit_high: null }
    expect(verdictOf({ ...none, calls: 20 })).toEqual({
      stand: 'Too few calls to judge',
      detail:
        'none of 20 ratings counts yet (7 without a price, 3 younger than 90 days or waiting for a price, 10 holds)',
    })
    expect(verdictOf({ ...none, calls: 0 }).detail).toBe('no ratings yet')
  })

  it('writes a fraction as percent with its sign', () => {
    expect(toSignedPercent('0.011847')).toBe('+1.18%')
    expect(toSignedPercent('-0.100000')).toBe('−10.00%')
    expect(toSignedPercent(null)).toBe('–')
  })

  it('says what right means', () => {
    expect(toMeaningText({ horizon: 90, benchmark: null })).toContain(
      'a buy that beat the mean of all symbols over the next 90 days',
    )
    expect(toMeaningText({ horizon: 30, benchmark: 'SPY' })).toContain('beat SPY over the next 30')
  })

  it('says what came of predictions in plain words', () => {
    const some = { calls: 31, zero: 3, error: '0.041200', slope: '0.120000', groups: [] }
    expect(toCalibrationText(some)).toBe(
      'Predictions were 4.12% too high on average; each additional 1% predicted meant +0.12% of actual return. Of 31 calls.',
    )
    const low = { ...some, error: '-0.041200', slope: '-0.500000' }
    expect(toCalibrationText(low)).toContain(
      '4.12% too low on average; each additional 1% predicted meant −0.50% of actual return',
    )
    const none = { calls: 0, zero: 0, error: null, slope: null, groups: [] }
    expect(toCalibrationText(none)).toContain('No call')
    expect(toCalibrationText({ ...some, error: '0.000001' })).toContain(
      'neither too high nor too low',
    )
  })

  it('shows a close below 1 with all its places', () => {
    expect(toCloseText('42.996900')).toBe('43.00')
    expect(toCloseText('0.004200')).toBe('0.0042')
    expect(toCloseText(null)).toBe('–')
  })

  it.each([
    ['22.100000', 'about 22'],
    ['0.400000', 'fewer than 1'],
  ])('counts who can be told from a coin beside what luck would give: %s', (expected, luck) => {
    const all = { ranked: 1002, beat: 61, worse: 18, expected, expected_worse: expected }
    expect(toLuckText(all)).toBe(
      `61 of 1,002 users with 5 or more calls are better than a coin and 18 worse; luck alone would give ${luck} of each.`,
    )
    expect(toLuckText({ ...all, ranked: 0 })).toContain('Nobody has 5 or more')
  })
})
