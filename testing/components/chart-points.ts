import type { TimePoint } from '#components/charts/chart-data.ts'
import type { SeriesPoint } from '#lib/contract/answers/opinion.ts'

const EMPTY: TimePoint = {
  t: 0,
  posted: 0,
  active: 0,
  consensus: null,
  byRating: [0, 0, 0, 0, 0],
  low: null,
  q1: null,
  median: null,
  q3: null,
  high: null,
}

export const pointOf = (given: Partial<TimePoint>): TimePoint => ({ ...EMPTY, ...given })

/** Seconds since 1970. */
export const dayAt = (day: string) => Date.parse(`${day}T00:00:00Z`) / 1000

export const pointOn = (day: string, changes: Partial<SeriesPoint> = {}): SeriesPoint => ({
  t: dayAt(day),
  posted: 2,
  avg_rating: '4.5000',
  avg_prediction: '-3.2550',
  posted_by_rating: [0, 0, 0, 1, 1],
  upgraded: 0,
  downgraded: 0,
  lapsed: 0,
  active: 41,
  consensus: '3.9024',
  by_rating: [1, 2, 8, 20, 10],
  active_prediction: '9.5049',
  prediction_low: '-20.000000',
  prediction_q1: '3.000000',
  prediction_median: '9.500000',
  prediction_q3: '16.125000',
  prediction_high: '900.000000',
  ...changes,
})
