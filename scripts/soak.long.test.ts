import { expect, test } from 'vitest'
import { draws, SEED } from '#testing/draws.ts'
import { makeRating, makeRatings } from '#testing/make-ratings.ts'
import { runSoak } from '../soak/run-soak.ts'
import { openSource } from '../soak/source.ts'

test('a page of the source lists what is listed now, also where as many came as went', async () => {
  const source = await openSource(makeRatings(1, 3))
  const readIds = async () => {
    const response = await fetch(`${source.baseUrl}posts?page=1`)
    const { data } = await response.json()
    return data.map(({ id }: { id: number }) => id)
  }
  expect(await readIds()).toEqual([3, 2, 1])
  source.drop(2)
  source.put(makeRating(4))
  expect(await readIds()).toEqual([4, 3, 1])
  await source.close()
})

test('killed at random moments of its moves, the sync ends with an archive that equals its source', async () => {
  const rounds = await runSoak({ rounds: draws(8), seed: SEED, ratings: 800 })
  expect(rounds.map(({ problems }) => problems)).toEqual(rounds.map(() => []))
  expect(rounds).toHaveLength(draws(8))
})
