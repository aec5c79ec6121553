import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import fc from 'fast-check'
import Papa from 'papaparse'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Archive } from '#lib/archive/archive.ts'
import { selectRatings } from '#lib/archive/ratings/ratings.ts'
import type { Comparison } from '#lib/contract/answers/opinion.ts'
import type { CompareQuery, SeriesQuery } from '#lib/contract/api-queries.ts'
import { type IncomingRating, parseCsvRating } from '#lib/contract/rating.ts'
import { EVERY_RATING } from '#lib/contract/ratings-query.ts'
import { only } from '#lib/contract/value-list.ts'
import { holdAgainstCounting } from '#testing/archive/against-counting.ts'
import { anInstant, importRows, makeRating, openMemory, START } from '#testing/archive/arbitrary.ts'
import { deriveRows, keyOf, type OracleRow } from '#testing/archive/oracle.ts'
import { lastOf, pointOf, seriesOf, startsOf } from '#testing/archive/series-oracle.ts'
import { selectComparison, selectSeries } from './symbol.ts'

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
  const effort = { communities: 16, questions: 4 }
  await holdAgainstCounting(aSeriesQuery, effort, async ({ archive, rows, asked: query, at }) => {
    for (const key of ['AAPL', 'BRK.B']) {
      const own = rows.filter((row) => keyOf(row) === key)
      const series = await selectSeries(
        archive.reader,
        { symbol: key.toLowerCase(), query },
        { at },
      )
      expect(series).toEqual(seriesOf(own, query, at))
    }
  })
})

test('a range counts the same as a series and as a page of ratings, wherever in a bucket its edges lie', async () => {
  const effort = { communities: 12, questions: 6 }
  await holdAgainstCounting(aSeriesQuery, effort, async ({ archive, asked, at }) => {
    const { from, to } = asked
    if (from !== null && to !== null && from >= to) return
    const series = await selectSeries(archive.reader, { symbol: 'AAPL', query: asked }, { at })
    const query = { ...EVERY_RATING, symbol: only('AAPL'), from, to, asof: at }
    const { total } = await selectRatings(archive.reader, query, { at })
    const inBuckets = series?.points.reduce((sum, point) => sum + point.posted, 0)
    expect([series?.posted ?? 0, inBuckets ?? 0]).toEqual([total, total])
  })
})

test('a series is never longer than 400 points: what would be is shown in coarser buckets', async () => {
  const archive = await openMemory()
  await importRows(archive, [makeRating({ id: 1, created_at: START })])
  const ask = async (bucket: SeriesQuery['bucket'], days: number) => {
    const query = { ...EVER, bucket, to: START + days * DAY }
    const series = await selectSeries(
      archive.reader,
      { symbol: 'AAPL', query },
      { at: START + 2e10 },
    )
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
  const series = await selectSeries(
    archive.reader,
    { symbol: 'AAPL', query: { ...EVER, bucket: 'day', from: 0 } },
    { at },
  )
  expect(series?.points.map((point) => point.t)).toEqual(
    [40, 41, 42, 43, 44, 45].map((day) => START + day * DAY),
  )
  const later = { ...EVER, bucket: 'day' as const, from: at + DAY }
  expect(
    await selectSeries(archive.reader, { symbol: 'AAPL', query: later }, { at }),
  ).toMatchObject({ posted: 0, points: [] })
  expect(
    await selectSeries(archive.reader, { symbol: 'AAPL', query: later }, { at: START }),
  ).toBeNull()
  await archive.close()
})

test('a rating expires where its expiry ends it, and not where the user renews it in that second', async () => {
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
    (await selectSeries(archive.reader, { symbol: 'AAPL', query }, { at }))?.points.map(
      ({ active, lapsed }) => [active, lapsed],
    )
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
    const series = await selectSeries(
      archive.reader,
      { symbol: 'AAPL', query: { ...EVER, bucket: 'day', ...query } },
      { at },
    )
    return [series?.posted, series?.ratings.length]
  }
  expect(await ask({})).toEqual([401, 0])
  expect(await ask({ to: START + 1 })).toEqual([400, 400])
  expect(await ask({ from: START + DAY })).toEqual([1, 1])
  await archive.close()
})

const aCompareQuery: fc.Arbitrary<CompareQuery> = fc.record({
  symbol: fc.record({
    only: fc.shuffledSubarray(['AAPL', 'MSFT', 'BRK.B', 'ÜNÏ', '"Q"', 'NONE'], { minLength: 1 }),
    not: fc.constant([]),
  }),
  bucket: fc.constantFrom<CompareQuery['bucket']>('auto', 'day', 'week', 'month'),
  from: fc.option(anInstant),
  to: fc.option(anInstant),
  asof: fc.constant(null),
})

