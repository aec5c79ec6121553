import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openEngine } from '#lib/archive/engine/duckdb-engine.ts'
import { aRating, importRows, makeRating, START } from '#testing/archive/arbitrary.ts'
import { copyArchive, damage, readAll } from '#testing/archive/damaged-file.ts'
import { draws, SEED } from '#testing/draws.ts'
import { createRandom } from '#testing/random.ts'
import { readEveryBlock } from './integrity-check.ts'
import { openArchive } from './open-archive.ts'

const DAMAGES = draws(80)

let folder = ''
let closed = ''
let killed = ''
const states: { rows: number; sha256: string }[] = []

const open = async (path: string) => await openArchive({ path, now: () => START, threads: 1 })

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'damaged-'))
  const path = join(folder, 'source.db')
  const first = await open(path)
  states.push(await readAll(first))
  const rows = fc.sample(aRating, { seed: 5, numRuns: 400 })
  await importRows(
    first,
    rows.map((row, id) => ({ ...row, rating: { ...row.rating, id } })),
  )
  states.push(await readAll(first))
  await first.close()
  closed = await copyArchive(path, join(folder, 'closed'))
  const second = await open(path)
  for (const id of [1000, 1001, 1002]) {
    await importRows(second, [makeRating({ id })])
    states.push(await readAll(second))
  }
  killed = await copyArchive(path, join(folder, 'killed'))
  await second.close()
})
afterAll(async () => {
  await rm(folder, { recursive: true })
})

async function reopen(path: string) {
  const archive = await open(path)
  const held = await readAll(archive)
  await archive.close()
  return held
}

async function startOn(seed: number) {
  const random = createRandom(seed)
  const hasLog = random() < 0.5
  const path = await copyArchive(hasLog ? killed : closed, join(folder, 'try'))
  const isLog = hasLog && random() < 0.5
  const [kind, at] = await damage(isLog ? `${path}.wal` : path, random)
  const archive = await open(path)
  const held = await readAll(archive)
  const { damagedFile: aside } = archive.opened
  const goesOn = seed % 5 === 0
  if (goesOn) await importRows(archive, [makeRating({ id: 2000 })])
  await archive.close()
  const after = goesOn ? await reopen(path) : null
  const what = `seed ${seed}: ${kind} at ${at} of the ${isLog ? 'log' : 'file'}`
  return { what, held, after, aside, isLog, hasLog, kept: await readdir(join(folder, 'try')) }
}

test('whatever part of the file or its log is damaged, a start serves what was committed, or sets the damage aside', async () => {
  const seen = { served: 0, emptied: 0, earlier: 0 }
  for (let seed = SEED; seed < SEED + DAMAGES; seed += 1) {
    const { what, held, after, aside, isLog, hasLog, kept } = await startOn(seed)
    const state = states.findIndex(({ sha256 }) => sha256 === held.sha256)
    const whole = hasLog ? states.length - 1 : 1
    expect(state, what).toBeGreaterThanOrEqual(0)
    if (state === whole) seen.served += 1
    else if (isLog) {
      seen.earlier += 1
      expect(state, what).toBeGreaterThanOrEqual(1)
      if (aside) expect(aside.file, what).toMatch(/\.damaged-.*\.wal$/)
    } else {
      seen.emptied += 1
      expect(state, what).toBe(0)
      expect(aside, what).not.toBeNull()
    }
    if (aside) expect(kept, what).toContain(aside.file)
    if (after) expect(after.rows, what).toBe(held.rows + 1)
  }
  if (DAMAGES >= 80) expect(Math.min(...Object.values(seen))).toBeGreaterThan(0)
}, 300_000)

test('what was set aside is never deleted, however often it happens', async () => {
  const path = await copyArchive(closed, join(folder, 'often'))
  const { size } = await stat(path)
  for (let count = 1; count <= 3; count += 1) {
    const bytes = await readFile(path)
    bytes.fill(0, 0, 4096)
    await writeFile(path, bytes)
    const archive = await open(path)
    expect(archive.state().ratings).toBe(0)
    await importRows(archive, [makeRating({ id: count })])
    await archive.close()
    const aside = (await readdir(join(folder, 'often'))).filter((name) => name.includes('damaged'))
    expect(aside).toHaveLength(count)
  }
  expect((await stat(join(folder, 'often', 'archive.db.damaged-20240101T000000Z'))).size).toBe(size)
})

test('damage that shows while the archive is open is told, and whoever asks hears of it', async () => {
  const path = await copyArchive(closed, join(folder, 'running'))
  const bytes = await readFile(path)
  bytes.writeUInt8(bytes.readUInt8(bytes.length - 257_000) ^ 1, bytes.length - 257_000)
  const told: unknown[] = []
  const onBroken = (cause: unknown) => told.push(cause)
  const engine = await openEngine({ path, memoryLimit: '64MB', threads: 1, onBroken })
  await writeFile(path, bytes)
  const ask = () => engine.read(async (db) => await readEveryBlock(db))
  await expect(ask()).rejects.toMatchObject({ fault: 'not_ready', message: /is damaged/ })
  expect(told).toHaveLength(1)
  await engine.close()
  const archive = await open(path)
  expect(archive.opened.damagedFile?.file).toContain('damaged')
  await archive.close()
})
