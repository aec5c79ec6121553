import { spawnSync } from 'node:child_process'
import { copyFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Archive } from '#lib/archive/archive.ts'
import { openEngine } from '#lib/archive/engine/duckdb-engine.ts'
import { SCHEMA_VERSION } from '#lib/archive/engine/migrations.ts'
import { selectRatings } from '#lib/archive/ratings/ratings.ts'
import { openRatingsExport } from '#lib/archive/ratings/ratings-export.ts'
import { ROW_COLUMNS } from '#lib/contract/export-choice.ts'
import { EVERY_RATING } from '#lib/contract/ratings-query.ts'
import { importRows, makeRating, START } from '#testing/archive/arbitrary.ts'
import { bundleProgram } from '#testing/bundle-program.ts'
import { openArchive } from './open-archive.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'archive-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true })
})

const open = async (name: string): Promise<Archive> =>
  await openArchive({ path: join(folder, name), now: () => START })

async function openAfterKill(name: string): Promise<Archive> {
  const copy = `killed-${name}`
  await copyFile(join(folder, name), join(folder, copy))
  await copyFile(join(folder, `${name}.wal`), join(folder, `${copy}.wal`)).catch(() => {})
  return await open(copy)
}

const countRows = async (archive: Archive) =>
  (await selectRatings(archive.reader, EVERY_RATING, { at: START })).total

test('a killed run leaves nothing, and what was committed before it stays', async () => {
  const archive = await open('killed.db')
  await importRows(archive, [makeRating({ id: 1 })])
  await archive.import({ kind: 'dump', name: '2024-01-14' }, async (run) => {
    await run.append(
      Array.from({ length: 5000 }, (_, id) => makeRating({ id: id + 2 })),
      [{ reason: 'no id', raw: '{}' }],
    )
    const revived = await openAfterKill('killed.db')
    expect(revived.state()).toMatchObject({ ratings: 1, generation: 1, quarantined: 0 })
    expect(await countRows(revived)).toBe(1)
    expect(await importRows(revived, [makeRating({ id: 2 })])).toMatchObject({ inserted: 1 })
    await revived.close()
    return { completeTo: null }
  })
  const after = await openAfterKill('killed.db')
  expect(after.state()).toMatchObject({ ratings: 5001, generation: 2, quarantined: 1 })
  await after.close()
  await archive.close()
})

async function readBeside(name: string): Promise<Record<string, string>> {
  const names = (await readdir(folder)).filter((one) => one.startsWith(name))
  const read = async (one: string) => (await readFile(join(folder, one))).toString('base64')
  const files = names.filter((one) => !one.endsWith('.lock')).sort()
  return Object.fromEntries(
    await Promise.all(files.map(async (one) => [one, await read(one)] as const)),
  )
}

async function change(name: string, query: RawBuilder<unknown>): Promise<void> {
  const engine = await openEngine({ path: join(folder, name), memoryLimit: '64MB', threads: 1 })
  await query.execute(engine.writer.db)
  await engine.close()
}

test('a file of a newer version is refused with both versions, and left as it is', async () => {
  await (await open('newer.db')).close()
  await change('newer.db', sql`update journal set schema_version = 99`)
  const before = await readBeside('newer.db')
  await expect(open('newer.db')).rejects.toMatchObject({
    fault: 'not_ready',
    message: `The archive file has version 99; this program reads up to version ${SCHEMA_VERSION}.`,
  })
  expect(await readBeside('newer.db')).toEqual(before)
})

