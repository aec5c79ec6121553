import fc from 'fast-check'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Archive, WholeImport } from '#lib/archive/archive.ts'
import { openEngine } from '#lib/archive/engine/duckdb-engine.ts'
import { migrate } from '#lib/archive/engine/migrations.ts'
import { createImports } from '#lib/archive/import/staged-import.ts'
import { selectPostingRate } from '#lib/archive/ratings/posting-rate.ts'
import type { Gaps } from '#lib/contract/answers/status.ts'
import { importRows, makeRating, openMemory, START } from '#testing/archive/arbitrary.ts'
import { draws } from '#testing/draws.ts'
import { type KnownState, loadKnownState } from './archive-state.ts'

type IncomingRows = { ids?: readonly number[]; rejected?: readonly string[]; whole?: WholeImport }

async function openRuns() {
  const engine = await openEngine({ path: ':memory:', memoryLimit: '64MB', threads: 1 })
  onTestFinished(async () => await engine.close())
  const { writer } = engine
  await migrate(writer.db)
  let known: KnownState = await loadKnownState(writer.db)
  const asked = vi.spyOn(writer.connection, 'run')
  const imports = createImports(writer, {
    now: () => START,
    rebuildAbove: 1000,
    state: () => ({ ...known.state, version: '' }),
    settle: async () => undefined,
    refresh: async () => undefined,
  })
  return async ({ ids = [], rejected = [], whole }: IncomingRows) => {
    const rows = ids.map((id) => makeRating({ id }))
    await imports.run({ kind: 'pages', name: '1' }, async (run) => {
      await run.append(
        rows,
        rejected.map((raw) => ({ reason: 'no rating', raw })),
      )
      return { completeTo: START, ...(whole ? { whole } : {}) }
    })
    asked.mockClear()
    known = await loadKnownState(writer.db, known)
    const queries = asked.mock.calls.map(([text]) => text)
    const fresh = await loadKnownState(writer.db)
    expect(known.state).toEqual(fresh.state)
    return { ofRatings: queries.filter((text) => /\brating\b/.test(text)).length, known, queries }
  }
}

test('a follow that brought nothing new asks nothing of the ratings, and one that did asks anew', async () => {
  const commit = await openRuns()
  const first = await commit({ ids: [1, 2, 5] })
  expect(first.ofRatings).toBeGreaterThan(0)
  const unchanged = await commit({ ids: [1, 2, 5] })
  expect([unchanged.ofRatings, unchanged.queries.length]).toEqual([0, 2])
  expect(unchanged.known.state.completeTo).toBe(START)
  const changed = await commit({ ids: [5, 7] })
  expect(changed.ofRatings).toBeGreaterThan(0)
  expect(changed.known.state).toMatchObject({ ratings: 4, gaps: { ids: 3, unexplained: 3 } })
})

test('the gaps are worked out again where only the quarantine grew, or a whole dump explains more', async () => {
  const commit = await openRuns()
  await commit({ ids: [1, 2, 5] })
  const rejected = await commit({ rejected: ['{"id":3}'] })
  expect(rejected.known.state).toMatchObject({ quarantined: 1, gaps: { ids: 2, unexplained: 1 } })
  const again = await commit({ rejected: ['{"id":3}'] })
  expect(again.ofRatings).toBe(0)
  const whole = await commit({ ids: [1, 2, 5], whole: { at: START + 100 } })
  expect(whole.known.state).toMatchObject({ generation: 1, gaps: { ids: 2, unexplained: 0 } })
})

const WEEK = 7 * 86_400

function quietAfter(instants: readonly number[]): number {
  const latest = [...instants].sort((a, b) => b - a).slice(0, 1000)
  if (latest.length < 20) return 90 * 86_400
  const silences = latest.slice(1).map((at, index) => (latest[index] ?? 0) - at)
  silences.sort((a, b) => a - b)
  return Math.max(WEEK, 3 * (silences[Math.ceil(silences.length * 0.99) - 1] ?? 0))
}

test('a community is quiet by its own rhythm, as plain counting gives it', async () => {
  const someInstants = fc.oneof(
    fc.array(fc.integer({ min: START, max: START + 400 * 86_400 }), { maxLength: 60 }),
    fc.array(fc.integer({ min: START, max: START + 86_400 }), { minLength: 1050, maxLength: 1100 }),
  )
  const property = fc.asyncProperty(someInstants, async (instants) => {
    const archive = await openMemory()
    const rows = instants.map((at, index) => makeRating({ id: index + 1, created_at: at }))
    if (rows.length > 0) await importRows(archive, rows)
    expect(archive.state()).toMatchObject({
      newestCreatedAt: rows.length === 0 ? null : Math.max(...instants),
      quietAfterSeconds: quietAfter(instants),
    })
    await archive.close()
  })
  await fc.assert(property, { numRuns: draws(12) })
})

const toRows = (ids: readonly number[]) =>
  ids.map((id) => makeRating({ id, user_id: Math.abs(id % 7), created_at: START }))

const reject = async (archive: Archive, ids: readonly number[]) => {
  await archive.import({ kind: 'pages', name: 'newest' }, async (run) => {
    await run.append(
      [],
      ids.map((id) => ({ reason: 'prediction: not a decimal number', raw: `{"id":${id}}` })),
    )
    return { completeTo: null }
  })
}

type ExpectedState = { held: Set<number>; rejected: Set<number>; coveredTo: number | null }

function countPlainly({ held, rejected, coveredTo }: ExpectedState): Gaps {
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
      const known: ExpectedState = { held: new Set(), rejected: new Set(), coveredTo: null }
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
    { numRuns: draws(10) },
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

const DAY = 86_400

const rhythmOf = async (instants: readonly number[]) => {
  const archive = await openMemory()
  await importRows(
    archive,
    instants.map((created_at, id) => makeRating({ id, created_at })),
  )
  const rhythm = await selectPostingRate(archive.reader)
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
    { numRuns: draws(10) },
  )
}, 30_000)

test('a rating dated in the future does not make the newest of today look fresh', async () => {
  expect(await rhythmOf([START - 10, START - 5, START + 400 * DAY])).toEqual({
    newestCreatedAt: START - 5,
    ratings: 2,
    longestGapSeconds: 5,
  })
})
