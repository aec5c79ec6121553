import { describe, expect, test } from 'vitest'
import { toSignedText } from '#components/marks/consensus-change.tsx'
import { toChangeText } from '#components/symbols/opinion-figures.tsx'
import { dayAt, pointOn } from '#testing/components/chart-points.ts'
import { toBucketName } from './buckets.ts'
import { selectAhead, toAhead, toDots, toTimePoints } from './series-points.ts'
import { createReading, toGivenDigits, toSeriesSummary } from './series-texts.ts'

const DAY = 86_400
const JUDGED = { bucket: 'week', asOf: dayAt('2024-01-17'), isNow: true } as const

describe('the data of a series', () => {
  test('are gaps where too few ratings are active, and what was posted still stands', () => {
    const given = [pointOn('2024-01-01', { active: 2 }), pointOn('2024-01-08')]
    const [few, enough] = toTimePoints(given)
    expect(few).toMatchObject({ consensus: null, median: null })
    expect(enough).toMatchObject({ consensus: 3.9024, median: 9.5, q3: 16.125 })
  })

  test('single ratings stand where they were posted', () => {
    const rating = { id: 7, user_id: 40, created_at: 99, rating: 5, rating_label: 'Strong Buy' }
    expect(toDots([{ ...rating, prediction: '-12.50' }])).toEqual([
      { id: 7, t: 99, rating: 5, prediction: -12.5 },
    ])
  })

  test('what is to come takes a sixth of the past’s room, a week at least, with the same gaps', () => {
    const pending = Array.from({ length: 91 }, (_, day) => ({
      t: dayAt('2024-01-01') + day * DAY,
      active: 90 - day,
      consensus: '4.0000',
    }))
    const end = dayAt('2024-01-01')
    const aheadOf = (days: number, asof: number | null = null) =>
      toAhead(pending, { points: [{ t: end - days * DAY }], view: { asof }, end })
    expect(aheadOf(10)).toHaveLength(8)
    expect(aheadOf(180)).toHaveLength(31)
    expect(aheadOf(10, dayAt('2024-01-21'))).toHaveLength(21)
    const all = aheadOf(5000)
    expect(all).toHaveLength(91)
    expect(all.at(0)?.consensus).toBe(4)
    expect(all.at(-1)?.consensus).toBeNull()
  })
})

describe('what is to come', () => {
  const pending = [{ t: 100, active: 5, consensus: '4.0000' }]

  test('follows on a past that reaches the page’s instant, and on no other', () => {
    expect(selectAhead(pending, { to: null }, 100)).toEqual(pending)
    expect(selectAhead(pending, { to: 101 }, 100)).toEqual(pending)
    expect(selectAhead(pending, { to: 100 }, 100)).toEqual([])
  })

  test('is nothing where too few are active to draw it', () => {
    const two = [{ t: 100, active: 2, consensus: '4.0000' }]
    expect(selectAhead(two, { to: null }, 100)).toEqual([])
  })
})

describe('what the chart says under the pointer', () => {
  const given = { ...JUDGED, points: [pointOn('2024-01-01')] }

  test('is the answer’s text rounded once, signed, with n beside it', () => {
    expect(createReading(given)(0)).toEqual({
      when: 'End of the week of 2024-01-01',
      consensus: [
        { name: 'Consensus', text: '3.90 (n=41)' },
        { name: 'Posted that week', text: '4.50 (n=2)' },
      ],
      prediction: [
        { name: 'Median', text: '+9.50% (n=41)' },
        { name: 'Middle half', text: '+3.00% to +16.125%' },
        { name: 'Range', text: '−20.00% to +900.00%' },
      ],
      trend: [
        { name: 'Active', text: '41' },
        { name: 'Strong Buy', text: '24%', glyph: '▲▲' },
        { name: 'Moderate Buy', text: '49%', glyph: '▲' },
        { name: 'Hold', text: '20%', glyph: '●' },
        { name: 'Moderate Sell', text: '5%', glyph: '▼' },
        { name: 'Strong Sell', text: '2%', glyph: '▼▼' },
        { name: 'Posted that week', text: '2' },
      ],
    })
  })

  test('says so where too few were active', () => {
    const few = { ...JUDGED, points: [pointOn('2024-01-01', { active: 2 })] }
    const reading = createReading(few)(0)
    expect(reading.consensus[0]).toEqual({ name: 'Consensus', text: 'too few (n=2)' })
    expect(reading.prediction).toEqual([{ name: 'Median', text: 'too few (n=2)' }])
  })

  test('buckets are named by what they are', () => {
    expect(toBucketName(dayAt('2024-02-01'), 'month')).toBe('2024-02')
    expect(toBucketName(dayAt('2024-02-05'), 'day')).toBe('2024-02-05')
    expect(toBucketName(dayAt('2024-02-05'), 'week')).toBe('Week of 2024-02-05')
  })
})

