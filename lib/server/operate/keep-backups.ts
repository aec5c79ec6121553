import 'server-only'
import { rename, rm, stat } from 'node:fs/promises'
import { isAbsolute, join, relative } from 'node:path'
import * as z from 'zod/mini'
import type { Backups } from '#lib/api/endpoint.ts'
import type { Freeze } from '#lib/archive/archive.ts'
import { toStamp } from '#lib/archive/lifecycle/archive-files.ts'
import { createQueue } from '#lib/async/serial-queue.ts'
import { isDiskFull, selectDiskFault } from '#lib/contract/disk-faults.ts'
import { AppError } from '#lib/contract/faults.ts'
import { loadJsonFile, replaceFile } from '#lib/files/json-file.ts'
import { BACKUP_FILES, MANIFEST_FILE } from '#lib/server/environment/data-folder.ts'
import type { Env } from '#lib/server/environment/env.ts'
import { type Log, toLogFields } from '#lib/server/environment/log.ts'
import type { BackupFailure } from '#lib/sync/planning/alarms.ts'
import type { EventLog } from '#lib/sync/sync.ts'
import { takeWish, tellOutcome } from './backup-wish.ts'
import {
  type BackupDisk,
  type BackupOptions,
  backupManifest,
  type MadeBackup,
  makeBackup,
  partOf,
  toTotals,
} from './make-backup.ts'

const keptBackup = z.object({
  folder: z.string(),
  name: z.string(),
  made_at: z.int(),
  files: z.int(),
  bytes: z.int(),
})
type KeptBackup = z.infer<typeof keptBackup>

/** Deletes only backups in this record. */
const backupRecord = z.object({
  made: z.array(keptBackup),
  unfinished: z.nullable(z.string()),
  failed: z.nullable(z.object({ since: z.int(), at: z.int(), reason: z.string() })),
})
type BackupRecord = z.infer<typeof backupRecord>

export type KeepBackupsDeps = Pick<BackupOptions, 'freeze' | 'now'> & {
  env: Pick<Env, 'dataDir' | 'backupFolder' | 'backupEveryHours' | 'backupKeep'>
  every: (seconds: number, run: () => void) => () => void
  isFilled: () => boolean
  eventLog: Pick<EventLog, 'append'>
  log: Log
  disk?: BackupDisk
}

export type BackupKeeper = Backups & {
  /** Throws AppError. */
  make(): Promise<void>
  failing(): BackupFailure | null
  stop(): Promise<void>
}

const HOUR = 3600
const FIRST_SECONDS = 60
const LOOK_SECONDS = 1

export async function keepBackups(given: KeepBackupsDeps): Promise<BackupKeeper> {
  const { archive, service } = given.freeze
  const freeze = { archive: blameDataDisk(archive), service: blameDataDisk(service) }
  const deps = { ...given, freeze }
  const { env, now, isFilled, log } = deps
  const { backupEveryHours: everyHours } = env
  const store = await openStore(deps)
  const making = createMaking(deps, store)
  const startedAt = now()
  const selectNextAt = () => toNextAt({ everyHours, startedAt, now: now(), store })
  const begin = () => {
    if (!making.isRunning()) making.make().catch(() => undefined)
  }
  const endLooking = deps.every(LOOK_SECONDS, () => {
    answerWish(deps, store, making).catch((error: unknown) =>
      log.error('a requested backup failed', toLogFields(error)),
    )
    const nextAt = selectNextAt()
    if (nextAt !== null && nextAt <= now() && isFilled()) begin()
  })
  return {
    make: making.make,
    request: begin,
    report: () => ({
      folder: toShownFolder(env),
      every_hours: everyHours,
      keep: env.backupKeep,
      is_running: making.isRunning(),
      next_at: selectNextAt(),
      kept: store.kept().map(({ folder: _, ...kept }) => kept),
      failure: toFailure(store.read()),
      failures: making.failures(),
    }),
    failing: () => (everyHours === null ? null : store.read().failed),
    async stop() {
      endLooking()
      await making.stop()
    },
  }
}

type Clock = { everyHours: number | null; startedAt: number; now: number; store: Store }

/** Seconds since 1970; null if manual. */
function toNextAt({ everyHours, startedAt, now, store }: Clock): number | null {
  if (everyHours === null) return null
  const [last] = store.kept()
  const { failed } = store.read()
  const wanted = last ? last.made_at + everyHours * HOUR : startedAt + FIRST_SECONDS
  const at = failed ? Math.max(wanted, failed.at + HOUR) : wanted
  // A clock set back must not postpone the backup.
  return Math.min(at, now + everyHours * HOUR)
}

