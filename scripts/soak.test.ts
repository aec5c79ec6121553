import { expect, test } from 'vitest'
import { runSoak } from '../soak/run-soak.ts'

test('killed at random moments of its moves, the sync ends with an archive that equals its source', async () => {
  const rounds = await runSoak({ rounds: 4, seed: 3, ratings: 1500 })
  expect(rounds.map(({ problems }) => problems)).toEqual(rounds.map(() => []))
  expect(rounds).toHaveLength(4)
}, 120_000)
