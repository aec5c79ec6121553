import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { Archive } from '#lib/archive/archive.ts'
import { openArchive } from '#lib/archive/lifecycle/open-archive.ts'
import { selectRatings } from '#lib/archive/ratings/ratings.ts'
import { openRatingsExport } from '#lib/archive/ratings/ratings-export.ts'
import { every } from '#lib/async/poller.ts'
import type { RatingRow } from '#lib/contract/answers/ratings.ts'
import { EVERY_RATING } from '#lib/contract/ratings-query.ts'
import { createEventMemory } from '#lib/sync/running/event-log.ts'
import { importRows, makeRating, START } from '#testing/archive/arbitrary.ts'
import { streamRatings } from '#testing/archive/stream-ratings.ts'
import { bundleProgram, type Program } from '#testing/bundle-program.ts'
import { createLog } from '../environment/log.ts'
import { type BackupKeeper, type KeepBackupsDeps, keepBackups } from './keep-backups.ts'
import { type BackupDisk, listFiles, makeBackup, partOf } from './make-backup.ts'

const AT = START + 100_000
const clock = { now: AT }
beforeEach(() => {
  clock.now = AT
})

function makeFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'bellwether-backups-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

const open = async (dir: string) =>
  await openArchive({ path: join(dir, 'archive.duckdb'), now: () => clock.now })

const some = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) =>
    makeRating({ id: from + index, user_id: (from + index) % 7, symbol: `S${index % 11}` }),
  )

async function readRows(archive: Archive): Promise<RatingRow[]> {
  const rows: RatingRow[] = []
  for await (const part of streamRatings(archive, EVERY_RATING, { at: AT })) rows.push(...part)
  return rows
}

async function readFolder(dir: string): Promise<RatingRow[]> {
  const archive = await open(dir)
  const rows = await readRows(archive)
  await archive.close()
  return rows
}

type BackupSettings = Partial<Pick<KeepBackupsDeps, 'disk' | 'every' | 'isFilled' | 'freeze'>> & {
  dataDir?: string
  folder?: string
  everyHours?: number
  keep?: number
}

async function openKeeper(settings: BackupSettings = {}) {
  const dataDir = settings.dataDir ?? makeFolder()
  const folder = settings.folder ?? join(dataDir, 'backups')
  const archive = await open(dataDir)
  if (archive.state().ratings === 0) await importRows(archive, some(1, 500))
  writeFileSync(join(dataDir, 'service.txt'), 'the embedded service\n')
  const eventLog = createEventMemory(() => clock.now)
  let look = () => {}
  const keeper = await keepBackups({
    env: {
      dataDir,
      backupFolder: folder,
      backupEveryHours: settings.everyHours ?? null,
      backupKeep: settings.keep ?? 7,
    },
    freeze: { archive: archive.freeze, service: async (work) => await work() },
    now: () => clock.now,
    every: (_, run) => {
      look = run
      return () => {}
    },
    isFilled: () => true,
    eventLog,
    log: createLog({ write: () => undefined, now: () => new Date(0) }),
    ...settings,
  })
  let closing: Promise<void> | null = null
  const closeAll = async () => {
    await keeper.stop()
    await archive.close()
  }
  const close = () => {
    closing ??= closeAll()
    return closing
  }
  onTestFinished(close)
  return { dataDir, folder, archive, keeper, eventLog, look: () => look(), close }
}

const settled = async (keeper: BackupKeeper) =>
  await expect.poll(() => keeper.report().is_running, { interval: 10 }).toBe(false)

const names = (folder: string) => readdirSync(folder).sort()

