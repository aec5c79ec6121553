import 'server-only'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { link, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import * as z from 'zod/mini'
import type { Freeze } from '#lib/archive/archive.ts'
import { openEngine } from '#lib/archive/engine/duckdb-engine.ts'
import { checkpoint } from '#lib/archive/import/checkpoint.ts'
import { syncFile } from '#lib/archive/lifecycle/archive-files.ts'
import { inspectFile } from '#lib/archive/lifecycle/integrity-check.ts'
import { AppError } from '#lib/contract/faults.ts'
import { isMissing } from '#lib/files/json-file.ts'
import { DATA_FILES, isDataFile, MANIFEST_FILE } from '#lib/server/environment/data-folder.ts'
import { type Disk, hashFile, nodeDisk } from '#lib/sync/disk.ts'

/** Immutable: a hard link is enough. */
const NEVER_CHANGES = /^editions\/(?:aside\/)?[^/]+\.csv$/
const UNFINISHED = /\.(?:part|new|tmp|lock)$|\.arriving\//
/** Closing a second handle in this process would release the engine's lock. */
const DATABASE = /\.duckdb(?:\.wal)?$/
const LINES = /\.(?:ndjson|log)(?:\.1)?$/

const LIMITS = { memoryLimit: '128MB', threads: 1 }

export type BackupDisk = Pick<Disk, 'copy' | 'freeBytes'> & {
  copyDatabase(from: string, to: string, signal?: AbortSignal): Promise<void>
}

export type BackupOptions = {
  dataDir: string
  /** Must not exist. */
  to: string
  /** Seconds since 1970. */
  now: () => number
  freeze: { archive: Freeze; service: Freeze }
  disk?: BackupDisk
  signal?: AbortSignal
}

export type MadeBackup = { madeAt: number; files: number; bytes: number }

export const backupManifest = z.object({
  made_at: z.int(),
  files: z.record(z.string(), z.object({ bytes: z.int(), sha256: z.string() })),
})

export const partOf = (folder: string): string => `${folder}.part`

/**
 * Throws AppError if `to` exists, the disk is full or the archive is damaged. Leaves nothing on
 * failure.
 */
export async function makeBackup(options: BackupOptions): Promise<MadeBackup> {
  const { to, now, signal } = options
  if ((await stat(to).catch(() => null)) !== null)
    throw new AppError('bad_request', `${to} already exists.`)
  const part = partOf(to)
  await rm(part, { recursive: true, force: true })
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  await refuseNoRoom(options)
  try {
    await mkdir(part, { mode: 0o700 })
    const madeAt = now()
    await copyAll(options, part)
    await settleArchive(join(part, DATA_FILES.archive))
    const files = await describeFiles(part, signal)
    const manifest = { made_at: madeAt, files }
    const path = join(part, MANIFEST_FILE)
    await writeFile(path, `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 })
    await syncFile(path)
    await rename(part, to)
    await syncFile(dirname(to))
    return { madeAt, ...toTotals(manifest) }
  } catch (error) {
    await rm(part, { recursive: true, force: true }).catch(() => undefined)
    throw error
  }
}

export const toTotals = ({ files }: z.infer<typeof backupManifest>) => ({
  files: Object.keys(files).length,
  bytes: Object.values(files).reduce((sum, { bytes }) => sum + bytes, 0),
})

/** The order matters: no file may be newer than one that depends on it. */
async function copyAll(options: BackupOptions, part: string): Promise<void> {
  const { freeze } = options
  const isService = (name: string) => name.startsWith(`${DATA_FILES.service}/`)
  const isArchive = (name: string) => name === DATA_FILES.archive
  const isLedger = (name: string) => name === DATA_FILES.ledger
  const atOnce: Freeze = async (work) => await work()
  const steps: [isMeant: (name: string) => boolean, freeze: Freeze][] = [
    [(name) => !isService(name) && !isArchive(name) && !isLedger(name), atOnce],
    [isArchive, freeze.archive],
    [isService, freeze.service],
    [isLedger, atOnce],
  ]
  for (const [isMeant, held] of steps) {
    await held(async () => {
      for (const name of (await listFiles(options.dataDir)).filter(isMeant)) {
        options.signal?.throwIfAborted()
        await copyFile(options, part, name)
        if (isArchive(name)) await copyFile(options, part, `${name}.wal`)
      }
    })
  }
}

async function copyFile(options: BackupOptions, part: string, name: string): Promise<void> {
  const { dataDir, disk = BACKUP_DISK, signal } = options
  const [from, to] = [join(dataDir, name), join(part, name)]
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  try {
    if (NEVER_CHANGES.test(name) && (await canLink(from, to))) return
    if (!DATABASE.test(name)) await disk.copy(from, to)
    else if ((await stat(from)).size > 0) await disk.copyDatabase(from, to, signal)
    if (LINES.test(name)) await dropTornLine(to)
  } catch (error) {
    if (!isMissing(error)) throw error
  }
}

const canLink = async (from: string, to: string): Promise<boolean> =>
  await link(from, to).then(
    () => true,
    () => false,
  )

async function dropTornLine(path: string): Promise<void> {
  const text = await readFile(path)
  const end = text.lastIndexOf('\n') + 1
  if (end === text.length) return
  const file = await open(path, 'r+')
  try {
    await file.truncate(end)
    await file.sync()
  } finally {
    await file.close()
  }
}

const COPY = `
const { copyFileSync, constants, fsyncSync, openSync } = require('node:fs')
const [, from, to] = process.argv
try {
  copyFileSync(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
  fsyncSync(openSync(to, 'r+'))
} catch (error) {
  process.stdout.write(error.code)
  process.exitCode = 1
}`

const ENV = { NODE_ENV: process.env.NODE_ENV }

async function copyByProcess(from: string, to: string, signal?: AbortSignal): Promise<void> {
  const child = spawn(process.execPath, ['-e', COPY, from, to], {
    env: ENV,
    stdio: ['ignore', 'pipe', 'ignore'],
    ...(signal ? { signal } : {}),
  })
  let code = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    code += text
  })
  const [status] = await once(child, 'close')
  if (status === 0) return
  throw Object.assign(new Error(`${code || 'killed'}: ${basename(from)} was not copied`), { code })
}

const BACKUP_DISK: BackupDisk = {
  copy: nodeDisk.copy,
  copyDatabase: copyByProcess,
  freeBytes: nodeDisk.freeBytes,
}

const ROOM_BYTES = 16 * 1024 * 1024

async function refuseNoRoom({ dataDir, to, disk = BACKUP_DISK }: BackupOptions): Promise<void> {
  const folder = dirname(to)
  const [from, into] = await Promise.all([stat(dataDir), stat(folder)])
  let needed = ROOM_BYTES
  for (const name of await listFiles(dataDir)) {
    const isLinked = from.dev === into.dev && NEVER_CHANGES.test(name)
    if (!isLinked) needed += (await stat(join(dataDir, name)).catch(() => null))?.size ?? 0
  }
  const free = await disk.freeBytes(folder).catch(() => null)
  if (free === null || free >= needed) return
  const toMegabytes = (bytes: number) => Math.ceil(bytes / 1_000_000).toLocaleString('en-US')
  throw new AppError(
    'not_ready',
    `The backup disk has ${toMegabytes(free)} MB left; a backup needs ${toMegabytes(needed)} MB. Free some space.`,
  )
}

/** Reads every block, since a damaged archive is no backup, and merges the WAL. */
async function settleArchive(path: string): Promise<void> {
  const found = await inspectFile(path, LIMITS)
  if (found.is === 'absent') return
  if (found.is === 'damaged')
    throw new AppError('not_ready', 'The archive is damaged. Run `npm run archive -- check`.')
  if ((await stat(`${path}.wal`).catch(() => null)) === null) return
  const engine = await openEngine({ ...LIMITS, path })
  try {
    await checkpoint(engine.writer.db)
  } finally {
    await engine.close()
  }
  if ((await stat(`${path}.wal`).catch(() => null)) !== null)
    throw new Error('the log of the copy is not written out')
}

async function describeFiles(part: string, signal?: AbortSignal) {
  const files: z.infer<typeof backupManifest>['files'] = {}
  for (const name of await listFiles(part)) {
    const path = join(part, name)
    files[name] = { bytes: (await stat(path)).size, sha256: await hashFile(path, signal) }
  }
  return files
}

export async function listFiles(dataDir: string): Promise<string[]> {
  const names = (await readdir(dataDir)).filter(isDataFile).sort()
  const files: string[] = []
  for (const name of names) {
    const whole = join(dataDir, name)
    if ((await stat(whole)).isFile()) files.push(name)
    else {
      const inside = await readdir(whole, { recursive: true, withFileTypes: true })
      const paths = inside
        .filter((one) => one.isFile())
        .map((one) => join(one.parentPath, one.name))
      files.push(...paths.map((one) => relative(dataDir, one).replaceAll('\\', '/')).sort())
    }
  }
  return files.filter((name) => !UNFINISHED.test(name))
}
