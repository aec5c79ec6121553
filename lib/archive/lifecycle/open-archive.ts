import { sql } from 'kysely'
import type { Applied, Archive, Opened, ShareCommit } from '../archive.ts'
import {
  type AttachedName,
  type Engine,
  type EngineOptions,
  openEngine,
} from '../engine/duckdb-engine.ts'
import { migrate } from '../engine/migrations.ts'
import { type ExportFolder, openExportFolder } from '../export-file.ts'
import { checkpoint } from '../import/checkpoint.ts'
import { createImports, type Imports } from '../import/staged-import.ts'
import { type Lookups, openLookups } from '../lookups/lookups.ts'
import { openPrices, type Prices } from '../prices/prices.ts'
import {
  type ArchiveState,
  type KnownState,
  loadKnownState,
  upToNow,
} from '../query/archive-state.ts'
import { createKeptRows, createKeptValue } from '../query/kept-rows.ts'
import type { ArchiveReader } from '../reader.ts'
import { createScores } from '../record/scores.ts'
import { loadApplied } from '../share/applied.ts'
import { loadSymbolTimelines, loadUserTimelines } from '../timelines/load-timelines.ts'
import { createTimelines } from '../timelines/timelines.ts'
import { type ArchiveLock, takeLock } from './archive-files.ts'
import { keepIgnoredLog, prepareFile } from './prepare-file.ts'

export type ArchiveOptions = {
  path: string
  /** Seconds since 1970. */
  now: () => number
  memoryLimit?: string
  threads?: number
  rebuildAbove?: number
  share?: ShareCommit
  benchmark?: string | null
}

/**
 * Migrates older files, sets damaged ones aside. Throws AppError('not_ready'), with the file
 * unchanged, if it is foreign, newer, in use or inaccessible.
 */
export async function openArchive(options: ArchiveOptions): Promise<Archive> {
  const { path, memoryLimit = '256MB', threads = 2 } = options
  const engineOptions = { path, memoryLimit, threads }
  if (path === ':memory:') return await openFile(options, engineOptions, { opened: NOTHING_DONE })
  const lock = await takeLock(path)
  try {
    const opened = await prepareFile(path, { ...engineOptions, now: options.now })
    return await openFile(options, engineOptions, { opened, lock })
  } catch (error) {
    lock.release()
    throw error
  }
}

type Taken = { opened: Opened; lock?: ArchiveLock }

async function openFile(
  { path, now, rebuildAbove = 250_000, share, benchmark = null }: ArchiveOptions,
  engineOptions: Pick<EngineOptions, 'path' | 'memoryLimit' | 'threads'>,
  { opened, lock }: Taken,
): Promise<Archive> {
  const breaking = createBreaking()
  const engine = await openEngine({ ...engineOptions, onBroken: breaking.tell })
  try {
    const { db } = engine.writer
    const isFile = path !== ':memory:'
    // A log that survives the checkpoint was ignored by the engine.
    if (isFile) await sql`checkpoint`.execute(db)
    const aside = isFile ? await keepIgnoredLog(path, now) : null
    await migrate(db)
    await db
      .updateTable('journal')
      .set({ last_state: 'broken off' })
      .where('last_state', '=', 'running')
      .execute()
    const exportFolder = await openExportFolder(isFile ? `${path}.exports` : null)
    const sharedFolder = await openExportFolder(isFile ? `${path}.shared` : null)
    return createArchive(engine, {
      now,
      rebuildAbove,
      exportFolder,
      sharedFolder,
      share,
      lock,
      onBroken: breaking.listen,
      known: await loadKnownState(db),
      applied: await loadApplied(db),
      prices: await openPrices(engine, toBeside(path, 'prices')),
      lookups: await openLookups(engine, toBeside(path, 'lookups')),
      scores: { path: toBeside(path, 'record'), benchmark },
      opened: { ...opened, damagedFile: aside ?? opened.damagedFile },
    })
  } catch (error) {
    await engine.close()
    throw error
  }
}

const toBeside = (path: string, name: AttachedName) =>
  path === ':memory:' ? path : `${path}.${name}`

