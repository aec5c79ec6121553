import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Gaps } from '#lib/contract/answers/state.ts'
import { importRows, makeRating, openMemory, START } from './arbitrary.test-support.ts'
import type { Archive } from './archive.ts'

const toRows = (ids: readonly number[]) =>
  ids.map((id) => makeRating({ id, user_id: Math.abs(id % 7), created_at: START }))

const reject = async (archive: Archive, ids: readonly number[]) => {
  const run = await archive.beginImport({ kind: 'pages', name: 'newest' })
  await run.append(
    [],
    ids.map((id) => ({ reason: 'prediction: not a decimal number', raw: `{"id":${id}}` })),
  )
  await run.commit({ completeTo: null })
}

type Known = { held: Set<number>; rejected: Set<number>; coveredTo: number | null }

/** Each missing id by itself, then put together to ranges. */
function countPlainly({ held, rejected, coveredTo }: Known): Gaps {
  const [lowest, highest] = [Math.min(...held), Math.max(...held)]
  const ranges: Gaps['listed'] = []
  let [ids, unexplained] = [0, 0]
  for (let id = lowest; id <= highest; id += 1) {
    if (held.has(id)) continue
    const reason = rejected.has(id)
      ? 'quarantine'
      : coveredTo !== null && id <= coveredTo
        ? 'dump'
        : 'unknown'
    ids += 1
    if (reason === 'unknown') unexplained += 1
    const last = ranges.at(-1)
    if (last && last.to === id - 1 && last.reason === reason) last.to = id
    else ranges.push({ from: id, to: id, reason })
  }
  const newestFirst = ranges.reverse()
  const unknown = newestFirst.filter(({ reason }) => reason === 'unknown')
  const known = newestFirst.filter(({ reason }) => reason !== 'unknown')
  return { ids, unexplained, listed: [...unknown, ...known].slice(0, 20) }
}

const someIds = fc.array(fc.integer({ min: -20, max: 140 }), { maxLength: 25 })
const aMove = fc.record({
  ids: someIds,
  rejected: fc.array(fc.integer({ min: -30, max: 150 }), { maxLength: 4 }),
  isWhole: fc.boolean(),
})

test('the gaps are those that a plain walk through the numbers finds, over any history', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(aMove, { minLength: 1, maxLength: 6 }), async (moves) => {
      const archive = await openMemory()
      const known: Known = { held: new Set(), rejected: new Set(), coveredTo: null }
      for (const { ids, rejected, isWhole } of moves) {
        await importRows(archive, toRows(ids), null, isWhole ? { at: START } : undefined)
        await reject(archive, rejected)
        for (const id of ids) known.held.add(id)
        for (const id of rejected) known.rejected.add(id)
        if (isWhole && ids.length > 0) known.coveredTo = Math.max(...ids)
        const expected =
          known.held.size === 0 ? { ids: 0, unexplained: 0, listed: [] } : countPlainly(known)
        expect(archive.state().gaps).toEqual(expected)
      }
      await archive.close()
    }),
    { numRuns: 10, endOnFailure: true },
  )
}, 60_000)

test('ids that lie as far apart as numbers can are counted without walking', async () => {
  const archive = await openMemory()
  const [lowest, highest] = [-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]
  await importRows(archive, toRows([lowest, 0, highest]), null, { at: START })
  expect(archive.state().gaps).toEqual({
    ids: Number.MAX_SAFE_INTEGER,
    unexplained: 0,
    listed: [
      { from: 1, to: highest - 1, reason: 'dump' },
      { from: lowest + 1, to: -1, reason: 'dump' },
    ],
  })
  await archive.close()
})

test('twenty ranges are listed, however many there are, and all of them are counted', async () => {
  const archive = await openMemory()
  await importRows(archive, toRows(Array.from({ length: 100 }, (_, place) => 1 + place * 3)))
  const { ids, unexplained, listed } = archive.state().gaps
  expect([ids, unexplained, listed.length]).toEqual([198, 198, 20])
  expect(listed[0]).toEqual({ from: 296, to: 297, reason: 'unknown' })
  await archive.close()
})

test('what a later page brings is not explained by the dump before it', async () => {
  const archive = await openMemory()
  await importRows(archive, toRows([1, 5, 9]), null, { at: START })
  await importRows(archive, toRows([12]))
  expect(archive.state().gaps).toEqual({
    ids: 8,
    unexplained: 2,
    listed: [
      { from: 10, to: 11, reason: 'unknown' },
      { from: 6, to: 8, reason: 'dump' },
      { from: 2, to: 4, reason: 'dump' },
    ],
  })
  await archive.close()
})
