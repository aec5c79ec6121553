import { describe, expect, it } from 'vitest'
import { ENGLISH_FORMATS } from '#components/format/numbers.ts'
import { toSignedPercent } from '#components/format/texts.ts'
import type { Track } from '#lib/contract/answers/track.ts'
import {
  toCalibrationText,
  toCloseText,
  toFollowedText,
  toLuckText,
  toMeaningText,
  toRankText,
  toTrackSentence,
} from './track-texts.ts'

const TRACK: Track = {
  horizon: 90,
  ...{ calls: 60, scored: 40, open: 3, hold: 10, no_price: 5, no_entry: 2, clusters: 30 },
  ...{ hit_rate: '0.571429', hit_low: '0.480000', hit_high: '0.661000' },
  ...{ excess: '0.011847', excess_low: '-0.022093', excess_high: '0.045787' },
  ...{ rank: 3, ranked: 9, luck: '0.300000', everybody: '0.490000' },
  calibration: { calls: 0, zero: 0, error: null, slope: null, groups: [] },
  prices: { symbols: 3, first_day: '2024-01-01', last_day: '2026-01-01', benchmark: null },
}
const say = (changes: Partial<Track> = {}) =>
  toTrackSentence({ ...TRACK, ...changes }, ENGLISH_FORMATS)

describe('what a track record comes to', () => {
  it.each([
    [{}, 'cannot be told from a coin'],
    [{ hit_low: '0.500001' }, 'better than a coin'],
    [{ hit_low: '0.500000' }, 'cannot be told from a coin'],
    [{ hit_rate: '0.3', hit_low: '0.2', hit_high: '0.499999' }, 'worse than a coin'],
  ])('%o: %s', (changes, verdict) => {
    expect(say(changes)).toMatch(new RegExp(`: ${verdict}\\.$`))
  })

  it('says how often of a hundred, and how far luck may have moved that', () => {
    expect(say()).toBe(
      'Right 57 of 100 times over 90 days, and with luck taken into account 48 to 66: cannot be told from a coin.',
    )
  })

  it('says why where nothing can be said', () => {
    const none = {
      clusters: 0,
      scored: 0,
      hit_rate: null,
      hit_low: null,
      hit_high: null,
      calls: 20,
    }
    expect(say(none)).toBe(
      'Nothing can be said of 20 ratings yet: 7 have no price, 3 are younger than 90 days or wait for a price, 10 say hold.',
    )
  })

  it('writes a fraction as percent with its sign', () => {
    expect(toSignedPercent('0.011847', ENGLISH_FORMATS)).toBe('+1.18%')
    expect(toSignedPercent('-0.100000', ENGLISH_FORMATS)).toBe('−10.00%')
    expect(toSignedPercent(null, ENGLISH_FORMATS)).toBe('–')
  })

  it('says what right means, and how many calls say something of their own', () => {
    const meaning = { horizon: 90, benchmark: null, clusters: 30 } as const
    expect(toMeaningText(meaning, ENGLISH_FORMATS)).toBe(
      'Right is a buy whose symbol did better than the mean of all symbols over the 90 days after it, or a sell whose symbol did worse. 30 separate calls count: those of one user on one symbol whose days overlap are one.',
    )
    expect(toMeaningText({ ...meaning, benchmark: 'SPY' }, ENGLISH_FORMATS)).toContain('than SPY')
  })

  it.each([
    [1, 1, 'nobody else is ranked'],
    [1, 88, 'better than 87 of 88 ranked users'],
    [88, 88, 'better than 0 of 88 ranked users'],
    [170, 1000, 'better than 83 of 100 ranked users'],
    // Never better than everybody: the first is one of them.
    [1, 1000, 'better than 99 of 100 ranked users'],
    [null, 88, null],
  ])('rank %s of %s: %s', (rank, ranked, text) => {
    expect(toRankText({ rank, ranked }, ENGLISH_FORMATS)).toBe(text)
  })

  it('says what came of predictions in plain words', () => {
    const some = { calls: 31, zero: 3, error: '0.041200', slope: '0.120000', groups: [] }
    expect(toCalibrationText(some, ENGLISH_FORMATS)).toBe(
      'Predictions were 4.12% too high on average; for each 1% more that was predicted, +0.12% came. Of 31 calls.',
    )
    const low = { ...some, error: '-0.041200', slope: '-0.500000' }
    expect(toCalibrationText(low, ENGLISH_FORMATS)).toContain(
      '4.12% too low on average; for each 1% more that was predicted, −0.50% came',
    )
    const none = { calls: 0, zero: 0, error: null, slope: null, groups: [] }
    expect(toCalibrationText(none, ENGLISH_FORMATS)).toContain('No call')
    expect(toCalibrationText({ ...some, error: '0.000001' }, ENGLISH_FORMATS)).toContain(
      'neither too high nor too low',
    )
  })

  it('shows a close below 1 with all its places', () => {
    expect(toCloseText('42.996900', ENGLISH_FORMATS)).toBe('43.00')
    expect(toCloseText('0.004200', ENGLISH_FORMATS)).toBe('0.0042')
    expect(toCloseText(null, ENGLISH_FORMATS)).toBe('–')
  })

  it.each([
    [{ beat: 0, expected: '0.760000' }, 'By luck alone about 0.76 would.'],
    [
      { beat: 25, expected: '22.100000' },
      'By luck alone about 22.10 would: luck may explain all of them.',
    ],
    [
      { beat: 40, expected: '22.100000' },
      'By luck alone about 22.10 would: more do than luck explains.',
    ],
    [
      { beat: 2, expected: '0.760000' },
      'By luck alone about 0.76 would: luck may explain all of them.',
    ],
  ])('%o: %s', (luck, text) => {
    const all = { ranked: 100, worse: 0, expected_worse: luck.expected, ...luck }
    expect(toLuckText(all, ENGLISH_FORMATS)).toBe(text)
  })

  it('says whether following the consensus would have paid', () => {
    const { calls, scored, open, hold, no_price, no_entry, clusters } = TRACK
    const tally = { calls, scored, open, hold, no_price, no_entry, clusters }
    const rates = { hit_rate: '0.520000', hit_low: '0.4', hit_high: '0.63' }
    const gain = { excess: '0.008000', excess_low: '-0.012000', excess_high: '0.028000' }
    const whole = { ...tally, ...rates, ...gain }
    const followed = { symbols: 30, months: 24, ...whole, buy: whole, sell: whole }
    const sayFollowed = (changes: Partial<typeof followed> | { excess_low: null }) =>
      toFollowedText(
        { followed: { ...followed, ...changes }, horizon: 90, prices: TRACK.prices },
        ENGLISH_FORMATS,
      )
    expect(sayFollowed({})).toBe(
      'Who bought what the consensus called a buy at each month’s end, and sold what it called a sell, would have been right 52 of 100 times over 90 days, and ahead of the mean of all symbols by 0.80% on average, with luck taken into account −1.20% to +2.80%: cannot be told from nothing.',
    )
    expect(sayFollowed({ excess_low: '0.000100' })).toContain('more than luck explains')
    expect(sayFollowed({ excess_high: '-0.000100' })).toContain('a loss that luck does not')
    expect(sayFollowed({ excess: '-0.010100' })).toContain(
      'behind the mean of all symbols by 1.01%',
    )
    expect(sayFollowed({ excess_low: null })).toContain('too few symbols')
  })
})