const NOTHING_DONE: Opened = { migratedFrom: null, damagedFile: null }

function createBreaking() {
  let cause: unknown = null
  let tellListener: ((cause: unknown) => void) | null = null
  return {
    tell(found: unknown) {
      if (cause !== null) return
      cause = found
      tellListener?.(found)
    },
    listen(listener: (cause: unknown) => void) {
      tellListener = listener
      if (cause !== null) listener(cause)
    },
  }
}

type Start = Pick<Archive, 'opened' | 'onBroken'> & {
  prices: Prices
  lookups: Lookups
  scores: { path: string; benchmark: string | null }
  now: () => number
  rebuildAbove: number
  exportFolder: ExportFolder
  sharedFolder: ExportFolder
  share: ShareCommit | undefined
  known: KnownState
  applied: Applied | null
  lock: ArchiveLock | undefined
}

function createKnown(
  engine: Engine,
  start: Pick<Start, 'known' | 'applied' | 'now' | 'prices' | 'lookups'>,
) {
  let { known, applied } = start
  let fills = 0
  const ratingsVersion = () => `${fills}.${known.state.generation}`
  const version = () => {
    const beside = [start.prices.state().version, start.lookups.state().version]
    return [ratingsVersion(), ...beside].join('.')
  }
  return {
    now: () => known,
    applied: () => applied,
    state(): ArchiveState {
      const completeTo = upToNow(known.state.completeTo, start.now())
      return { ...known.state, completeTo, version: version() }
    },
    version,
    ratingsVersion,
    async refresh(isFilled = false) {
      const found = await loadKnownState(engine.writer.db, isFilled ? undefined : known)
      applied = await loadApplied(engine.writer.db)
      if (isFilled) fills += 1
      known = found
    },
  }
}

const MIB = 2 ** 20

function createReader(
  engine: Engine,
  { now: known, state, version, ratingsVersion }: ReturnType<typeof createKnown>,
  { now, prices, lookups, scores, exportFolder }: Start,
): ArchiveReader {
  return {
    read: engine.read,
    openSnapshot: engine.openSnapshot,
    now,
    state,
    version,
    known,
    prices: prices.state,
    lookups: lookups.state,
    keptRows: createKeptRows(engine, version),
    keptTotals: createKeptValue(),
    symbolTimelines: createTimelines({
      load: async (keys, signal) => await loadSymbolTimelines(engine, keys, signal),
      version: ratingsVersion,
      newBytes: 12 * MIB,
      oftenBytes: 36 * MIB,
    }),
    userTimelines: createTimelines({
      load: async (ids, signal) => await loadUserTimelines(engine, ids, signal),
      version: ratingsVersion,
      newBytes: 4 * MIB,
      oftenBytes: 8 * MIB,
    }),
    scores: createScores({ engine, now, prices, version, ...scores }),
    exportFolder,
  }
}

function createArchive(engine: Engine, start: Start): Archive {
  const { share, opened, onBroken, prices, lookups } = start
  const known = createKnown(engine, start)
  const { state } = known
  const imports = createImports(engine.writer, {
    ...start,
    settle: () => engine.read(checkpoint),
    state,
    sharing: share && { share, newPath: start.sharedFolder.newPath },
    refresh: known.refresh,
  })
  return {
    opened,
    onBroken,
    state,
    reader: createReader(engine, known, start),
    prices,
    lookups,
    import: imports.run,
    applied: known.applied,
    apply: imports.apply,
    leave: imports.leave,
    freeze: imports.freeze,
    close: async () => await closeAll(engine, imports, start),
  }
}

async function closeAll(
  engine: Engine,
  imports: Pick<Imports, 'close'>,
  { exportFolder, sharedFolder, lock }: Pick<Start, 'exportFolder' | 'sharedFolder' | 'lock'>,
): Promise<void> {
  try {
    await imports.close().catch(() => undefined)
    await engine.close()
    await exportFolder.close()
    await sharedFolder.close()
  } finally {
    lock?.release()
  }
}
