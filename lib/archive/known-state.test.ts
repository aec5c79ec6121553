import { expect, onTestFinished, test, vi } from 'vitest'
import { makeRating, START } from './arbitrary.test-support.ts'
import type { WholeImport } from './archive.ts'
import { openEngine } from './duckdb-engine.ts'
import { beginRun } from './import-run.ts'
import { type KnownState, loadKnownState } from './known-state.ts'
import { migrate } from './migrations.ts'

type Coming = { ids?: readonly number[]; rejected?: readonly string[]; whole?: WholeImport }

/** A database in which runs are committed, and what is asked of it to know its state afterwards. */
async function openRuns() {
  const engine = await openEngine({ path: ':memory:', memoryLimit: '64MB', threads: 1 })
  onTestFinished(async () => await engine.close())
  const { writer } = engine
  await migrate(writer.db)
  let known: KnownState = await loadKnownState(writer.db)
  const asked = vi.spyOn(writer.connection, 'run')
  return async ({ ids = [], rejected = [], whole }: Coming) => {
    const run = await beginRun(writer, {
      ...{ source: { kind: 'pages', name: '1' }, now: () => START, rebuildAbove: 1000 },
      ...{ state: () => known.state, onEnd: async () => undefined },
    })
    const rows = ids.map((id) => makeRating({ id }))
    await run.append(
      rows,
      rejected.map((raw) => ({ reason: 'no rating', raw })),
    )
    await run.commit({ completeTo: START, ...(whole ? { whole } : {}) })
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
