import { describe, expect, it } from 'vitest'
import { ENGLISH_FORMATS } from '#components/format/numbers.ts'
import type { Track } from '#lib/contract/answers/track.ts'
import { toSignedPercent, toTrackSentence } from './track-texts.ts'

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
    expect(say(changes)).toContain(`: ${verdict}. From 30 separate calls.`)
  })

  it('says how often of a hundred, and how far luck may have moved that', () => {
    expect(say()).toBe(
      'Right 57 of 100 times over 90 days, and with luck taken into account 48 to 66: cannot be told from a coin. From 30 separate calls.',
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
})
