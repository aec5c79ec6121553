import {
  copyFile,
  link,
  mkdir,
  mkdtemp,
  readdir,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openEngine } from '#lib/archive/engine/duckdb-engine.ts'
import { MIGRATIONS as ARCHIVE_MIGRATIONS, SCHEMA_VERSION } from '#lib/archive/engine/migrations.ts'
import type { Tables } from '#lib/archive/engine/tables.ts'
import { importRows, makeRating, START } from '#testing/archive/arbitrary.ts'
import { copyArchive, readAll } from '#testing/archive/damaged-file.ts'
import { openArchive } from './open-archive.ts'
import { prepareFile } from './prepare-file.ts'

const OLD = SCHEMA_VERSION
const ROWS = 300
const LIMITS = { memoryLimit: '64MB', threads: 1 }

const MIGRATIONS = [
  ...ARCHIVE_MIGRATIONS,
  async (db: Kysely<Tables>) => {
    await sql`alter table rating add column doubled_id bigint`.execute(db)
    await sql`update rating set doubled_id = 2 * id`.execute(db)
  },
]
const OPTIONS = { ...LIMITS, migrations: MIGRATIONS, now: () => START }

let folder = ''
let old = ''
let wanted: unknown[] = []

const open = async (path: string) => await openArchive({ path, now: () => START })

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'migrate-'))
  const making = join(folder, 'making.db')
  const rows = Array.from({ length: ROWS + 5 }, (_, id) =>
    makeRating({ id, user_id: id % 40, symbol: `S${id % 7}` }),
  )
  const first = await open(making)
  await importRows(first, rows.slice(0, ROWS))
  await first.close()
  const archive = await open(making)
  await importRows(archive, rows.slice(ROWS))
  old = await copyArchive(making, join(folder, 'old'))
  await archive.close()
  wanted = (await readRows(making)).rows.map((row) => ({
    ...row,
    doubled_id: 2 * Number(row.id),
  }))
})
afterAll(async () => {
  await rm(folder, { recursive: true })
})

const copyOld = async (name: string) => await copyArchive(old, join(folder, name))
const list = async (name: string) =>
  (await readdir(join(folder, name))).filter((file) => !file.endsWith('.lock')).sort()

async function readRows(path: string) {
  const engine = await openEngine({ path, ...LIMITS })
  const { db } = engine.writer
  const { rows } = await sql<Record<string, unknown>>`select * from rating order by id`.execute(db)
  const journal = await db.selectFrom('journal').select('schema_version').executeTakeFirst()
  await engine.close()
  return { rows, version: journal?.schema_version }
}

async function expectWhole(path: string) {
  const opened = await prepareFile(path, OPTIONS)
  expect(await readRows(path)).toEqual({ rows: wanted, version: MIGRATIONS.length })
  return opened
}

test('an older archive is migrated with every row and its log, and is kept until the next start', async () => {
  const path = await copyOld('over')
  expect((await stat(`${path}.wal`)).size).toBeGreaterThan(0)
  expect(await expectWhole(path)).toEqual({ migratedFrom: OLD, damagedFile: null })
  expect(await list('over')).toEqual(['archive.db', `archive.db.v${OLD}`])
  const engine = await openEngine({ path: `${path}.v${OLD}`, ...LIMITS, isReadOnly: true })
  const { rows } = await sql`select schema_version as version from journal`.execute(
    engine.writer.db,
  )
  expect(rows).toEqual([{ version: OLD }])
  await engine.close()
  expect(await expectWhole(path)).toEqual({ migratedFrom: null, damagedFile: null })
  expect(await list('over')).toEqual(['archive.db'])
})

test('from the state that a kill leaves at each step of it, the next start goes on', async () => {
  const done = await copyOld('done')
  await expectWhole(done)
  const steps: Record<string, (path: string) => Promise<unknown>> = {
    'the copy is begun': async (path) => await writeFile(`${path}.next`, new Uint8Array(5000)),
    'the copy has a log': async (path) => {
      await copyFile(old, `${path}.next`)
      await copyFile(`${old}.wal`, `${path}.next.wal`)
    },
    'the copy is whole': async (path) => await copyFile(done, `${path}.next`),
    'the old edition has its second name': async (path) => {
      await copyFile(done, `${path}.next`)
      await link(path, `${path}.v${OLD}`)
    },
    'without links, the old one is moved away': async (path) => {
      await settle(path)
      await copyFile(done, `${path}.next`)
      await rename(path, `${path}.v${OLD}`)
    },
    'the copy has taken its place': async (path) => {
      await settle(path)
      await rename(path, `${path}.v${OLD}`)
      await copyFile(done, path)
    },
  }
  for (const [name, step] of Object.entries(steps)) {
    const path = await copyOld('killed')
    await step(path)
    await expectWhole(path)
    expect(await list('killed'), name).not.toContain('archive.db.next')
    await expectWhole(path)
    expect(await list('killed'), name).toEqual(['archive.db'])
  }
})

async function settle(path: string): Promise<void> {
  const engine = await openEngine({ path, ...LIMITS })
  await sql`checkpoint`.execute(engine.writer.db)
  await engine.close()
}

test('where the disk has no room for the copy, that is said and nothing is touched', async () => {
  const path = await copyOld('full')
  const before = await list('full')
  const freeBytes = async () => 10_000_000
  await expect(prepareFile(path, { ...OPTIONS, freeBytes })).rejects.toMatchObject({
    fault: 'not_ready',
    message: /too full .* MB are needed, 10 MB are free/,
  })
  expect(await list('full')).toEqual(before)
  await expectWhole(path)
})

test('an old archive that holds a rating twice, as after a log of another moment, is set aside', async () => {
  const path = await copyOld('twice')
  const engine = await openEngine({ path, ...LIMITS })
  await sql`insert into rating select * from rating where id = 5`.execute(engine.writer.db)
  await engine.close()
  expect(await prepareFile(path, OPTIONS)).toEqual({
    migratedFrom: null,
    damagedFile: { file: expect.stringContaining('damaged'), at: START },
  })
  expect(await list('twice')).toEqual([expect.stringContaining('damaged')])
})

test('a log of another file, or of another moment, is never applied', async () => {
  const path = join(folder, 'current', 'archive.db')
  await mkdir(join(folder, 'current'))
  const archive = await open(path)
  await importRows(archive, [makeRating({ id: 1 })])
  const early = await copyArchive(path, join(folder, 'early'))
  await importRows(archive, [makeRating({ id: 2 })])
  await archive.close()
  const held = await openAndRead(path)
  for (const log of [`${early}.wal`, `${old}.wal`]) {
    await copyFile(log, `${path}.wal`)
    expect(await openAndRead(path)).toEqual(held)
  }
  expect((await list('current')).filter((name) => name.includes('damaged'))).toHaveLength(2)
  await writeFile(join(folder, 'current', 'orphan.db.wal'), 'what is left of another archive')
  const orphan = await open(join(folder, 'current', 'orphan.db'))
  expect(orphan.state().ratings).toBe(0)
  await orphan.close()
})

async function openAndRead(path: string) {
  const archive = await open(path)
  const held = await readAll(archive)
  await archive.close()
  return held
}
