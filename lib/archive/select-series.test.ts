import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Series } from '#lib/contract/answers/symbols.ts'
import type { SeriesQuery } from '#lib/contract/other-queries.ts'
import { holdAgainstCounting } from './against-counting.test-support.ts'
import { anInstant, importRows, makeRating, openMemory, START } from './arbitrary.test-support.ts'
import {
  isActive,
  keyOf,
  meanPrediction,
  meanRating,
  nameOf,
  type OracleRow,
} from './oracle.test-support.ts'

const aSeriesQuery = fc.record({
  bucket: fc.constantFrom<SeriesQuery['bucket']>('auto', 'day', 'week', 'month'),
  from: fc.option(anInstant),
  to: fc.option(anInstant),
})

/** The first instant behind the bucket that begins at `t`. */
function endOf(bucket: Series['bucket'], t: number): number {
  const date = new Date(t * 1000)
  if (bucket === 'month') return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1) / 1000
  return t + (bucket === 'week' ? 7 : 1) * 86_400
}

function expectSeries(
  series: Series,
  own: readonly OracleRow[],
  asked: { query: SeriesQuery; at: number },
) {
  const { query, at } = asked
  const first = query.from ?? Math.min(...own.map((row) => row.created_at))
  const last = Math.min(at, query.to === null ? at : query.to - 1)
  expect(series.symbol).toBe(nameOf(own))
  expect(series.points.length > 0).toBe(first <= last)
  series.points.forEach((point, index) => {
    const end = endOf(series.bucket, point.t)
    if (index === 0) expect(point.t <= first && first < end).toBe(true)
    const next = series.points[index + 1]
    if (next) expect(next.t).toBe(end)
    else expect(point.t <= last && last < end).toBe(true)
    const posted = own.filter(
      (row) => row.created_at >= point.t && row.created_at < end && row.created_at <= at,
    )
    const active = own.filter((row) => isActive(row, Math.min(end - 1, at)))
    expect(point).toEqual({
      t: point.t,
      posted: posted.length,
      avg_rating: meanRating(posted),
      avg_prediction: meanPrediction(posted),
      active: active.length,
      consensus: meanRating(active),
      active_prediction: meanPrediction(active),
    })
    if (series.bucket === 'week') expect(new Date(point.t * 1000).getUTCDay()).toBe(1)
  })
}

test('a series holds a point for every bucket, with what plain counting gives', async () => {
  const effort = { communities: 30, questions: 4 }
  await holdAgainstCounting(aSeriesQuery, effort, async ({ archive, rows, asked: query, at }) => {
    for (const key of ['AAPL', 'BRK.B']) {
      const own = rows.filter((row) => keyOf(row) === key)
      const series = await archive.selectSeries(key.toLowerCase(), query, { at })
      expect(series === null).toBe(own.length === 0)
      if (series) expectSeries(series, own, { query, at })
    }
  })
})

test('auto is the finest bucket that stays within 400 points; an asked one is obeyed up to 4,000', async () => {
  const archive = await openMemory()
  await importRows(archive, [makeRating({ id: 1, created_at: START })])
  const day = 86_400
  const ask = async (bucket: SeriesQuery['bucket'], days: number) => {
    const query = { bucket, from: null, to: START + days * day }
    const series = await archive.selectSeries('AAPL', query, { at: START + 1e9 })
    return [series?.bucket, series?.points.length]
  }
  expect(await ask('auto', 400)).toEqual(['day', 400])
  expect(await ask('auto', 401)).toEqual(['week', 58])
  expect(await ask('auto', 2801)).toEqual(['month', 93])
  expect(await ask('day', 4000)).toEqual(['day', 4000])
  expect(await ask('day', 4001)).toEqual(['week', 572])
  await archive.close()
})
