import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest'
import { createClosing } from '#lib/async/closing.ts'
import { selectDiskFault } from '#lib/contract/disk-faults.ts'
import { createMetrics } from '#lib/server/operate/metrics.ts'
import { createRuntime } from '#lib/server/runtime/compose.ts'
import { openSmallDisk } from '#testing/small-disk.ts'
import { claimFolder, closeFolder, DATA_FILES, ForeignFolder, isDataFile } from './data-folder.ts'
import { parseEnv } from './env.ts'
import { createLog } from './log.ts'

const BESIDE_THE_ARCHIVE =
  /^archive\.duckdb\.(?:(?:(?:prices|lookups|record)\.)?(?:wal|tmp)|prices|lookups|record|lock|exports)$/

it('what a process keeps in its data folder is in the list that a backup and a check go by', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'bellwether-data-files-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const parsed = parseEnv({ DATA_DIR: dir, DEMO_RATINGS: '200', DEMO_TAIL_SECONDS: '0' })
  if (!parsed.ok) throw new Error(parsed.problems.join())
  const closing = createClosing()
  const runtime = await createRuntime({
    env: parsed.env,
    log: createLog({ write: () => undefined, now: () => new Date(0) }),
    metrics: createMetrics(),
    closing,
    rest: async () => undefined,
    hide: () => undefined,
    onBroken: () => undefined,
  })
  await expect.poll(() => readdirSync(dir)).toContain(DATA_FILES.runs)
  await runtime.stop()
  await runtime.close()
  const found = readdirSync(dir).filter((name) => !BESIDE_THE_ARCHIVE.test(name))
  expect(found).toEqual(expect.arrayContaining([DATA_FILES.owner, DATA_FILES.runs]))
  expect(found.filter((name) => !isDataFile(name))).toEqual([])
})

it('the older half of a log is part of the folder, a file beside the archive is not', () => {
  expect(['runs.ndjson.1', 'events.ndjson.1'].filter(isDataFile)).toHaveLength(2)
  expect(['archive.duckdb.v2', 'archive.duckdb.1', 'notes.txt'].filter(isDataFile)).toEqual([])
})

let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'bellwether-claim-'))
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

it('the ratings of two services are never mixed in one folder', () => {
  const baseUrl = new URL('https://ratings.example/base')
  claimFolder({ dataDir, baseUrl })
  claimFolder({ dataDir, baseUrl })
  expect(() => claimFolder({ dataDir, baseUrl: null })).toThrow(ForeignFolder)
  expect(() => claimFolder({ dataDir, baseUrl: new URL('https://other.example/') })).toThrow(
    /holds the ratings of https:\/\/ratings\.example\/base/,
  )
})

it.skipIf(process.platform === 'win32')(
  'a folder that everybody could read or write is closed, and what lies elsewhere is not touched',
  () => {
    const dir = mkdtempSync(join(tmpdir(), 'bellwether-open-folder-'))
    const elsewhere = mkdtempSync(join(tmpdir(), 'bellwether-elsewhere-'))
    onTestFinished(() => {
      for (const folder of [dir, elsewhere]) rmSync(folder, { recursive: true, force: true })
    })
    const file = join(dir, DATA_FILES.archive)
    writeFileSync(file, '')
    mkdirSync(join(dir, DATA_FILES.editions))
    symlinkSync(elsewhere, join(dir, 'link'))
    for (const path of [dir, file, join(dir, DATA_FILES.editions), elsewhere])
      chmodSync(path, 0o777)
    closeFolder(dir)
    const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)
    expect([dir, file, join(dir, DATA_FILES.editions)].map(modeOf)).toEqual(['700', '700', '700'])
    expect(modeOf(elsewhere)).toBe('777')
  },
)

it('a backup that a process takes for its folder is a backup no more', () => {
  const dir = mkdtempSync(join(tmpdir(), 'bellwether-restored-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  writeFileSync(join(dir, 'manifest.json'), '{}')
  writeFileSync(join(dir, 'service.txt'), 'https://ratings.example/\n')
  expect(() => claimFolder({ dataDir: dir, baseUrl: null })).toThrow(ForeignFolder)
  expect(readdirSync(dir)).toContain('manifest.json')
  claimFolder({ dataDir: dir, baseUrl: new URL('https://ratings.example') })
  expect(readdirSync(dir)).not.toContain('manifest.json')
})

it('a read-only folder is refused at once, also one that was in use', ({ skip }) => {
  const disk = openSmallDisk()
  onTestFinished(disk.close)
  skip(!disk.isMounted, 'only root may mount a disk')
  const claim = () => claimFolder({ dataDir: disk.dir, baseUrl: null })
  claim()
  disk.allowWrites(false)
  let problem: unknown = null
  try {
    claim()
  } catch (error) {
    problem = error
  }
  expect(selectDiskFault(problem)?.reason).toBe('The data folder is not writable.')
  disk.allowWrites(true)
  claim()
})
