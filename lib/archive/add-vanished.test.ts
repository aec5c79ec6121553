import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeRating, START } from './arbitrary.test-support.ts'
import { openEngine } from './duckdb-engine.ts'
import { migrate } from './migrations.ts'
import { openArchive } from './open-archive.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vanished-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const COLUMNS = [
  ['rating', 'vanished_at'],
  ['quarantine', 'rating_id'],
  ['journal', 'covered_to_id'],
  ['journal', 'covered_at'],
  ['journal', 'quarantine_dropped'],
] as const

test('a file of version 2 keeps every rating as it was, and learns the ids of its quarantine', async () => {
  const path = join(folder, 'archive.duckdb')
  const archive = await openArchive({ path, now: () => START })
  const run = await archive.beginImport({ kind: 'pages', name: 'newest' })
  const odd = Array.from({ length: 2300 }, (_, id) => ({ reason: 'x', raw: `{"id":${id}}` }))
  await run.append(
    [1, 2, 5000].map((id) => makeRating({ id })),
    [...odd, { reason: 'row: no object', raw: '7' }],
  )
  await run.commit({ completeTo: START })
  await archive.close()

  const engine = await openEngine({ path, memoryLimit: '64MB', threads: 2 })
  const { db } = engine.writer
  const read = async () =>
    (await sql`select * exclude (vanished_at) from rating order by id`.execute(db)).rows
  const before = await read()
  for (const [table, column] of COLUMNS) {
    await sql`alter table ${sql.table(table)} drop column ${sql.ref(column)}`.execute(db)
  }
  await db.updateTable('journal').set({ schema_version: 2 }).execute()
  await migrate(db, 3)
  expect(await read()).toEqual(before)
  await engine.close()

  const after = await openArchive({ path, now: () => START })
  expect(after.state()).toMatchObject({ ratings: 3, vanished: 0, quarantined: 2301 })
  // Of the missing 3 to 4999, those below 2300 stand in quarantine; no dump explains the rest.
  expect(after.state().gaps).toEqual({
    ids: 4997,
    unexplained: 2700,
    listed: [
      { from: 2300, to: 4999, reason: 'unknown' },
      { from: 3, to: 2299, reason: 'quarantine' },
    ],
  })
  await after.close()
})