describe('a backup of a folder that is open', () => {
  test('is one commit, every field of it, while a sync writes and readers read', async () => {
    const { archive, keeper, folder } = await openKeeper()
    const commits = new Map<number, RatingRow[]>()
    let isOver = false
    const write = async () => {
      for (let from = 501; !isOver; from += 40) {
        await importRows(archive, some(from, 40))
        commits.set(archive.state().generation, await readRows(archive))
      }
    }
    const read = async () => {
      while (!isOver) await selectRatings(archive.reader, EVERY_RATING, { at: AT })
    }
    const held = await openRatingsExport(archive.reader, EVERY_RATING, { at: AT })
    commits.set(archive.state().generation, await readRows(archive))
    const work = [write(), read(), read()]
    for (let count = 0; count < 4; count += 1) await keeper.make()
    isOver = true
    await Promise.all(work)
    await held.close()
    for (const name of names(folder)) {
      const restored = join(makeFolder(), 'data')
      cpSync(join(folder, name), restored, { recursive: true })
      expect(existsSync(join(restored, 'archive.duckdb.wal'))).toBe(false)
      const rows = await readFolder(restored)
      expect([...commits.values()]).toContainEqual(rows)
    }
    expect(names(folder)).toHaveLength(4)
  })

  test('holds rows that wait for their commit up to nobody, and an import goes on after it', async () => {
    const { archive, keeper, folder } = await openKeeper()
    const outcome = await archive.import({ kind: 'pages', name: '1' }, async (run) => {
      await run.append(some(501, 10), [])
      await keeper.make()
      await run.append(some(511, 10), [])
      return { completeTo: AT }
    })
    expect(outcome.inserted).toBe(20)
    expect(await readFolder(join(folder, names(folder)[0] ?? ''))).toHaveLength(500)
  })

  test('is for its owner alone, and holds nothing of how backups are kept', async () => {
    const { keeper, folder, dataDir } = await openKeeper()
    mkdirSync(join(dataDir, 'access'), { mode: 0o700 })
    writeFileSync(join(dataDir, 'access/secret.key'), 'secret', { mode: 0o600 })
    await keeper.make()
    const backup = join(folder, names(folder)[0] ?? '')
    const inside = readdirSync(backup, { recursive: true, encoding: 'utf8' })
    expect(inside.sort()).toEqual([
      ...['access', 'access/secret.key', 'archive.duckdb', 'manifest.json', 'service.txt'],
    ])
    for (const path of [folder, backup, join(backup, 'access')])
      expect(statSync(path).mode & 0o777).toBe(0o700)
    expect(statSync(join(backup, 'access/secret.key')).mode & 0o077).toBe(0)
    expect(statSync(join(backup, 'manifest.json')).mode & 0o077).toBe(0)
  })
})

describe('old backups', () => {
  test('go when there are too many, the newest stay, and nothing goes that was not made here', async () => {
    const { keeper, folder } = await openKeeper({ keep: 2 })
    mkdirSync(join(folder, '20200101T000000Z'), { recursive: true })
    writeFileSync(join(folder, '20200101T000000Z', 'manifest.json'), '{"made_at":1,"files":{}}')
    for (let count = 0; count < 4; count += 1) {
      clock.now += 3600
      await keeper.make()
    }
    expect(names(folder)).toEqual(['20200101T000000Z', '20240102T064640Z', '20240102T074640Z'])
    expect(keeper.report().kept.map(({ name }) => name)).toEqual([
      ...['20240102T074640Z', '20240102T064640Z'],
    ])
  })

  test('that are damaged do not push out whole ones, and stay to be looked at', async () => {
    const { keeper, folder } = await openKeeper({ keep: 1 })
    await keeper.make()
    const [first = ''] = names(folder)
    truncateSync(join(folder, first, 'service.txt'), 3)
    clock.now += 3600
    await keeper.make()
    clock.now += 3600
    await keeper.make()
    expect(names(folder)).toHaveLength(2)
    expect(names(folder)).toContain(first)
  })

  test('are known again after a restart, with what failed', async () => {
    const first = await openKeeper({ everyHours: 24 })
    await first.keeper.make()
    await first.close()
    const { keeper } = await openKeeper({ dataDir: first.dataDir, everyHours: 24 })
    expect(keeper.report()).toMatchObject({
      kept: [{ made_at: AT }],
      next_at: AT + 24 * 3600,
      failure: null,
    })
  })
})

test('a backup is made when it is due, not before the archive holds anything, and after a failure within the hour', async () => {
  const filled = { is: false }
  const { keeper, folder, look } = await openKeeper({
    everyHours: 24,
    isFilled: () => filled.is,
  })
  look()
  expect(keeper.report()).toMatchObject({ is_running: false, next_at: AT + 60 })
  clock.now += 60
  look()
  expect(keeper.report().is_running).toBe(false)
  filled.is = true
  look()
  expect(keeper.report().is_running).toBe(true)
  await settled(keeper)
  expect(keeper.report().next_at).toBe(AT + 60 + 24 * 3600)
  rmSync(folder, { recursive: true })
  writeFileSync(folder, 'no folder')
  clock.now += 24 * 3600
  look()
  await settled(keeper)
  expect(keeper.report()).toMatchObject({
    failures: 1,
    failure: { at: clock.now, reason: 'The backup folder is not writable.' },
    next_at: clock.now + 3600,
  })
  rmSync(folder)
  clock.now += 3600
  look()
  await settled(keeper)
  expect(keeper.report().failure).toBeNull()
})

