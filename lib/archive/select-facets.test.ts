import { expect, test } from 'vitest'
import type { Facets } from '#lib/contract/answers/ratings.ts'
import { EVERY_RATING, type RatingsQuery } from '#lib/contract/ratings-query.ts'
import { ANY, only } from '#lib/contract/value-list.ts'
import { holdAgainstCounting } from './against-counting.test-support.ts'
import {
  aRatingsQuery,
  importRows,
  makeRating,
  openMemory,
  START,
} from './arbitrary.test-support.ts'
import {
  compareBy,
  groupBy,
  keyOf,
  millionths,
  nameOf,
  type OracleRow,
  passes,
} from './oracle.test-support.ts'

type Line = { value: string | number; count: number }

const byCount = compareBy<Line>([
  [(line) => line.count, 'desc'],
  [(line) => line.value, 'asc'],
])

function countCodes(rows: readonly OracleRow[], column: 'rating' | 'action') {
  const name = column === 'rating' ? 'Rating' : 'Action'
  return [...groupBy(rows, (row) => row[column])]
    .map(([value, own]) => ({ value, label: `${name} ${value}`, count: own.length }))
    .sort((a, b) => a.value - b.value)
}

function countSymbols(rows: readonly OracleRow[], all: readonly OracleRow[], selected: string[]) {
  const lines = [...groupBy(rows, keyOf)].map(([key, own]) => ({
    key,
    value: nameOf(all.filter((row) => keyOf(row) === key)),
    count: own.length,
  }))
  const sorted = lines.sort(byCount)
  return sorted
    .filter((line, index) => index < 20 || selected.includes(line.key))
    .map(({ value, count }) => ({ value, count }))
}

function countUsers(rows: readonly OracleRow[], selected: number[]) {
  return [...groupBy(rows, (row) => row.user_id)]
    .map(([value, own]) => ({ value, count: own.length }))
    .sort(byCount)
    .filter((line, index) => index < 20 || selected.includes(line.value))
}

/** Bins are judged by what they promise: truthful edges that meet, and counts that agree with the edges. */
function expectBins<B extends { count: number }>(
  bins: readonly B[],
  values: readonly bigint[],
  edges: (bin: B) => [from: bigint, to: bigint],
  expectEnd = (edge: bigint, value?: bigint) => expect(edge).toBe(value),
): void {
  expect(bins.length > 0).toBe(values.length > 0)
  const sorted = [...values].sort((a, b) => (a < b ? -1 : 1))
  bins.forEach((bin, index) => {
    const [from, to] = edges(bin)
    const last = index === bins.length - 1
    const inside = values.filter((value) => value >= from && (value < to || (last && value === to)))
    expect(bin.count).toBe(inside.length)
    const next = bins[index + 1]
    if (next) expect(to).toBe(edges(next)[0])
    if (index === 0) expectEnd(from, sorted[0])
    if (last) expectEnd(to, sorted.at(-1))
  })
}

function expectFacets(facets: Facets, all: readonly OracleRow[], query: RatingsQuery, at: number) {
  const passing = (without: Partial<RatingsQuery>) =>
    all.filter((row) => passes(row, { ...query, ...without }, at))
  expect(facets.rating).toEqual(countCodes(passing({ rating: ANY }), 'rating'))
  expect(facets.action).toEqual(countCodes(passing({ action: ANY }), 'action'))
  expect(facets.symbol).toEqual(
    countSymbols(passing({ symbol: ANY }), all, [...query.symbol.only, ...query.symbol.not]),
  )
  expect(facets.user).toEqual(
    countUsers(passing({ user: ANY }), [...query.user.only, ...query.user.not]),
  )
  const created = passing({ from: null, to: null, created: ANY }).map((row) =>
    BigInt(row.created_at),
  )
  expect(facets.created.length).toBeLessThanOrEqual(80)
  const instants = (bin: Facets['created'][number]): [bigint, bigint] => [
    BigInt(bin.from),
    BigInt(bin.to),
  ]
  const firstAndLast = [facets.created.at(0), facets.created.at(-1)]
  expect(firstAndLast.every((bin) => bin === undefined || bin.count > 0)).toBe(true)
  expectBins(facets.created, created, instants, () => {})
  const predictions = passing({
    prediction: ANY,
    prediction_min: null,
    prediction_max: null,
    prediction_above: null,
    prediction_below: null,
  })
  const values = predictions.map((row) => millionths(row.prediction))
  expect(facets.prediction.length).toBeLessThanOrEqual(40)
  expectBins(facets.prediction, values, (bin) => [millionths(bin.from), millionths(bin.to)])
}

