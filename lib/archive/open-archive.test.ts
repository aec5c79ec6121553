import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { EVERY_RATING } from '#lib/contract/ratings-query.ts'
import { importRows, makeRating, START } from './arbitrary.test-support.ts'
import type { Archive } from './archive.ts'
import { openEngine } from './duckdb-engine.ts'
import { toReadProblem } from './engine-problems.ts'
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

/** What a kill at this moment would leave on disk, opened. */
async function openAfterKill(name: string): Promise<Archive> {
  const copy = `killed-${name}`
  await copyFile(join(folder, name), join(folder, copy))
  await copyFile(join(folder, `${name}.wal`), join(folder, `${copy}.wal`)).catch(() => {})
  return await open(copy)
}

const countRows = async (archive: Archive) =>
  (await archive.selectRatings(EVERY_RATING, { at: START })).total

test('everything is there when the archive is opened again', async () => {
  const first = await open('again.db')
  const rows = [makeRating({ id: 1 }), makeRating({ id: 2, symbol: 'MSFT' })]
  const run = await first.beginImport({ kind: 'dump', name: '2024-01-07' })
  await run.append(rows, [{ reason: 'no id', raw: '{}' }])
  await run.commit({ completeTo: START })
  const [state, answer] = [first.state(), await first.selectRatings(EVERY_RATING, { at: START })]
  await first.close()
  const second = await open('again.db')
  expect(second.state()).toEqual(state)
  expect(state).toEqual({ ratings: 2, generation: 1, completeTo: START, quarantined: 1 })
  expect(await second.selectRatings(EVERY_RATING, { at: START })).toEqual(answer)
  expect(await importRows(second, rows)).toMatchObject({ unchanged: 2, generation: 1 })
  await second.close()
})

test('a killed run leaves nothing, and what was committed before it stays', async () => {
  const archive = await open('killed.db')
  await importRows(archive, [makeRating({ id: 1 })])
  const run = await archive.beginImport({ kind: 'dump', name: '2024-01-14' })
  await run.append(
    Array.from({ length: 5000 }, (_, id) => makeRating({ id: id + 2 })),
    [{ reason: 'no id', raw: '{}' }],
  )
  const revived = await openAfterKill('killed.db')
  expect(revived.state()).toEqual({ ratings: 1, generation: 1, completeTo: null, quarantined: 0 })
  expect(await countRows(revived)).toBe(1)
  expect(await importRows(revived, [makeRating({ id: 2 })])).toMatchObject({ inserted: 1 })
  await revived.close()
  await run.commit({ completeTo: null })
  const after = await openAfterKill('killed.db')
  expect(after.state()).toMatchObject({ ratings: 5001, generation: 2, quarantined: 1 })
  await after.close()
  await archive.close()
})

test('closing in the middle of a run aborts it, and a closed archive refuses', async () => {
  const archive = await open('closed.db')
  const run = await archive.beginImport({ kind: 'pages', name: 'newest' })
  await run.append([makeRating({ id: 1 })], [])
  const waiting = archive.beginImport({ kind: 'pages', name: 'newest' })
  const refused = expect(waiting).rejects.toMatchObject({ fault: 'not_ready' })
  await archive.close()
  await refused
  await expect(countRows(archive)).rejects.toMatchObject({ fault: 'not_ready' })
  const again = await open('closed.db')
  expect(await countRows(again)).toBe(0)
  await again.close()
})

test('a file of a newer version is refused with both versions', async () => {
  await (await open('newer.db')).close()
  const engine = await openEngine({
    path: join(folder, 'newer.db'),
    memoryLimit: '64MB',
    threads: 1,
  })
  await sql`update journal set schema_version = 99`.execute(engine.writer.db)
  await engine.close()
  await expect(open('newer.db')).rejects.toMatchObject({
    fault: 'not_ready',
    message: 'The archive file is of version 99; this program reads up to 2.',
  })
})

test('a file of somebody else is refused, and left as it is', async () => {
  const path = join(folder, 'foreign.db')
  const engine = await openEngine({ path, memoryLimit: '64MB', threads: 1 })
  await sql`create table recipes (name text)`.execute(engine.writer.db)
  await engine.close()
  await expect(open('foreign.db')).rejects.toThrow('something else than an archive')
  await writeFile(join(folder, 'text.db'), 'not a database at all '.repeat(1000))
  await expect(open('text.db')).rejects.toThrow('damaged, or it is no archive')
})

test('a file that another process holds is refused, and so is one in no folder', async () => {
  const path = join(folder, 'held.db')
  const script = `
    import { DuckDBInstance } from '@duckdb/node-api'
    await DuckDBInstance.create(process.argv[1])
    process.stdout.write('held')
    setInterval(() => {}, 1000)`
  const holder = spawn(process.execPath, ['--input-type=module', '-e', script, path])
  await once(holder.stdout, 'data')
  await expect(open('held.db')).rejects.toThrow('in use by another process')
  holder.kill()
  await once(holder, 'exit')
  await expect(open('absent/archive.db')).rejects.toThrow('cannot be opened or made')
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

test('a read for which no memory is left is told to come again', () => {
  const problem = toReadProblem(new Error('Out of Memory Error: could not allocate block'))
  expect(problem).toMatchObject({ fault: 'busy', retryAfterSeconds: 2 })
  const other = new Error('another')
  expect(toReadProblem(other)).toBe(other)
})

test('a damaged file is refused, not served in part', async () => {
  const archive = await open('damaged.db')
  await importRows(archive, [makeRating({ id: 1 })])
  await archive.close()
  const path = join(folder, 'damaged.db')
  const bytes = await readFile(path)
  bytes.fill(0x5a, 4096, bytes.length)
  await writeFile(path, bytes)
  await expect(open('damaged.db')).rejects.toThrow('damaged, or it is no archive')
})
