import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openEngine } from '#lib/archive/engine/duckdb-engine.ts'
import { verifyArchive } from '#lib/archive/lifecycle/integrity-check.ts'
import { openArchive } from '#lib/archive/lifecycle/open-archive.ts'
import { selectRatings } from '#lib/archive/ratings/ratings.ts'
import { EVERY_RATING } from '#lib/contract/ratings-query.ts'
import { editionAt } from '#lib/contract/weekly-clock.ts'
import { openEditions } from '#lib/sync/editions/edition-store.ts'
import { importRows } from '#testing/archive/arbitrary.ts'
import {
  createScriptedService,
  DAY,
  makeFolder,
  range,
  toRating,
  WEDNESDAY,
} from '#testing/sync/scripted-service.ts'
import { LIMITS } from './command.ts'
import { rebuildArchive } from './rebuild.ts'

const now = () => WEDNESDAY
const DUMPED = editionAt(WEDNESDAY)
const [EARLY, LATE] = [DUMPED - 14 * DAY, DUMPED + 7 * DAY]

const rowsWithout = (...gone: number[]) =>
  range(1, 102)
    .filter((id) => !gone.includes(id))
    .map((id) => ({ rating: toRating(id), extra: null }))

/** 1–102: 30 and 40 vanished early, 50 and 101 late; one row is in quarantine. */
async function makeOld(): Promise<string> {
  const dir = await makeFolder()
  const archive = await openArchive({ path: join(dir, 'archive.duckdb'), now })
  await importRows(archive, rowsWithout())
  await importRows(archive, rowsWithout(30, 40), EARLY, { at: EARLY })
  await archive.import({ kind: 'dump', name: 'late' }, async (run) => {
    await run.append(rowsWithout(30, 40, 50, 101), [{ reason: 'no id', raw: '{"a":1}' }])
    return { completeTo: LATE, whole: { at: LATE } }
  })
  await archive.close()
  return dir
}

/** Lists 1–100 without 30. */
async function keepDump(dir: string): Promise<void> {
  const ratings = rowsWithout(30, 101, 102).map(({ rating }) => rating)
  const upstream = createScriptedService({ ratings })
  const editions = await openEditions({ dir: join(dir, 'editions'), upstream, now })
  await editions.ensure('posts')
  await editions.close()
}

async function read(dir: string) {
  const path = join(dir, 'archive.duckdb')
  const archive = await openArchive({ path, now: () => LATE })
  const { rows } = await selectRatings(
    archive.reader,
    { ...EVERY_RATING, per_page: 500 },
    { at: LATE },
  )
  const { generation, version: _version, ...state } = archive.state()
  await archive.close()
  const engine = await openEngine({ ...LIMITS, path, isReadOnly: true })
  const { problems } = await verifyArchive(engine.writer.db)
  await engine.close()
  const marks = Object.fromEntries(
    rows.flatMap((row) => (row.vanished_at === null ? [] : [[row.id, row.vanished_at]])),
  )
  return { ids: rows.map(({ id }) => id).sort((a, b) => a - b), marks, state, generation, problems }
}

async function rebuild(dir: string): Promise<string> {
  const said: string[] = []
  const path = join(dir, 'archive.duckdb')
  const backupFolder = join(dir, 'backups')
  await rebuildArchive({
    dataDir: dir,
    path,
    backupFolder,
    databaseUrl: null,
    environment: {},
    now: () => LATE,
    print: (line) => said.push(line),
  })
  return said.join('\n')
}

test('an archive that is rebuilt without a dump knows which ratings had vanished, since when, and how far it came', async () => {
  const dir = await makeOld()
  const before = await read(dir)
  expect(before.marks).toEqual({ 30: EARLY, 40: EARLY, 50: LATE, 101: LATE })
  expect(before.state).toMatchObject({ quarantined: 1, gaps: { ids: 0 } })
  expect(await rebuild(dir)).toContain('4 ratings were no longer listed in the old archive')
  const after = await read(dir)
  expect(after).toEqual({ ...before, generation: after.generation })
  expect(after.generation).toBeGreaterThan(before.generation)
  expect(after.problems).toEqual([])
})

test('with a dump, a mark stands unless that dump lists the rating again', async () => {
  const dir = await makeOld()
  await keepDump(dir)
  await rebuild(dir)
  const { ids, marks, state, problems } = await read(dir)
  expect(ids).toEqual(range(1, 102))
  expect(marks).toEqual({ 30: EARLY, 50: LATE, 101: LATE })
  expect(state).toMatchObject({ vanished: 3, completeTo: LATE })
  expect(problems).toEqual([])
})