test('each facet counts the rows that pass all the other filters', async () => {
  const effort = { communities: 35, questions: 6 }
  await holdAgainstCounting(aRatingsQuery, effort, async ({ archive, rows, asked, at }) => {
    expectFacets(await archive.selectFacets(asked, { at }), rows, asked, at)
  })
})

test('bins of years begin and end at midnight, UTC, and hold every rating', async () => {
  const archive = await openMemory()
  const community = Array.from({ length: 300 }, (_, id) =>
    makeRating({ id, user_id: id, created_at: START + 12_345 + id * 1_000_003 }),
  )
  await importRows(archive, community)
  const { created } = await archive.selectFacets(EVERY_RATING, { at: START })
  expect(created.length).toBeLessThanOrEqual(80)
  for (const { from, to } of created) expect([from % 86_400, to % 86_400]).toEqual([0, 0])
  expect(created.reduce((sum, { count }) => sum + count, 0)).toBe(300)
  await archive.close()
})

test('a selected symbol and user are listed however small they are', async () => {
  const archive = await openMemory()
  const community = Array.from({ length: 300 }, (_, id) =>
    makeRating({ id, user_id: id % 24, symbol: `S${id % 24}`, created_at: START }),
  )
  community.push(makeRating({ id: 999, user_id: 77, symbol: 'Rare' }))
  await importRows(archive, community)
  const query = { ...EVERY_RATING, symbol: only('RARE'), user: only(77) }
  const facets = await archive.selectFacets(query, { at: START })
  expect(facets.symbol).toEqual([{ value: 'Rare', count: 1 }])
  const bySymbol = await archive.selectFacets({ ...query, user: ANY }, { at: START })
  expect(bySymbol.symbol).toHaveLength(21)
  expect(bySymbol.symbol.at(-1)).toEqual({ value: 'Rare', count: 1 })
  const byUser = await archive.selectFacets({ ...query, symbol: ANY }, { at: START })
  expect(byUser.user).toHaveLength(21)
  expect(byUser.user.at(-1)).toEqual({ value: 77, count: 1 })
  await archive.close()
})

test('one absurd prediction does not push all others into one bin', async () => {
  const archive = await openMemory()
  const community = Array.from({ length: 1000 }, (_, id) =>
    makeRating({ id, user_id: id, prediction: `${id % 100}.5` }),
  )
  community.push(makeRating({ id: 5000, user_id: 5000, prediction: '999999999999' }))
  await importRows(archive, community)
  const { prediction } = await archive.selectFacets(EVERY_RATING, { at: START })
  expect(prediction).toHaveLength(40)
  expect(Math.max(...prediction.map((bin) => bin.count))).toBeLessThan(60)
  expect(prediction[0]?.from).toBe('0.5')
  expect(prediction.at(-1)?.to).toBe('999999999999')
  await archive.close()
})

test('a code is labelled as the last rating that bears it', async () => {
  const archive = await openMemory()
  const labelled = (id: number, label: string) => {
    const row = makeRating({ id, rating: 9 })
    return { ...row, rating: { ...row.rating, rating_label: label } }
  }
  await importRows(archive, [labelled(2, 'new'), labelled(1, 'old')])
  const { rating } = await archive.selectFacets(EVERY_RATING, { at: START })
  expect(rating).toEqual([{ value: 9, label: 'new', count: 2 }])
  await archive.close()
})
