import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Comparison } from '#lib/contract/answers/series.ts'
import type { CompareQuery } from '#lib/contract/other-queries.ts'
import { holdAgainstCounting } from './against-counting.test-support.ts'
import { anInstant, importRows, makeRating, openMemory, START } from './arbitrary.test-support.ts'
import { keyOf, type OracleRow } from './oracle.test-support.ts'
import { pointOf, startsOf } from './series-oracle.test-support.ts'

const DAY = 86_400

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
  return {
    bucket,
    symbols: keys.map((key) => ({
      symbol: [...ownOf(key).map((row) => row.symbol)].sort()[0] ?? '',
      first_created_at: beganOf(key),
      points: starts.map((t) => {
        const { active, consensus, active_prediction } = pointOf(ownOf(key), { t, bucket, at })
        return { t, active, consensus, active_prediction }
      }),
    })),
    unknown: query.symbol.only.filter((key) => !keys.includes(key)),
  }
}

test('symbols are compared in the same buckets, each with what plain counting gives', async () => {
  const effort = { communities: 25, questions: 5 }
  await holdAgainstCounting(aCompareQuery, effort, async ({ archive, rows, asked, at }) => {
    expect(await archive.selectComparison(asked, { at })).toEqual(comparisonOf(rows, asked, at))
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
  const found = await archive.selectComparison({ ...query, symbol }, { at: START + 600 * DAY })
  expect(found.bucket).toBe('week')
  expect(found.unknown).toEqual(['NONE'])
  expect(found.symbols.map((one) => [one.symbol, one.points.length, one.points[0]])).toEqual([
    ['MSFT', 86, { t: START, active: 0, consensus: null, active_prediction: null }],
    ['AAPL', 86, { t: START, active: 1, consensus: '3.0000', active_prediction: '10.0000' }],
  ])
  await archive.close()
})
