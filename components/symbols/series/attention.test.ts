import { expect, test } from 'vitest'
import type { Attention } from '#lib/contract/answers/lookups.ts'
import type { SeriesPoint } from '#lib/contract/answers/opinion.ts'
import { toAttentionParams, toDrawnAttention } from './attention.ts'

const DAY = 86_400
const START = 1_704_067_200

const NOTHING: Omit<SeriesPoint, 't'> = {
  posted: 0,
  avg_rating: null,
  avg_prediction: null,
  posted_by_rating: [],
  upgraded: 0,
  downgraded: 0,
  lapsed: 0,
  active: 0,
  consensus: null,
  active_prediction: null,
  by_rating: [],
  prediction_low: null,
  prediction_q1: null,
  prediction_median: null,
  prediction_q3: null,
  prediction_high: null,
}

const SERIES = {
  bucket: 'day' as const,
  points: [0, 1, 2, 3].map((day) => ({ ...NOTHING, t: START + day * DAY })),
}

const answer = (changed: Partial<Attention>): Attention => ({
  symbol: 'A',
  bucket: 'day',
  known_from: START + DAY,
  known_to: START + 2.5 * DAY,
  sources: ['slack'],
  points: [],
  ...changed,
})

test('look-ups are asked for in the buckets of the series, to the end of the last one', () => {
  expect(String(toAttentionParams(SERIES, null))).toBe('bucket=day&from=2024-01-01&to=2024-01-05')
})

test('a bucket in which nobody asked has none, one of which nothing is known is no number at all', () => {
  const points = [{ t: START + 2 * DAY, lookups: 3, by_source: { slack: 3 } }]
  expect(toDrawnAttention(answer({ points }), SERIES)).toMatchObject({
    sources: ['slack'],
    columns: [null, { total: 0, bySource: [0] }, { total: 3, bySource: [3] }, null],
  })
})

test('what names no source, or one of too many, is drawn under a name of its own, so that bars are as high as their total', () => {
  const points = [{ t: START + DAY, lookups: 5, by_source: { slack: 3 } }]
  expect(toDrawnAttention(answer({ points }), SERIES)).toMatchObject({
    sources: ['slack', 'source not named'],
    columns: [null, { total: 5, bySource: [3, 2] }, { total: 0, bySource: [0, 0] }, null],
  })
  const sources = ['a', 'b', 'c', 'd', 'e']
  const many = [{ t: START + DAY, lookups: 5, by_source: { a: 1, b: 1, c: 1, d: 1, e: 1 } }]
  const drawn = toDrawnAttention(answer({ sources, points: many }), SERIES)
  expect(drawn.sources).toEqual(['a', 'b', 'c', 'other sources'])
  expect(drawn.columns[1]?.bySource).toEqual([1, 1, 1, 2])
})
