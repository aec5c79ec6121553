import {
  closeSync,
  copyFileSync,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Engine, openEngine } from '#lib/archive/engine/duckdb-engine.ts'
import { aRating, importRows, START } from '#testing/archive/arbitrary.ts'
import { verifyArchive } from './integrity-check.ts'
import { openArchive } from './open-archive.ts'

let folder = ''
let whole = ''
let file = ''
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'verify-'))
  whole = join(folder, 'whole.duckdb')
  await makeArchive(whole)
})
beforeEach(({ task }) => {
  file = join(folder, `${task.id}.duckdb`)
  copyFileSync(whole, file)
})
afterAll(() => rmSync(folder, { recursive: true }))

const ROWS = 3000

async function makeArchive(path: string): Promise<void> {
  const archive = await openArchive({ path, now: () => START })
  const rows = fc.sample(aRating, { seed: 7, numRuns: ROWS }).map((row, id) => ({
    ...row,
    rating: { ...row.rating, id, user_id: id % 40 },
  }))
  await importRows(archive, rows)
  const at = START + 30 * 86_400
  const lacking = rows.filter(({ rating }) => rating.id % 50 !== 0)
  await archive.import({ kind: 'dump', name: '2024-01-14' }, async (run) => {
    await run.append(lacking, [{ reason: 'id: missing', raw: '{}' }])
    return { completeTo: START, whole: { at } }
  })
  await archive.close()
}

async function withFile<T>(work: (engine: Engine) => Promise<T>): Promise<T> {
  const engine = await openEngine({ path: file, memoryLimit: '128MB', threads: 2 })
  try {
    return await work(engine)
  } finally {
    await engine.close()
  }
}

test('an archive that imports made has no problem, and says what it holds', async () => {
  const { problems, figures } = await withFile(({ writer }) => verifyArchive(writer.db))
  expect(problems).toEqual([])
  expect(figures).toMatchObject({
    ratings: ROWS,
    users: 40,
    quarantined: 1,
    generation: 2,
    completeTo: START,
  })
  expect(figures?.vanished).toBeGreaterThan(10)
})

const touch = (change: RawBuilder<unknown>) =>
  sql`update rating set ${change} where id in (select min(id) from rating where vanished_at is null)`

test.each<[RawBuilder<unknown>, string]>([
  [sql`insert into rating select * from rating limit 1`, '1 id occurs twice.'],
  [touch(sql`effective_until = effective_until - 1`), '1 rating has a wrong effective_until.'],
  [touch(sql`prediction_value = prediction_value + 1`), '1 rating has a wrong prediction_value.'],
  [sql`update rating set previous_rating = 99`, `${ROWS} ratings have a wrong previous_rating.`],
  [touch(sql`previous_prediction = 'none'`), '1 rating has a wrong previous_prediction.'],
  [touch(sql`previous_created_at = 1`), '1 rating has a wrong previous_created_at.'],
  [touch(sql`quality = 1023`), '1 rating has a wrong quality.'],
  [touch(sql`vanished_at = created_at - 1`), '1 rating vanished before it was posted.'],
  [
    sql`delete from symbol where symbol_key = 'AAPL'`,
    '1 row of the symbols does not match the ratings.',
  ],
  [
    sql`insert into symbol values ('NONE', 'none', 'NONE')`,
    '1 row of the symbols does not match the ratings.',
  ],
  [
    sql`update symbol set symbol = 'aapl' where symbol_key = 'AAPL'`,
    '2 rows of the symbols do not match the ratings.',
  ],
  [
    sql`update symbol set search_key = 'AAPLE' where symbol_key = 'AAPL'`,
    '1 symbol has a wrong key.',
  ],
  [touch(sql`symbol_key = 'OTHER'`), '1 symbol is kept under two keys.'],
  [sql`update journal set schema_version = 99`, 'The journal has a different version.'],
  [sql`update journal set last_updated = -1`, 'A count of the journal is below 0.'],
  [
    sql`update journal set last_inserted = 99999`,
    'The journal counts more ratings in its last run than exist.',
  ],
  [sql`update journal set generation = 0`, 'There are ratings without a commit.'],
  [
    sql`update journal set covered_to_id = 99999`,
    'The last complete import covers more than the ratings.',
  ],
  [sql`delete from journal`, 'The journal has 0 rows, not one.'],
  [sql`insert into journal select * from journal`, 'The journal has 2 rows, not one.'],
  [sql`drop table quarantine`, 'The rows set aside cannot be read.'],
])('what is changed behind its back is found (%#)', async (change, problem) => {
  const { problems } = await withFile(async ({ writer: { db } }) => {
    await change.execute(db)
    return await verifyArchive(db)
  })
  expect(problems).toContain(problem)
})

test('a damaged block is found, and nothing that stands in it is told', async () => {
  const descriptor = openSync(file, 'r+')
  const noise = Buffer.alloc(512, 0xa5)
  for (let at = 3 * 4096 + 100_000; at < statSync(file).size; at += 262_144) {
    writeSync(descriptor, noise, 0, noise.length, at)
  }
  closeSync(descriptor)
  const { problems } = await withFile(({ writer }) => verifyArchive(writer.db))
  expect(problems).toContain('The rows of the ratings cannot be read.')
})
