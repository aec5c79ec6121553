import fc from 'fast-check'
import { expect, test } from 'vitest'
import { QUALITIES, type Quality } from '#lib/contract/quality.ts'
import { EVERY_RATING, type RatingsQuery } from '#lib/contract/ratings-query.ts'
import { only } from '#lib/contract/value-list.ts'
import { holdAgainstCounting } from './against-counting.test-support.ts'
import {
  aCommunity,
  anInstant,
  importRows,
  makeRating,
  openMemory,
  START,
} from './arbitrary.test-support.ts'
import { expectFacets } from './facets-oracle.test-support.ts'
import { passes, qualityAt } from './oracle.test-support.ts'

const lenses = fc.subarray([...QUALITIES], { maxLength: 3 })
const aQualityQuery: fc.Arbitrary<RatingsQuery> = fc
  .record({
    quality: fc.record({ only: lenses, not: lenses }),
    asof: fc.option(anInstant, { freq: 2 }),
    rating: fc.constantFrom(only<number>(), only(5), only(1, 2, 4)),
  })
  .map((asked) => ({ ...EVERY_RATING, ...asked, per_page: 500 }))

/** Few members and days: what follows soon on its opposite is frequent in it. */
const aHastyCommunity = aCommunity.map((community) =>
  community.map(({ rating, extra }) => ({
    extra,
    rating: {
      ...rating,
      user_id: 1 + (rating.user_id % 2),
      created_at: START + ((rating.created_at - START) % (4 * 86_400)),
    },
  })),
)

test('each lens leaves, takes out and counts the rows that its rule names in plain words', async () => {
  const effort = { communities: 60, questions: 3, of: aHastyCommunity }
  const found = new Map<Quality, number>()
  let [asked, answered] = [0, 0]
  await holdAgainstCounting(aQualityQuery, effort, async ({ archive, rows, asked: query, at }) => {
    const passing = rows.filter((row) => passes(row, query, at))
    const answer = await archive.selectRatings(query, { at })
    expect(answer.rows.map(({ id }) => id).sort((a, b) => a - b)).toEqual(
      passing.map(({ id }) => id).sort((a, b) => a - b),
    )
    const facets = await archive.selectFacets(query, { at })
    expectFacets(facets, rows, { query, at })
    const [first] = passing
    if (first) {
      const one = await archive.selectRating(first.id, query.asof, { at })
      expect(one?.rating.quality).toEqual(qualityAt(first, query.asof ?? at))
    }
    asked += 1
    answered += passing.length > 0 ? 1 : 0
    for (const { value, count } of facets.quality) {
      found.set(value, (found.get(value) ?? 0) + (count > 0 ? 1 : 0))
    }
  })
  // Lenses that nothing falls under would prove little.
  expect(answered / asked).toBeGreaterThan(0.25)
  for (const name of QUALITIES) expect(found.get(name), name).toBeGreaterThan(0)
}, 120_000)

test('a lens begins exactly where its rule says', async () => {
  const archive = await openMemory()
  const [day, other] = [START + 86_400, START + 86_399]
  await importRows(archive, [
    makeRating({
      id: 1,
      user_id: 1,
      action: 4,
      rating: 5,
      prediction: '-0.000001',
      created_at: START,
    }),
    makeRating({
      id: 2,
      user_id: 1,
      action: 4,
      rating: 2,
      prediction: '99.999999',
      created_at: other,
    }),
    makeRating({ id: 3, user_id: 2, action: 4, rating: 1, prediction: '-100', created_at: START }),
    makeRating({ id: 4, user_id: 2, action: 2, rating: 4, prediction: '100', created_at: day }),
    makeRating({ id: 5, user_id: 3, action: 2, rating: 3, expired_at: 0 }),
    makeRating({ id: 6, user_id: 3, action: 2, rating: 3, created_at: day, expired_at: day }),
    makeRating({ id: 7, user_id: 3, action: 1, rating: 5, prediction: '0', created_at: day }),
    makeRating({ id: 8, user_id: 4, action: 1, rating: 3, created_at: START, expired_at: day }),
  ])
  const idsOf = async (name: Quality) => {
    const query = { ...EVERY_RATING, quality: only(name) }
    const { rows } = await archive.selectRatings(query, { at: day })
    return rows.map(({ id }) => id).sort()
  }
  expect(await idsOf('strong_buy_negative')).toEqual([1])
  expect(await idsOf('upgraded_false')).toEqual([5, 6])
  expect(await idsOf('initiated_twice')).toEqual([7])
  expect(await idsOf('expired_before_created')).toEqual([6])
  expect(await idsOf('extreme_prediction')).toEqual([3, 4])
  expect(await idsOf('flip_within_day')).toEqual([2])
  await archive.close()
})

test('a rating that comes late changes what the one behind it falls under', async () => {
  const archive = await openMemory()
  const at = START + 90_000
  const lensesOf = async () => (await archive.selectRating(2, null, { at }))?.rating.quality
  await importRows(archive, [makeRating({ id: 2, action: 1, rating: 5, created_at: at })])
  expect(await lensesOf()).toEqual([])
  await importRows(archive, [makeRating({ id: 1, rating: 1, created_at: START })])
  expect(await lensesOf()).toEqual(['initiated_twice'])
  // The same rating and prediction before, only later: nothing else that is derived is another.
  await importRows(archive, [makeRating({ id: 1, rating: 1, created_at: START + 80_000 })])
  expect(await lensesOf()).toEqual(['initiated_twice', 'flip_within_day'])
  await archive.close()
})