test('a file of somebody else is refused, and left as it is with the log beside it', async () => {
  await change('foreign.db', sql`create table recipes (name text)`)
  const foreign = {
    'elsewhere.db': [sql`create schema kitchen`, sql`create table kitchen.recipes (name text)`],
    'diary.db': [
      sql`create table journal (schema_version integer)`,
      sql`insert into journal values (3)`,
    ],
    'words.db': [
      sql`create table journal (schema_version text)`,
      sql`create table rating (id integer)`,
      sql`create table symbol (name text)`,
      sql`insert into journal values ('a word of somebody')`,
    ],
  }
  for (const [name, statements] of Object.entries(foreign)) {
    for (const statement of statements) await change(name, statement)
  }
  await writeFile(join(folder, 'text.db'), 'not a database at all '.repeat(1000))
  await writeFile(join(folder, 'text.db.wal'), 'what somebody keeps beside it')
  await writeFile(join(folder, 'lite.db'), 'SQLite format 3\0'.padEnd(32_768, '\0'))
  const names = ['foreign.db', ...Object.keys(foreign), 'text.db', 'lite.db']
  for (const name of names) {
    const before = await readBeside(name)
    await expect(open(name)).rejects.toMatchObject({
      fault: 'not_ready',
      message: 'The archive file is not an archive.',
    })
    expect(await readBeside(name)).toEqual(before)
  }
})

test('a file that was never finished, for want of space or by a kill, is made anew', async () => {
  for (const bytes of [0, 5000]) {
    await writeFile(join(folder, 'unborn.db'), new Uint8Array(bytes))
    const archive = await open('unborn.db')
    await importRows(archive, [makeRating({ id: 1 })])
    expect(archive.state().ratings).toBe(1)
    await archive.close()
    await rm(join(folder, 'unborn.db'))
  }
})

const ROWS = 2500
const COMMITS = 3

const toRows = (tally: number) =>
  Array.from({ length: ROWS }, (_, index) => makeRating({ id: index + 1, tally_agree: tally }))

test('a slow reader keeps its state to the end, delays no commit, and leaves nothing in the log', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'long-reader-'))
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  const path = join(dir, 'archive.duckdb')
  const archive = await openArchive({ path, now: () => START + 1000, threads: 1 })
  await importRows(archive, toRows(0))
  const reader = await openRatingsExport(archive.reader, EVERY_RATING, { at: START + 1000 })
  const lines = reader.lines('json', ROW_COLUMNS)
  const first = await lines.next()
  for (let count = 1; count <= COMMITS; count += 1) {
    await importRows(archive, toRows(count).slice(0, 200))
  }
  const byId = { ...EVERY_RATING, sort: { column: 'id', direction: 'asc' } as const }
  const [row] = (await selectRatings(archive.reader, byId, { at: START + 1000 })).rows
  expect(row).toMatchObject({ id: 1, tally_agree: COMMITS })
  const read = [...(first.value ?? [])]
  for await (const batch of lines) read.push(...batch)
  await reader.close()
  const tallies = new Set(read.map((line) => JSON.parse(line).tally_agree))
  expect([read.length, [...tallies]]).toEqual([ROWS, [0]])
  await archive.close()
  expect(await sizeOf(`${path}.wal`)).toBe(0)
})

const sizeOf = (path: string) =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  )

const canGiveRoom = spawnSync('prlimit', ['--version']).status === 0

function fillUpTo(script: string, path: string, kilobytes: number): Record<string, unknown>[] {
  const limited = `trap '' XFSZ; ulimit -S -f ${kilobytes}; exec "$@"`
  const { stdout } = spawnSync('bash', ['-c', limited, 'bash', process.execPath, script, path], {
    encoding: 'utf8',
  })
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

test.skipIf(!canGiveRoom)(
  'where the disk takes no more an import fails and says why, reads go on, and with room again it goes on without a restart',
  async () => {
    const filler = await bundleProgram('testing/archive/fill-disk.ts')
    onTestFinished(filler.remove)
    for (const kilobytes of [3000, 6000]) {
      const folder = await mkdtemp(join(tmpdir(), 'full-'))
      onTestFinished(() => rm(folder, { recursive: true, force: true }))
      const [full, again] = fillUpTo(filler.file, join(folder, 'archive.db'), kilobytes)
      expect(full).toMatchObject({ failed: true, isBroken: false })
      expect(full?.failure).toMatch(/File too large|No space left|could not write/i)
      expect(full?.total).toBe(full?.held)
      expect(again).toEqual({ inserted: 5000, total: Number(full?.held) + 5000, aside: null })
      expect((await readdir(folder)).sort()).toEqual(['archive.db', 'archive.db.lock'])
    }
  },
  120_000,
)