describe('a disk that is full', () => {
  const broken = (disk: Partial<BackupDisk>): BackupDisk => ({
    copy: async (from, to) => cpSync(from, to),
    copyDatabase: async (from, to) => cpSync(from, to),
    freeBytes: async () => Number.POSITIVE_INFINITY,
    ...disk,
  })
  const full = async () => {
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
  }

  test.each<[string, Partial<BackupDisk>]>([
    ['a file', { copy: full }],
    ['the archive', { copyDatabase: full }],
  ])(
    'while %s is copied is told and raised, frees what was written, and harms nothing',
    async (_, step) => {
      const { keeper, folder, archive, eventLog } = await openKeeper({
        disk: broken(step),
        everyHours: 24,
      })
      await expect(keeper.make()).rejects.toThrow('The backup disk is full')
      expect(names(folder)).toEqual([])
      expect(keeper.failing()).toMatchObject({ since: AT, reason: expect.stringMatching(/full/) })
      expect(eventLog.latest(1)).toMatchObject([{ level: 'error', kind: 'archive' }])
      await importRows(archive, some(501, 10))
      expect(archive.state().ratings).toBe(510)
    },
  )

  test('is seen before anything is written, and the older backups stay', async () => {
    const { keeper, folder, close, dataDir } = await openKeeper({ keep: 1 })
    await keeper.make()
    await close()
    clock.now += 3600
    const disk = broken({ freeBytes: async () => 1_000_000, copy: full })
    const { keeper: next } = await openKeeper({ dataDir, disk, keep: 1 })
    await expect(next.make()).rejects.toThrow(/has 1 MB left; a backup needs \d+ MB/)
    expect(names(folder)).toHaveLength(1)
  })
})

test('a process that is killed during a backup leaves nothing that is taken for one, and the next one cleans up', async () => {
  const dataDir = makeFolder()
  const stuck: BackupDisk = {
    copy: async () => {},
    copyDatabase: (from, to) => {
      cpSync(from, to)
      return new Promise(() => {})
    },
    freeBytes: async () => Number.POSITIVE_INFINITY,
  }
  const archive = await open(dataDir)
  await importRows(archive, some(1, 50))
  await archive.close()
  const folder = join(dataDir, 'backups')
  const name = '20240102T034640Z'
  const service = async <T>(work: () => Promise<T>) => await work()
  const freeze = { archive: service, service }
  const now = () => AT
  void makeBackup({ dataDir, to: join(folder, name), now, freeze, disk: stuck })
  await expect.poll(() => existsSync(join(folder, `${name}.part/archive.duckdb`))).toBe(true)
  const record = { made: [], unfinished: join(folder, name), failed: null }
  writeFileSync(join(dataDir, 'backups.json'), JSON.stringify(record))
  const { keeper } = await openKeeper({ dataDir })
  expect(keeper.report().kept).toEqual([])
  expect(existsSync(partOf(join(folder, name)))).toBe(false)
  await keeper.make()
  expect(names(folder)).toEqual([name])
})

async function launch({ file }: Program, dataDir: string, ...args: string[]) {
  const child = spawn(process.execPath, ['--conditions=react-server', file, ...args], {
    env: { ...process.env, DATA_DIR: dataDir },
  })
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (text) => {
    stdout += text
  })
  child.stderr.on('data', (text) => {
    stderr += text
  })
  const [status] = await once(child, 'close')
  return { status, stdout, stderr }
}

describe('the command line beside a process', () => {
  test('has it make the backup, here and elsewhere', async () => {
    const program = await bundleProgram('scripts/archive.ts')
    onTestFinished(program.remove)
    const { dataDir, keeper } = await openKeeper({ every })
    const made = await launch(program, dataDir, 'backup')
    expect([made.status, made.stderr]).toEqual([0, ''])
    expect(made.stdout).toContain(`in use by process ${process.pid}. It made the backup: 2 files`)
    expect(keeper.report().kept).toHaveLength(1)
    const elsewhere = join(makeFolder(), 'copy')
    expect(await launch(program, dataDir, 'backup', elsewhere)).toMatchObject({
      status: 0,
      stderr: '',
    })
    expect(keeper.report().kept).toHaveLength(1)
    const again = await launch(program, dataDir, 'backup', elsewhere)
    expect([again.status, again.stderr]).toEqual([1, `${elsewhere} already exists.\n`])
  })
})

test('a backup follows a link to a whole folder, and none inside one', async () => {
  const parent = mkdtempSync(join(tmpdir(), 'bellwether-links-'))
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }))
  const [dataDir, elsewhere] = [join(parent, 'data'), join(parent, 'elsewhere')]
  mkdirSync(dataDir)
  mkdirSync(elsewhere)
  writeFileSync(join(elsewhere, 'p.csv'), 'prices')
  symlinkSync(elsewhere, join(dataDir, 'prices'))
  symlinkSync('/etc/hostname', join(elsewhere, 'outside.csv'))
  symlinkSync('/nowhere', join(elsewhere, 'dangling.csv'))
  symlinkSync(parent, join(elsewhere, 'circle'))
  symlinkSync(join(elsewhere, 'self.csv'), join(elsewhere, 'self.csv'))
  expect(await listFiles(dataDir)).toEqual(['prices/p.csv'])
})
