import fc from 'fast-check'
import { expect, test } from 'vitest'
import { importRows, makeRating, openMemory, START } from './arbitrary.test-support.ts'

const DAY = 86_400

const rhythmOf = async (instants: readonly number[]) => {
  const archive = await openMemory()
  await importRows(
    archive,
    instants.map((created_at, id) => makeRating({ id, created_at })),
  )
  const rhythm = await archive.selectRhythm()
  await archive.close()
  return rhythm
}

test('the rhythm is that of the four weeks before the newest rating that was posted by now', async () => {
  const instants = fc.array(fc.integer({ min: START - 60 * DAY, max: START + 3 * DAY }), {
    maxLength: 12,
  })
  await fc.assert(
    fc.asyncProperty(instants, async (all) => {
      const posted = all.filter((at) => at <= START).sort((a, b) => a - b)
      const newest = posted.at(-1)
      const lately = posted.filter((at) => at >= (newest ?? 0) - 28 * DAY)
      const waits = lately.slice(1).map((at, place) => at - (lately[place] ?? 0))
      expect(await rhythmOf(all)).toEqual(
        newest === undefined
          ? null
          : {
              newestCreatedAt: newest,
              ratings: lately.length,
              longestGapSeconds: waits.length === 0 ? 28 * DAY : Math.max(...waits),
            },
      )
    }),
    { numRuns: 10 },
  )
}, 30_000)

test('a rating dated in the future does not make the newest of today look fresh', async () => {
  expect(await rhythmOf([START - 10, START - 5, START + 400 * DAY])).toEqual({
    newestCreatedAt: START - 5,
    ratings: 2,
    longestGapSeconds: 5,
  })
})