type Making = {
  make(): Promise<void>
  /** Not counted among `kept`. */
  makeIn(to: string): Promise<MadeBackup>
  isRunning(): boolean
  failures(): number
  stop(): Promise<void>
}

/** Backups never overlap. */
function createMaking(deps: KeepBackupsDeps, store: Store): Making {
  const inTurn = createQueue()
  const stopping = new AbortController()
  const { signal } = stopping
  const counts = { running: 0, failures: 0 }
  const run = <T>(work: () => Promise<T>): Promise<T> => {
    counts.running += 1
    return inTurn(async () => {
      signal.throwIfAborted()
      return await work()
    }).finally(() => {
      counts.running -= 1
    })
  }
  return {
    async make() {
      const said: Parameters<EventLog['append']>[0][] = []
      const told = {
        ...deps,
        eventLog: { append: (entry: (typeof said)[0]) => void said.push(entry) },
      }
      try {
        await run(async () => {
          try {
            await makeNext(told, store, signal)
          } catch (error) {
            if (signal.aborted) throw error
            counts.failures += 1
            throw await noteFailure(told, store, error)
          }
        })
      } finally {
        // Last: listeners read the status, which must be final.
        for (const entry of said) deps.eventLog.append(entry)
      }
    },
    makeIn: (to) =>
      run(async () => {
        try {
          return await makeBackup({ ...deps, ...deps.env, to, signal })
        } catch (error) {
          throw toBackupProblem(error)
        }
      }),
    isRunning: () => counts.running > 0,
    failures: () => counts.failures,
    async stop() {
      stopping.abort()
      await inTurn(async () => undefined)
    },
  }
}

async function answerWish({ env }: KeepBackupsDeps, store: Store, making: Making): Promise<void> {
  const wish = await takeWish(env.dataDir)
  if (!wish) return
  await tellOutcome(env.dataDir, wish.id, async () => {
    if (wish.folder !== null) return { ...(await making.makeIn(wish.folder)), to: wish.folder }
    await making.make()
    const [made] = store.kept()
    if (!made) throw new AppError('internal', 'The backup is missing from its folder.')
    return { to: toPath(made), files: made.files, bytes: made.bytes }
  })
}

const toFailure = ({ failed }: BackupRecord) => failed && { at: failed.at, reason: failed.reason }

type Store = {
  read(): BackupRecord
  kept(): KeptBackup[]
  change(change: Partial<BackupRecord>): Promise<void>
}

async function openStore({ env, log }: KeepBackupsDeps): Promise<Store> {
  const file = join(env.dataDir, BACKUP_FILES.record)
  let record: BackupRecord = { made: [], unfinished: null, failed: null }
  try {
    record = (await loadJsonFile(file, backupRecord)) ?? record
  } catch (error) {
    log.error('the list of backups cannot be read: they are kept and not counted', {
      ...toLogFields(error),
    })
  }
  const isThere = await Promise.all(record.made.map((made) => isFolder(toPath(made))))
  record = { ...record, made: record.made.filter((_, index) => isThere[index]) }
  await removeUnfinished(record).catch((error: unknown) =>
    log.warn('an incomplete backup could not be removed', toLogFields(error)),
  )
  return {
    read: () => record,
    kept: () =>
      record.made
        .filter(({ folder }) => folder === env.backupFolder)
        .sort((a, b) => b.made_at - a.made_at),
    async change(change) {
      record = { ...record, ...change }
      await replaceFile(file, `${JSON.stringify(record, null, 2)}\n`).catch(refuseFullData)
    },
  }
}

/** Hides the absolute path from clients. */
function toShownFolder({ dataDir, backupFolder }: Pick<Env, 'dataDir' | 'backupFolder'>): string {
  const within = relative(dataDir, backupFolder)
  return within.startsWith('..') || isAbsolute(within) ? 'BACKUP_FOLDER' : join('DATA_DIR', within)
}

const toPath = ({ folder, name }: Pick<KeptBackup, 'folder' | 'name'>) => join(folder, name)

const isFolder = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => null))?.isDirectory() ?? false

async function removeUnfinished({ unfinished }: BackupRecord): Promise<void> {
  if (unfinished !== null) await rm(partOf(unfinished), { recursive: true, force: true })
}

