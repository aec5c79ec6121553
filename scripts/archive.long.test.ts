import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openArchive } from '#lib/archive/lifecycle/open-archive.ts'
import { selectRatings } from '#lib/archive/ratings/ratings.ts'
import { EVERY_RATING } from '#lib/contract/ratings-query.ts'
import { toSidecar } from '#lib/sync/editions/edition-sidecar.ts'
import { openEditions } from '#lib/sync/editions/edition-store.ts'
import { openRunLog } from '#lib/sync/running/run-log.ts'
import { openLedger } from '#lib/upstream/ledger.ts'
import { importRows } from '#testing/archive/arbitrary.ts'
import { bundleProgram } from '#testing/bundle-program.ts'
import {
  createScriptedService,
  range,
  toRating,
  WEDNESDAY,
} from '#testing/sync/scripted-service.ts'
import { runArchive } from './archive.ts'

const at = WEDNESDAY
const EDITION = 'editions/posts-2026-11-15.csv'

function makeFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'bellwether-archive-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

/** The dump holds 1–100; 30 vanished before it, 101 and 102 came after. */
async function makeData(): Promise<string> {
  const dir = makeFolder()
  const upstream = createScriptedService({
    ratings: range(1, 100)
      .filter((id) => id !== 30)
      .map((id) => toRating(id)),
  })
  const editions = await openEditions({ dir: join(dir, 'editions'), upstream, now: () => at })
  await editions.ensure('posts')
  await editions.close()
  const archive = await openArchive({ path: join(dir, 'archive.duckdb'), now: () => at })
  await importRows(
    archive,
    range(1, 102).map((id) => ({ rating: toRating(id), extra: null })),
    at - 60,
  )
  await archive.import({ kind: 'pages', name: '1' }, async (run) => {
    await run.append([], [{ reason: 'no id', raw: '{"a":1}' }])
    return { completeTo: at }
  })
  await archive.close()
  const nowMs = () => 0
  const ledger = await openLedger({ file: join(dir, 'requests.log'), now: () => at, nowMs })
  await ledger.charge({ perMinute: null, perMonth: null }, 'follow')
  await ledger.close()
  const runs = await openRunLog({ file: join(dir, 'runs.ndjson'), now: () => at })
  runs.begin('follow')
  await runs.close()
  writeFileSync(join(dir, 'service.txt'), 'the embedded service\n')
  return dir
}

async function run(dataDir: string, ...args: string[]) {
  let [stdout, stderr] = ['', '']
  const status = await runArchive(args, {
    dataDir,
    backupFolder: join(dataDir, 'backups'),
    print: (line) => {
      stdout += `${line}\n`
    },
    printError: (text) => {
      stderr += text
    },
  })
  return { status, stdout, stderr }
}

function launch(dataDir: string, ...args: string[]) {
  const env = { ...process.env, DATA_DIR: dataDir }
  const command = ['scripts/tool.mjs', 'scripts/archive.ts', ...args]
  return spawnSync(process.execPath, command, { env, encoding: 'utf8' })
}

async function readArchive(dir: string) {
  const archive = await openArchive({ path: join(dir, 'archive.duckdb'), now: () => at })
  const { rows } = await selectRatings(archive.reader, { ...EVERY_RATING, per_page: 500 }, { at })
  const state = archive.state()
  await archive.close()
  const ids = rows.map(({ id }) => id).sort((a, b) => a - b)
  const vanished = rows.filter((row) => row.vanished_at !== null).map(({ id }) => id)
  return { ids, vanished, state }
}

const list = (dir: string) =>
  readdirSync(dir)
    .filter((name) => !name.endsWith('.lock'))
    .sort()

test('check says every figure, ends well, and ends with 1 where a byte is not as it came', async () => {
  const dir = await makeData()
  const good = await run(dir, 'check')
  expect([good.status, good.stderr]).toEqual([0, ''])
  expect(good.stdout).toContain('102 ratings (0 no longer listed), 1 rows in quarantine')
  expect(good.stdout).toContain('posts-2026-11-15.csv: 99 rows')
  expect(good.stdout).toMatch(/requests\.log: \d+ lines/)
  expect(good.stdout).toContain('runs.ndjson: 1 lines of runs')
  expect(good.stdout).toContain('service.txt: the ratings of the embedded service')
  const csv = readFileSync(join(dir, EDITION))
  csv.writeUInt8(csv.readUInt8(500) ^ 1, 500)
  writeFileSync(join(dir, EDITION), csv)
  const file = readFileSync(join(dir, 'archive.duckdb'))
  file.fill(0, file.length - 262_144)
  writeFileSync(join(dir, 'archive.duckdb'), file)
  writeFileSync(join(dir, 'runs.ndjson'), '{"move":\n{}\n')
  const bad = launch(dir, 'check')
  expect(bad.status).toBe(1)
  expect(bad.stdout).toContain('! archive.duckdb is damaged')
  expect(bad.stdout).toContain('! posts-2026-11-15.csv')
  expect(bad.stdout).toContain('! runs.ndjson: 1 lines cannot be read')
  expect(list(dir)).toContain('archive.duckdb')
})

