import { describe, expect, test } from 'vitest'
import type { Bucket } from '#lib/contract/api-queries.ts'
import { dayAt } from '#testing/components/chart-points.ts'
import { createBucketWords, toJudged } from './buckets.ts'

const EVER = { from: null, to: null }
const NOW = dayAt('2024-08-02') + 9 * 3600

const sayings = (bucket: Bucket, day: string, asof: number | null = null) => {
  const { toWhen, toTitle, toRow } = createBucketWords(
    toJudged(bucket, { asof, ...EVER }, asof ?? NOW),
  )
  const t = dayAt(day)
  return [toWhen(t), toTitle(t), toRow(t)]
}

describe('what stood at a bucket’s end', () => {
  test('is never dated by the bucket’s first day', () => {
    expect(sayings('month', '2021-01-01')).toEqual(['in 2021-01', 'End of 2021-01', '2021-01'])
    expect(sayings('year', '2016-01-01')).toEqual(['in 2016', 'End of 2016', '2016'])
    expect(sayings('week', '2024-07-22')).toEqual([
      'in the week of 2024-07-22',
      'End of the week of 2024-07-22',
      'Week of 2024-07-22',
    ])
    expect(sayings('day', '2024-08-01')).toEqual(['on 2024-08-01', '2024-08-01', '2024-08-01'])
  })

  test('is now, where the bucket has not ended', () => {
    expect(sayings('month', '2024-08-01')).toEqual(['now', '2024-08, now', '2024-08, now'])
    expect(sayings('week', '2024-07-29')[0]).toBe('now')
    expect(sayings('day', '2024-08-02')).toEqual(['now', '2024-08-02, now', '2024-08-02, now'])
  })

  test('is that of the instant that a page is rewound to', () => {
    const asof = dayAt('2024-06-15') - 1
    const [when, title] = sayings('month', '2024-06-01', asof)
    expect([when, title]).toEqual(['as of 2024-06-14', '2024-06, as of 2024-06-14'])
    expect(sayings('day', '2024-06-14', asof)).toEqual([
      'as of 2024-06-14',
      'As of 2024-06-14',
      'As of 2024-06-14',
    ])
    expect(sayings('month', '2024-05-01', asof)[0]).toBe('in 2024-05')
  })

  test('is that of the last second of a range, which may lie within a bucket', () => {
    const range = { asof: null, from: null, to: dayAt('2024-06-15') }
    const { toWhen, toRow } = createBucketWords(toJudged('month', range, NOW))
    expect(toWhen(dayAt('2024-06-01'))).toBe('as of 2024-06-14')
    expect(toRow(dayAt('2024-05-01'))).toBe('2024-05')
  })

  test('a series as of an instant to come ends now', () => {
    expect(toJudged('month', { asof: NOW + 86_400, ...EVER }, NOW).isNow).toBe(true)
    expect(toJudged('month', { asof: NOW, ...EVER }, NOW).isNow).toBe(false)
  })
})
