import { expect, test } from 'vitest'
import { EVERY_RATING, type RatingsQuery } from '#lib/contract/ratings-query.ts'
import { ANY, only } from '#lib/contract/value-list.ts'
import { holdAgainstCounting } from '#testing/archive/against-counting.ts'
import {
  aRatingsQuery,
  importRows,
  makeRating,
  openMemory,
  START,
} from '#testing/archive/arbitrary.ts'
import { expectFacets } from '#testing/archive/facets-oracle.ts'
import { selectFacets } from './facets.ts'

test('each facet counts the rows that pass all the other filters', async () => {
  const effort = { communities: 24, questions: 7 }
  await holdAgainstCounting(aRatingsQuery, effort, async ({ archive, rows, asked, at }) => {
    expectFacets(await selectFacets(archive.reader, asked, { at }), rows, { query: asked, at })
  })
}, 120_000)

test('bins of years begin and end at midnight, UTC, and hold every rating', async () => {
  const archive = await openMemory()
  const community = Array.from({ length: 300 }, (_, id) =>
    makeRating({ id, user_id: id, created_at: START + 12_345 + id * 1_000_003 }),
  )
  await importRows(archive, community)
  const { created } = await selectFacets(archive.reader, EVERY_RATING, { at: START })
  expect(created.length).toBeLessThanOrEqual(80)
  for (const { from, to } of created) expect([from % 86_400, to % 86_400]).toEqual([0, 0])
  expect(created.reduce((sum, { count }) => sum + count, 0)).toBe(300)
  await archive.close()
})

test('bins stay where they are whatever is filtered, and hold what passes', async () => {
  const archive = await openMemory()
  const community = Array.from({ length: 400 }, (_, id) =>
    makeRating({ id, user_id: id, prediction: `${id - 200}.5`, created_at: START + id * 86_400 }),
  )
  await importRows(archive, community)
  const edges = async (asked: Partial<RatingsQuery>) => {
    const facets = await selectFacets(archive.reader, { ...EVERY_RATING, ...asked }, { at: START })
    const toEdges = (bin: { from: unknown; to: unknown }) => [bin.from, bin.to]
    const counts = facets.created.reduce((sum, { count }) => sum + count, 0)
    return { counts, bins: [facets.created.map(toEdges), facets.prediction.map(toEdges)] }
  }
  const { bins, counts } = await edges({})
  expect(counts).toBe(400)
  const narrow = { user: only(7, 8), from: START, asof: START + 7 * 86_400 }
  expect(await edges(narrow)).toEqual({ bins, counts: 1 })
  expect(await edges({ symbol: only('NONE') })).toEqual({ bins, counts: 0 })
  await archive.close()
})

test('bins follow a commit, out to the newest rating and the boldest prediction', async () => {
  const archive = await openMemory()
  const ends = async () => {
    const { bounds, prediction } = await selectFacets(archive.reader, EVERY_RATING, { at: START })
    return [bounds, prediction.length]
  }
  expect(await ends()).toEqual([{ created: null, prediction: null }, 0])
  await importRows(archive, [makeRating({ id: 1, created_at: START, prediction: '5' })])
  expect(await ends()).toEqual([
    { created: { from: START, to: START + 1 }, prediction: { min: '5', max: '5' } },
    1,
  ])
  await importRows(archive, [makeRating({ id: 2, created_at: START + 60, prediction: '-7.25' })])
  expect(await ends()).toEqual([
    { created: { from: START, to: START + 61 }, prediction: { min: '-7.25', max: '5' } },
    49,
  ])
  await archive.close()
})

test('bins of predictions have round edges, and none holds both signs', async () => {
  const archive = await openMemory()
  const community = Array.from({ length: 81 }, (_, id) =>
    makeRating({ id, user_id: id, prediction: `${(id - 40) / 4}` }),
  )
  await importRows(archive, community)
  const { prediction } = await selectFacets(archive.reader, EVERY_RATING, { at: START })
  expect(prediction.map(({ from, to }) => [from, to])).toEqual(
    Array.from({ length: 40 }, (_, bin) => [`${bin / 2 - 10}`, `${bin / 2 - 9.5}`]),
  )
  expect(prediction.map(({ count }) => count)).toEqual([...Array(39).fill(2), 3])
  await archive.close()
})

test('a chosen symbol and user are listed however small they are, even where no row is left', async () => {
  const archive = await openMemory()
  const community = Array.from({ length: 300 }, (_, id) =>
    makeRating({ id, user_id: id % 24, symbol: `S${id % 24}`, created_at: START }),
  )
  community.push(makeRating({ id: 999, user_id: 77, symbol: 'Rare' }))
  await importRows(archive, community)
  const query = { ...EVERY_RATING, symbol: only('RARE'), user: only(77) }
  const facets = await selectFacets(archive.reader, query, { at: START })
  expect(facets.symbol).toEqual([{ value: 'Rare', count: 1 }])
  const bySymbol = await selectFacets(archive.reader, { ...query, user: ANY }, { at: START })
  expect(bySymbol.symbol).toHaveLength(21)
  expect(bySymbol.symbol.at(-1)).toEqual({ value: 'Rare', count: 1 })
  const byUser = await selectFacets(archive.reader, { ...query, symbol: ANY }, { at: START })
  expect(byUser.user).toHaveLength(21)
  expect(byUser.user.at(-1)).toEqual({ value: 77, count: 1 })
  const asked = {
    rating: only(5),
    symbol: only('RARE', 'NOBODY'),
    user: { only: [], not: [77, 78] },
  }
  const empty = await selectFacets(archive.reader, { ...EVERY_RATING, ...asked }, { at: START })
  expect(empty.symbol).toEqual([
    { value: 'Rare', count: 0 },
    { value: 'NOBODY', count: 0 },
  ])
  expect(empty.user).toEqual([
    { value: 77, count: 0 },
    { value: 78, count: 0 },
  ])
  await archive.close()
})

test('one absurd prediction does not push all others into one bin', async () => {
  const archive = await openMemory()
  const community = Array.from({ length: 1000 }, (_, id) =>
    makeRating({ id, user_id: id, prediction: `${id % 100}.5` }),
  )
  community.push(makeRating({ id: 5000, user_id: 5000, prediction: '999999999999' }))
  await importRows(archive, community)
  const { prediction } = await selectFacets(archive.reader, EVERY_RATING, { at: START })
  expect(prediction).toHaveLength(50)
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
  const { rating } = await selectFacets(archive.reader, EVERY_RATING, { at: START })
  expect(rating).toEqual([{ value: 9, label: 'new', count: 2 }])
  await archive.close()
})
