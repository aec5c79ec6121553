import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openEngine } from '#lib/archive/engine/duckdb-engine.ts'
import { openArchive } from '#lib/archive/lifecycle/open-archive.ts'
import { aCommunity, anInstant, importRows, START } from '#testing/archive/arbitrary.ts'
import { draws } from '#testing/draws.ts'
import { chooseBuckets, selectByPairs, selectBySlices } from './series-buckets.ts'

const aQuestion = fc.record({
  bucket: fc.constantFrom('day' as const, 'week' as const),
  from: fc.option(anInstant),
  to: fc.option(anInstant),
  at: anInstant,
  slices: fc.constantFrom(1, 3, 64),
})

test('quartiles of many ratings are found slice by slice, and are those of laying all of them out', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bellwether-quartiles-'))
  let files = 0
  const questions = fc.array(aQuestion, { minLength: 6, maxLength: 6 })
  const property = fc.asyncProperty(aCommunity, questions, async (community, asked) => {
    files += 1
    const path = join(folder, `${files}.duckdb`)
    const archive = await openArchive({ path, now: () => START })
    await importRows(archive, community)
    await archive.close()
    const engine = await openEngine({ path, memoryLimit: '256MB', threads: 1 })
    for (const { at, slices, ...query } of asked) {
      const buckets = chooseBuckets(query, { began: START, at })
      const keys = ['AAPL', 'MSFT', 'BRK.B']
      const [plain, sliced] = await engine.read(async (db) => [
        await selectByPairs(db, { keys, buckets, from: null, at }),
        await selectBySlices(db, { keys, buckets, from: null, at }, slices),
      ])
      expect(sliced).toEqual(plain)
    }
    await engine.close()
  })
  await fc.assert(property, { numRuns: draws(6) })
  await rm(folder, { recursive: true })
})
