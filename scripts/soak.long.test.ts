import { expect, test } from 'vitest'
import { draws, SEED } from '#testing/draws.ts'
import { runSoak } from '../soak/run-soak.ts'

test('killed at random moments of its moves, the sync ends with an archive that equals its source', async () => {
  const rounds = await runSoak({ rounds: draws(8), seed: SEED, ratings: 800 })
  expect(rounds.map(({ problems }) => problems)).toEqual(rounds.map(() => []))
  expect(rounds).toHaveLength(draws(8))
})
