import { describe, expect, test } from 'vitest'
import type { SeriesPoint } from '#lib/contract/answers/symbols.ts'
import { toBucketName } from './buckets.ts'
import { createReading } from './series-reading.ts'
import { toSeriesSummary } from './series-summary.ts'
import { toTimePoints } from './to-time-points.ts'

const at = (day: string) => Date.parse(`${day}T00:00:00Z`) / 1000

const point = (day: string, changes: Partial<SeriesPoint> = {}): SeriesPoint => ({
  t: at(day),
  posted: 2,
  avg_rating: '4.5000',
  avg_prediction: '-3.2550',
  active: 41,
  consensus: '3.9024',
  active_prediction: '9.5049',
  ...changes,
})

describe('the points of a series', () => {
  test('are gaps where too few ratings are active, and what was posted still stands', () => {
    const [few, enough] = toTimePoints([point('2024-01-01', { active: 2 }), point('2024-01-08')])
    expect(few).toMatchObject({ consensus: null, activePrediction: null, postedRating: 4.5 })
    expect(enough).toMatchObject({ consensus: 3.9024, activePrediction: 9.5049 })
  })

  test('where nothing was posted there is no mean', () => {
    const nothing = { posted: 0, avg_rating: null, avg_prediction: null }
    expect(toTimePoints([point('2024-01-01', nothing)])[0]).toMatchObject({
      postedRating: null,
      postedPrediction: null,
    })
  })
})

describe('what the chart says under the pointer', () => {
  test('is the answer’s text rounded once, signed, with n beside it', () => {
    const reading = createReading({
      symbol: 'AAPL',
      bucket: 'week',
      points: [point('2024-01-01')],
    })(0)
    expect(reading).toEqual({
      when: 'Week of 2024-01-01',
      consensus: [
        { name: 'Consensus', text: '3.90 (n=41)' },
        { name: 'Posted', text: '4.50 (n=2)' },
      ],
      prediction: [
        { name: 'Active', text: '+9.50% (n=41)' },
        { name: 'Posted', text: '−3.26% (n=2)' },
      ],
      counts: [
        { name: 'Active', text: '41' },
        { name: 'Posted', text: '2' },
      ],
    })
  })

  test('buckets are named by what they are', () => {
    expect(toBucketName(at('2024-02-01'), 'month')).toBe('2024-02')
    expect(toBucketName(at('2024-02-05'), 'day')).toBe('2024-02-05')
  })
})

describe('the summary of a series', () => {
  test('says from where to where the consensus moved, with n', () => {
    const summary = toSeriesSummary({
      bucket: 'week',
      points: [
        point('2024-01-01'),
        point('2024-01-08', { consensus: '3.1000', active: 60 }),
        point('2024-01-15', { consensus: '4.2120', active: 184, active_prediction: '-1.0000' }),
      ],
    })
    expect(summary).toContain(
      'Consensus moved from 3.90 (n=41) to 4.21 (n=184) between 2024-01-01 and 2024-01-15',
    )
    expect(summary).toContain('lowest at 3.10 (n=60) on 2024-01-08')
    expect(summary).toContain('from +9.50% to −1.00%')
    expect(summary).toContain('6 ratings were posted in the 3 weeks from 2024-01-01 on.')
  })

  test('says so where too few were active', () => {
    const summary = toSeriesSummary({
      bucket: 'week',
      points: [point('2024-01-01', { active: 1 }), point('2024-01-08', { active: 2 })],
    })
    expect(summary).toContain('no consensus to draw')
  })

  test('says so where there is nothing', () => {
    expect(toSeriesSummary({ bucket: 'week', points: [] })).toBe(
      'No rating was posted or active in this range.',
    )
  })
})
