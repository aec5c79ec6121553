import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { holdAgainstCounting } from './against-counting.test-support.ts'
import { importRows, makeRating, openMemory, START } from './arbitrary.test-support.ts'
import { aCommunityOrCrowd } from './crowd.test-support.ts'
import { opinionOf } from './opinion-oracle.test-support.ts'
import { groupBy, keyOf } from './oracle.test-support.ts'

const DAY = 86_400

describe('what a community thinks of a symbol', () => {
  test('is what plain counting says, at any instant', async () => {
    const effort = { communities: 25, questions: 3, of: aCommunityOrCrowd }
    const aSpelling = fc.constantFrom<(key: string) => string>(
      (key) => key,
      (key) => key.toLowerCase(),
    )
    await holdAgainstCounting(aSpelling, effort, async ({ archive, rows, asked: spell, at }) => {
      for (const [key, own] of groupBy(rows, keyOf)) {
        expect(await archive.selectOpinion(spell(key), { at })).toEqual(opinionOf(own, at))
      }
    })
  })

  test('is unknown before the first rating and for a symbol that nobody rated', async () => {
    const archive = await openMemory()
    await importRows(archive, [makeRating({ id: 1, created_at: START })])
    expect(await archive.selectOpinion('AAPL', { at: START - 1 })).toBeNull()
    expect(await archive.selectOpinion('AAPL', { at: 0 })).toBeNull()
    expect(await archive.selectOpinion('NONE', { at: START })).toBeNull()
    await archive.close()
  })

  test('has counts but no figures once all have expired', async () => {
    const archive = await openMemory()
    await importRows(archive, [
      makeRating({ id: 1, created_at: START, expired_at: START + DAY }),
      makeRating({ id: 2, user_id: 2, created_at: START, expired_at: START - DAY }),
    ])
    const opinion = await archive.selectOpinion('AAPL', { at: START + DAY })
    expect(opinion).toMatchObject({
      ratings: 2,
      users: 2,
      active: 0,
      consensus: null,
      consensus_low: null,
      weighted: null,
      dispersion: null,
      agreement_low: null,
      prediction: { mean: null, median: null },
      by_rating: [],
    })
    await archive.close()
  })

  test('a renewal that came later is no lapse, and was not known then', async () => {
    const archive = await openMemory()
    await importRows(archive, [
      makeRating({ id: 1, created_at: START, expired_at: START + 60 * DAY }),
      makeRating({ id: 2, created_at: START + 3 * DAY, rating: 5 }),
    ])
    const opinion = await archive.selectOpinion('AAPL', { at: START + DAY })
    expect(opinion?.cliff.map(({ lapsing }) => lapsing)).toEqual([0, 0])
    expect(opinion?.pending.filter(({ active }) => active === 1)).toHaveLength(59)
    await archive.close()
  })

  test('of two ratings in one second the later id is the last, and the one that counts', async () => {
    const archive = await openMemory()
    await importRows(archive, [
      makeRating({ id: 2, created_at: START, rating: 5 }),
      makeRating({ id: 1, created_at: START, rating: 1 }),
      makeRating({ id: 3, created_at: START, user_id: 7, rating: 5 }),
    ])
    const opinion = await archive.selectOpinion('AAPL', { at: START })
    expect(opinion).toMatchObject({ active: 2, consensus: '5.0000', last_user_id: 7 })
    await archive.close()
  })

  test('votes in billions overflow nothing', async () => {
    const archive = await openMemory()
    const rows = [1, 2, 3].map((id) =>
      makeRating({ id, user_id: id, created_at: START, tally_agree: 2_147_483_647 }),
    )
    await importRows(archive, rows)
    const opinion = await archive.selectOpinion('AAPL', { at: START })
    expect(opinion).toMatchObject({ agree: 6_442_450_941, weighted: '3.0000' })
    const { contested } = await archive.selectOverview({ at: START })
    expect(contested).toHaveLength(1)
    await archive.close()
  })
})
