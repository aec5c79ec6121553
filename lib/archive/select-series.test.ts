import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { SeriesQuery } from '#lib/contract/other-queries.ts'
import { holdAgainstCounting } from './against-counting.test-support.ts'
import { anInstant, importRows, makeRating, openMemory, START } from './arbitrary.test-support.ts'
import { keyOf } from './oracle.test-support.ts'
import { seriesOf } from './series-oracle.test-support.ts'

const DAY = 86_400
const EVER = { from: null, to: null, asof: null }

const aBucket = fc.constantFrom<SeriesQuery['bucket']>('auto', 'day', 'week', 'month')

const aSeriesQuery = fc.record({
  bucket: aBucket,
  from: fc.option(anInstant),
  to: fc.option(anInstant),
  asof: fc.constant(null),
})

test('a series is what plain counting gives, field by field in every bucket', async () => {
  const effort = { communities: 25, questions: 4 }
  await holdAgainstCounting(aSeriesQuery, effort, async ({ archive, rows, asked: query, at }) => {
    for (const key of ['AAPL', 'BRK.B']) {
      const own = rows.filter((row) => keyOf(row) === key)
      const series = await archive.selectSeries(key.toLowerCase(), query, { at })
      expect(series).toEqual(seriesOf(own, query, at))
    }
  })
})

test('a series is never longer than 400 points: what would be is shown in coarser buckets', async () => {
  const archive = await openMemory()
  await importRows(archive, [makeRating({ id: 1, created_at: START })])
  const ask = async (bucket: SeriesQuery['bucket'], days: number) => {
    const query = { ...EVER, bucket, to: START + days * DAY }
    const series = await archive.selectSeries('AAPL', query, { at: START + 2e10 })
    return [series?.bucket, series?.points.length]
  }
  expect(await ask('auto', 400)).toEqual(['day', 400])
  expect(await ask('auto', 401)).toEqual(['week', 58])
  expect(await ask('day', 401)).toEqual(['week', 58])
  expect(await ask('week', 2801)).toEqual(['month', 93])
  expect(await ask('month', 13_000)).toEqual(['year', 36])
  expect(await ask('day', 200_000)).toEqual(['year', 400])
  await archive.close()
})

test('a series asked for from before the first rating begins with it', async () => {
  const archive = await openMemory()
  await importRows(archive, [makeRating({ id: 1, created_at: START + 40 * DAY })])
  const at = START + 45 * DAY
  const series = await archive.selectSeries('AAPL', { ...EVER, bucket: 'day', from: 0 }, { at })
  expect(series?.points.map((point) => point.t)).toEqual(
    [40, 41, 42, 43, 44, 45].map((day) => START + day * DAY),
  )
  const later = { ...EVER, bucket: 'day' as const, from: at + DAY }
  expect(await archive.selectSeries('AAPL', later, { at })).toMatchObject({ posted: 0, points: [] })
  expect(await archive.selectSeries('AAPL', later, { at: START })).toBeNull()
  await archive.close()
})

test('a rating lapses where its expiry ends it, and not where the member renews it in that second', async () => {
  const archive = await openMemory()
  const [posted, expiry] = [START + 100, START + DAY + 100]
  await importRows(archive, [
    makeRating({ id: 1, user_id: 1, created_at: posted, expired_at: expiry }),
    makeRating({ id: 2, user_id: 2, created_at: posted, expired_at: expiry }),
    makeRating({ id: 3, user_id: 2, created_at: expiry, expired_at: 0 }),
    makeRating({ id: 4, user_id: 3, created_at: posted, expired_at: posted - 1 }),
    makeRating({ id: 5, user_id: 4, created_at: posted, expired_at: expiry + 400 * DAY }),
    makeRating({ id: 6, user_id: 5, created_at: posted, expired_at: null }),
  ])
  const query = { ...EVER, bucket: 'day' as const }
  const ask = async (at: number) =>
    (await archive.selectSeries('AAPL', query, { at }))?.points.map(({ active, lapsed }) => [
      active,
      lapsed,
    ])
  expect(await ask(expiry - 1)).toEqual([
    [4, 0],
    [4, 0],
  ])
  expect(await ask(expiry)).toEqual([
    [4, 0],
    [3, 1],
  ])
  await archive.close()
})

test('single ratings stand beside a series where they are at most 400', async () => {
  const archive = await openMemory()
  const row = (index: number) =>
    makeRating({ id: index, user_id: index, created_at: START + Math.floor(index / 400) * DAY })
  await importRows(
    archive,
    Array.from({ length: 401 }, (_, index) => row(index)),
  )
  const at = START + 5 * DAY
  const ask = async (query: Partial<SeriesQuery>) => {
    const series = await archive.selectSeries('AAPL', { ...EVER, bucket: 'day', ...query }, { at })
    return [series?.posted, series?.ratings.length]
  }
  expect(await ask({})).toEqual([401, 0])
  expect(await ask({ to: START + 1 })).toEqual([400, 400])
  expect(await ask({ from: START + DAY })).toEqual([1, 1])
  await archive.close()
})