function comparisonOf(rows: readonly OracleRow[], query: CompareQuery, at: number): Comparison {
  const known = rows.filter((row) => row.created_at <= at)
  const ownOf = (key: string) => known.filter((row) => keyOf(row) === key)
  const keys = query.symbol.only.filter((key) => ownOf(key).length > 0)
  const beganOf = (key: string) => Math.min(...ownOf(key).map((row) => row.created_at))
  const began = Math.min(at, ...keys.map(beganOf))
  const { bucket, starts } = startsOf(query, { began, at })
  const end = lastOf(query, at)
  return {
    bucket,
    symbols: keys.map((key) => ({
      symbol: [...ownOf(key).map((row) => row.symbol)].sort()[0] ?? '',
      first_created_at: beganOf(key),
      points: starts.map((t) => {
        const { active, consensus, active_prediction } = pointOf(ownOf(key), { t, bucket, at: end })
        return { t, active, consensus, active_prediction }
      }),
    })),
    unknown: query.symbol.only.filter((key) => !keys.includes(key)),
  }
}

test('symbols are compared in the same buckets, each with what plain counting gives', async () => {
  const effort = { communities: 16, questions: 4 }
  await holdAgainstCounting(aCompareQuery, effort, async ({ archive, rows, asked, at }) => {
    expect(await selectComparison(archive.reader, asked, { at })).toEqual(
      comparisonOf(rows, asked, at),
    )
  })
})

test('a comparison begins with the first rating of any symbol and is never longer than 400 points', async () => {
  const archive = await openMemory()
  await importRows(archive, [
    makeRating({ id: 1, created_at: START }),
    makeRating({ id: 2, symbol: 'MSFT', created_at: START + 500 * DAY }),
  ])
  const query = { bucket: 'day' as const, from: 0, to: null, asof: null }
  const symbol = { only: ['MSFT', 'AAPL', 'NONE'], not: [] }
  const found = await selectComparison(
    archive.reader,
    { ...query, symbol },
    { at: START + 600 * DAY },
  )
  expect(found.bucket).toBe('week')
  expect(found.unknown).toEqual(['NONE'])
  expect(found.symbols.map((one) => [one.symbol, one.points.length, one.points[0]])).toEqual([
    ['MSFT', 86, { t: START, active: 0, consensus: null, active_prediction: null }],
    ['AAPL', 86, { t: START, active: 1, consensus: '3.0000', active_prediction: '10.0000' }],
  ])
  await archive.close()
})

const CSV = resolve('../shared/data/broker-ratings.csv')

const at = (day: string) => Date.parse(day) / 1000
const LATER = at('2100-01-01')

describe.skipIf(!existsSync(CSV))('on a real community', () => {
  let archive: Archive
  const bySymbol = new Map<string, OracleRow[]>()

  beforeAll(async () => {
    const ratings = readRatings()
    archive = await openMemory()
    await importRows(archive, ratings)
    const groups = new Map<string, IncomingRating[]>()
    for (const one of ratings) {
      const key = keyOf(one.rating)
      groups.set(key, [...(groups.get(key) ?? []), one])
    }
    for (const [key, own] of groups) bySymbol.set(key, deriveRows(own))
  }, 60_000)
  afterAll(async () => await archive?.close())

  const cases: [string, Omit<SeriesQuery, 'asof'>, number][] = [
    ['in full', { bucket: 'auto', from: null, to: null }, LATER],
    ['by weeks as of then', { bucket: 'week', from: at('2018-01-01'), to: null }, at('2021-03-16')],
    ['by days', { bucket: 'day', from: at('2024-07-01'), to: at('2024-09-15') }, LATER],
  ]
  for (const [name, query, instant] of cases) {
    test(`the series of every symbol ${name} is what plain counting gives`, async () => {
      expect(bySymbol.size).toBeGreaterThan(20)
      for (const [key, own] of bySymbol) {
        const asked = { ...query, asof: null }
        const series = await selectSeries(
          archive.reader,
          { symbol: key, query: asked },
          { at: instant },
        )
        expect(series, key).toEqual(seriesOf(own, asked, instant))
      }
    }, 60_000)
  }

  function readRatings(): IncomingRating[] {
    const { data } = Papa.parse<string[]>(readFileSync(CSV, 'utf8'), { skipEmptyLines: true })
    const [header = [], ...records] = data
    return records.flatMap((cells) => {
      const parsed = parseCsvRating(header, cells)
      return parsed.ok ? [{ rating: parsed.rating, extra: parsed.extra }] : []
    })
  }
})