describe('the summary of a series', () => {
  const points = [
    pointOn('2024-01-01'),
    pointOn('2024-01-08', {
      consensus: '3.1000',
      active: 60,
      downgraded: 9,
      prediction_low: '-88.200000',
    }),
    pointOn('2024-01-15', {
      consensus: '4.2120',
      active: 184,
      upgraded: 31,
      prediction_median: '-1.000000',
    }),
  ]

  test('says from where to where the consensus moved, with n', () => {
    const summary = toSeriesSummary({ ...JUDGED, points })
    expect(summary).toContain(
      'Consensus moved from 3.90 (n=41) in the week of 2024-01-01 to 4.21 (n=184) now; ' +
        'it was lowest at 3.10 (n=60) in the week of 2024-01-08 and highest at 4.21 (n=184) now.',
    )
    expect(summary).toContain(
      'move: it rose by 1.11 to 4.21 (n=184) in the week of 2024-01-15, with 31 upgrades.',
    )
    expect(summary).toContain(
      'from +9.50% to −1.00%; the lowest of all was −88.20%, the highest +900.00%.',
    )
    expect(summary).toContain('6 ratings were posted in these 3 weeks.')
  })

  test('says of a move down that it fell, and reads as no range', () => {
    const fallen = points.slice(0, 2)
    expect(toSeriesSummary({ ...JUDGED, points: fallen })).toContain(
      'it fell by 0.80 to 3.10 (n=60) in the week of 2024-01-08, with 9 downgrades.',
    )
  })

  test('does not say that a consensus moved which never did', () => {
    const still = ['2024-01-01', '2024-01-08'].map((day, index) =>
      pointOn(day, { consensus: '4.0000', active: 3 + index }),
    )
    expect(toSeriesSummary({ ...JUDGED, points: still })).toContain(
      'Consensus was 4.00 throughout: n=3 in the week of 2024-01-01, n=4 in the week of 2024-01-08.',
    )
  })

  test('says so where too few were active', () => {
    const few = points.map((point) => ({ ...point, active: 2 }))
    expect(toSeriesSummary({ ...JUDGED, points: few })).toContain(
      'Fewer than 3 ratings were active at any time, so there is no consensus to draw.',
    )
  })

  test('says so where there is nothing', () => {
    expect(toSeriesSummary({ ...JUDGED, points: [] })).toBe(
      'No rating was posted or active in this range.',
    )
  })
})

describe('the headline', () => {
  const change = { days: 30, active: 170, consensus: '4.0900', change: '0.1234' }

  test('says how the consensus changed, and from where', () => {
    expect(toChangeText(change, 184)).toEqual({
      figure: '+0.12',
      detail: 'was 4.09, n=170',
    })
  })

  test('says why there is no change to name', () => {
    const none = { ...change, consensus: null, change: null }
    const detailOf = (given: typeof none, active = 184) => toChangeText(given, active).detail
    expect(detailOf({ ...none, active: 0 })).toBe('none was active then')
    expect(detailOf({ ...none, active: 2 })).toBe('too few then, n=2')
    expect(detailOf({ ...none, active: 50 }, 1)).toBe('too few now, n=1')
    expect(detailOf({ ...none, active: 50 }, 0)).toBe('none is active')
  })

  test('signs are always printed, and zero has none', () => {
    expect(['0.1250', '-0.3000', '0.0000', '-0.0049', '0.0049'].map(toSignedText)).toEqual([
      '+0.13',
      '−0.30',
      '0.00',
      '0.00',
      '0.00',
    ])
  })

  test('predictions keep the digits that they were given with', () => {
    expect(['9.500000', '0.125000', '-3.000000', '12'].map(toGivenDigits)).toEqual([
      '9.50',
      '0.125',
      '-3.00',
      '12',
    ])
  })
})