async function makeNext(deps: KeepBackupsDeps, store: Store, signal: AbortSignal): Promise<void> {
  const { env, now, eventLog, log } = deps
  const folder = env.backupFolder
  await removeUnfinished(store.read())
  const name = await toFreeName(folder, toStamp(now()))
  await store.change({ unfinished: join(folder, name) })
  const startedAt = performance.now()
  const to = join(folder, name)
  const { madeAt, ...totals } = await makeBackup({ ...env, ...deps, to, signal })
  const made = { folder, name, made_at: madeAt, ...totals }
  await store.change({ made: [...store.read().made, made], unfinished: null, failed: null })
  const ms = Math.round(performance.now() - startedAt)
  log('a backup was created', { name, ...totals, ms })
  const megabytes = (totals.bytes / 1_000_000).toFixed(1)
  const message = `A backup was created: ${totals.files} files, ${megabytes} MB.`
  eventLog.append({ level: 'info', kind: 'archive', message, fields: { name, ...totals } })
  await removeOld(deps, store).catch((error: unknown) =>
    log.warn('an old backup could not be removed', toLogFields(error)),
  )
}

async function toFreeName(folder: string, stamp: string): Promise<string> {
  let name = stamp
  for (let count = 2; await isFolder(join(folder, name)); count += 1) name = `${stamp}-${count}`
  return name
}

async function removeOld({ env, now }: KeepBackupsDeps, store: Store): Promise<void> {
  const known = await Promise.all(
    store.kept().map(async (kept) => ({ kept, isWhole: await isWhole(kept) })),
  )
  // A backup from the future was made with a wrong clock.
  const toAge = ({ made_at }: KeptBackup) => (made_at > now() ? -1 : made_at)
  const whole = known
    .flatMap(({ kept, isWhole }) => (isWhole ? [kept] : []))
    .sort((a, b) => toAge(b) - toAge(a))
  for (const old of whole.slice(env.backupKeep)) {
    const path = toPath(old)
    await store.change({ unfinished: path })
    await rename(path, partOf(path))
    await rm(partOf(path), { recursive: true, force: true })
    const made = store.read().made.filter((one) => toPath(one) !== path)
    await store.change({ made, unfinished: null })
  }
}

async function isWhole(kept: KeptBackup): Promise<boolean> {
  const path = toPath(kept)
  const manifest = await loadJsonFile(join(path, MANIFEST_FILE), backupManifest).catch(() => null)
  if (manifest?.made_at !== kept.made_at || toTotals(manifest).bytes !== kept.bytes) return false
  const sizes = await Promise.all(
    Object.entries(manifest.files).map(
      async ([name, { bytes }]) => (await stat(join(path, name)).catch(() => null))?.size === bytes,
    ),
  )
  return sizes.every(Boolean)
}

const FULL = 'The backup disk is full. Free some space.'
const DATA_FULL = 'The disk of DATA_DIR is full. Free some space.'
const UNREACHABLE = 'The backup folder is not writable.'
const NO_FOLDER = ['ENOTDIR', 'EEXIST']

function refuseFullData(cause: unknown): never {
  throw isDiskFull(cause) ? new AppError('not_ready', DATA_FULL, { cause }) : cause
}

/** Freezing writes to DATA_DIR, the work in it to the backup. */
const blameDataDisk =
  (freeze: Freeze): Freeze =>
  async (work) => {
    let failure: unknown = null
    const noted: typeof work = async () =>
      await work().catch((error: unknown) => {
        failure = error
        throw error
      })
    return await freeze(noted).catch((error: unknown) => {
      if (error === failure) throw error
      return refuseFullData(error)
    })
  }

function toBackupProblem(cause: unknown): AppError {
  if (cause instanceof AppError && cause.message === DATA_FULL) return cause
  const fault = selectDiskFault(cause)
  if (fault?.kind === 'full') return new AppError('not_ready', FULL, { cause })
  if (cause instanceof AppError) return cause
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  const isUnreachable = fault !== null || NO_FOLDER.includes(code)
  const message = isUnreachable ? UNREACHABLE : 'The backup failed. See the log.'
  return new AppError('not_ready', message, { cause })
}

async function noteFailure(deps: KeepBackupsDeps, store: Store, error: unknown): Promise<AppError> {
  const { now, eventLog, log } = deps
  const problem = toBackupProblem(error)
  const before = store.read().failed
  const failed = { since: before?.since ?? now(), at: now(), reason: problem.message }
  log.error('a backup failed', toLogFields(error))
  const message = `A backup failed: ${problem.message}`
  eventLog.append({ level: 'error', kind: 'archive', message, fields: {} })
  await store.change({ failed, unfinished: null }).catch(() => undefined)
  return problem
}