test('rebuild makes the archive anew from the dump and from what only the old one has, and keeps the old one', async () => {
  const dir = await makeData()
  const before = readFileSync(join(dir, 'archive.duckdb'))
  const { status, stdout, stderr } = await run(dir, 'rebuild')
  expect([status, stderr]).toEqual([0, ''])
  expect(stdout).toContain('3 ratings that only the old archive has')
  const { ids, vanished, state } = await readArchive(dir)
  expect(ids).toEqual(range(1, 102))
  expect(vanished).toEqual([30])
  expect(state).toMatchObject({ completeTo: at, quarantined: 1 })
  expect(state.generation).toBeGreaterThan(2)
  const kept = list(dir).filter((name) => name.startsWith('archive.duckdb.'))
  expect(kept).toEqual([expect.stringMatching(/^archive\.duckdb\.before-\d{8}T\d{6}Z$/)])
  expect(readFileSync(join(dir, kept[0] ?? '')).equals(before)).toBe(true)
})

test('rebuild works where the old archive is damaged or gone, and says where there is nothing to make one of', async () => {
  const dir = await makeData()
  const path = join(dir, 'archive.duckdb')
  const file = readFileSync(path)
  writeFileSync(path, file.fill(0, 4096))
  expect(await run(dir, 'rebuild')).toMatchObject({ status: 0, stderr: '' })
  expect((await readArchive(dir)).ids).toEqual(range(1, 100).filter((id) => id !== 30))
  rmSync(path)
  expect(await run(dir, 'rebuild')).toMatchObject({ status: 0, stderr: '' })
  expect((await readArchive(dir)).ids).toHaveLength(99)
  const empty = await run(makeFolder(), 'rebuild')
  expect([empty.status, empty.stderr]).toEqual([
    1,
    'Neither a posts dump nor an archive is kept.\n',
  ])
})

test('a backup is held against its manifest: what is missing, another or added is a problem', async () => {
  const dir = await makeData()
  const to = join(makeFolder(), 'copy')
  await run(dir, 'backup', to)
  expect((await run(to, 'check')).stdout).toMatch(/A backup: \d+ files in its manifest/)
  rmSync(join(to, 'runs.ndjson'))
  writeFileSync(join(to, 'service.txt'), 'another service\n')
  writeFileSync(join(to, 'pause.json'), '{}')
  const bad = await run(to, 'check')
  expect(bad).toMatchObject({ status: 1, stderr: '3 problems\n' })
  expect(bad.stdout).toContain('! runs.ndjson is missing')
  expect(bad.stdout).toContain('! service.txt is not the file of the backup')
  expect(bad.stdout).toContain('! pause.json is no file of the backup')
  writeFileSync(join(to, 'manifest.json'), '{}')
  expect((await run(to, 'check')).stderr).toMatch(/manifest.json cannot be read/)
})

test('verify opens every file of a backup, and exits with 1 if a byte has changed', async () => {
  const dir = await makeData()
  const to = join(makeFolder(), 'copy')
  await run(dir, 'backup', to)
  const good = await run(dir, 'verify', to)
  expect([good.status, good.stderr]).toEqual([0, ''])
  expect(good.stdout).toContain('102 ratings')
  expect(good.stdout).toContain('No problem found.')
  const path = join(to, 'archive.duckdb')
  const bytes = readFileSync(path)
  bytes.writeUInt8(bytes.readUInt8(5000) ^ 1, 5000)
  writeFileSync(path, bytes)
  const bad = await run(dir, 'verify', to)
  expect(bad.status).toBe(1)
  expect(bad.stdout).toContain('! archive.duckdb is not the file of the backup, by its SHA-256')
  expect((await run(dir, 'verify', makeFolder())).stderr).toMatch(/manifest\.json is missing/)
})

test('accept makes the dump that was set aside the current one', async () => {
  const dir = await makeData()
  const none = await run(dir, 'accept', 'posts')
  expect([none.status, none.stderr]).toEqual([1, 'No posts dump is set aside.\n'])
  const editions = await openEditions({
    dir: join(dir, 'editions'),
    upstream: createScriptedService(),
    now: () => at,
  })
  const current = editions.current('posts')
  if (!current) throw new Error('there is no edition')
  await editions.close()
  mkdirSync(join(dir, 'editions/aside'), { recursive: true })
  const name = 'posts-2026-11-22'
  writeFileSync(join(dir, `editions/aside/${name}.csv`), readFileSync(join(dir, EDITION)))
  const aside = {
    ...current,
    edition: '2026-11-22',
    fetched_at: at + 604_800,
    reason: 'It shrank.',
  }
  writeFileSync(join(dir, `editions/aside/${name}.json`), toSidecar(aside))
  expect(await run(dir, 'accept', 'posts')).toMatchObject({ status: 0, stderr: '' })
  expect(list(join(dir, 'editions'))).toEqual(expect.arrayContaining([`${name}.csv`]))
  expect((await run(dir, 'accept', 'everything')).status).toBe(2)
})

test('while a process has the folder open a command says which, and ends with 75', async () => {
  const dir = await makeData()
  const program = await bundleProgram('testing/archive/hold-archive.ts')
  onTestFinished(program.remove)
  const holder = spawn(process.execPath, [program.file, join(dir, 'archive.duckdb')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void holder.kill('SIGKILL'))
  await once(holder.stdout, 'data')
  for (const args of [['check'], ['rebuild'], ['share']]) {
    const { status, stderr } = await run(dir, ...args)
    expect([status, stderr]).toEqual([75, `The archive file is in use by process ${holder.pid}.\n`])
  }
  expect((await run(dir, 'nonsense')).status).toBe(2)
})
