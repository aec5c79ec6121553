import { sql } from 'kysely'
import type {
  Applied,
  Archive,
  ArchiveState,
  Opened,
  ReadOptions,
  Records,
  ShareCommit,
} from '#lib/archive/archive.ts'
import { selectChanges } from '#lib/archive/changes/changes.ts'
import { selectMoves } from '#lib/archive/changes/moves.ts'
import { createDifferenceReads } from '#lib/archive/editions/differences.ts'
import {
  type BesideName,
  type Engine,
  type EngineOptions,
  openEngine,
} from '#lib/archive/engine/duckdb-engine.ts'
import { migrate } from '#lib/archive/engine/migrations.ts'
import { type ExportFolder, openExportFolder } from '#lib/archive/export-file.ts'
import { checkpoint } from '#lib/archive/import/checkpoint.ts'
import {
  openQuarantine,
  selectQuarantine,
  selectQuarantinePage,
} from '#lib/archive/import/quarantine.ts'
import { createImports, type Imports } from '#lib/archive/import/staged-import.ts'
import { createAttention } from '#lib/archive/lookups/attention-overview.ts'
import { createLookups } from '#lib/archive/lookups/lookup-reads.ts'
import { type Lookups, openLookups } from '#lib/archive/lookups/lookups.ts'
import { selectListed } from '#lib/archive/overview/listing.ts'
import { selectOverview } from '#lib/archive/overview/overview.ts'
import { createWatching } from '#lib/archive/overview/watching.ts'
import { openPrices, type Prices } from '#lib/archive/prices/prices.ts'
import {
  type KnownState,
  loadKnownState,
  selectPostingRate,
  upToNow,
} from '#lib/archive/query/archive-state.ts'
import { createKeptRows } from '#lib/archive/query/kept-rows.ts'
import { selectFacets } from '#lib/archive/ratings/facets.ts'
import { selectNews } from '#lib/archive/ratings/news.ts'
import { selectKnownIds, selectRating, selectRatings } from '#lib/archive/ratings/ratings.ts'
import { openExport } from '#lib/archive/ratings/ratings-export.ts'
import { createRecords } from '#lib/archive/record/record.ts'
import { loadApplied } from '#lib/archive/share/applied.ts'
import { selectChecksums } from '#lib/archive/share/checksums.ts'
import { selectAggregate, selectOpinion } from '#lib/archive/symbols/opinion.ts'
import { selectComparison, selectSeries } from '#lib/archive/symbols/series.ts'
import { selectSymbols } from '#lib/archive/symbols/symbols.ts'
import { openSymbolsExport } from '#lib/archive/symbols/symbols-export.ts'
import { createCloseness } from '#lib/archive/users/closeness.ts'
import { selectRecord, selectUserRatings } from '#lib/archive/users/user-record.ts'
import { selectUser, selectUsers } from '#lib/archive/users/users.ts'
import { openUsersExport } from '#lib/archive/users/users-export.ts'
import type { NearUsersQuery } from '#lib/contract/api-queries.ts'
import { toHorizon } from '#lib/contract/horizons.ts'
import { type ArchiveLock, takeLock } from './archive-files.ts'
import { keepIgnoredLog, prepareFile } from './prepare-file.ts'

export type ArchiveOptions = {
  /** A file, made where it is absent, or `:memory:`. */
  path: string
  /** Seconds since 1970. */
  now: () => number
  /** What the database may hold in memory before it spills beside the file; default `256MB`. */
  memoryLimit?: string
  threads?: number
  /** From more changed rows than this a commit writes all ratings anew; default 250,000. */
  rebuildAbove?: number
  /** Writes what an import is about to commit into the store that other nodes follow, before it is committed here. */
  share?: ShareCommit
  /** The symbol that what prices did is compared with; null, or not given, is the mean of all of them. */
  benchmark?: string | null
}

/**
 * Opens the archive and brings its file to this version. What a killed run left is gone. An older file is brought over on a
 * copy, a damaged one is set aside and an empty archive made: `opened` says so. Throws AppError('not_ready') where
 * the file is foreign, newer than this program, in use (by which process), or out of reach: it is then as it was.
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
    // What the log holds is written into the file now, so that a log which is still there is one that was passed over.
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
      ...{ now, rebuildAbove, exportFolder, sharedFolder, share, lock, onBroken: breaking.listen },
      known: await loadKnownState(db),
      applied: await loadApplied(db),
      prices: await openPrices(engine, toBeside(path, 'prices')),
      lookups: await openLookups(engine, toBeside(path, 'lookups')),
      records: { path: toBeside(path, 'record'), benchmark },
      opened: { ...opened, damagedFile: aside ?? opened.damagedFile },
    })
  } catch (error) {
    await engine.close()
    throw error
  }
}

/** A database of its own beside the archive's file. */
const toBeside = (path: string, name: BesideName) =>
  path === ':memory:' ? path : `${path}.${name}`

const NOTHING_DONE: Opened = { migratedFrom: null, damagedFile: null }

/** Tells whoever listens, once: whoever comes later is told at once. */
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
  /** Where what is worked out of ratings and prices lies meanwhile, and what they are compared with. */
  records: { path: string; benchmark: string | null }
  now: () => number
  rebuildAbove: number
  exportFolder: ExportFolder
  /** Where what is shared lies on its way. */
  sharedFolder: ExportFolder
  share: ShareCommit | undefined
  known: KnownState
  applied: Applied | null
  lock: ArchiveLock | undefined
}

type SyncReads = Pick<
  Archive,
  | 'selectKnownIds'
  | 'selectChecksums'
  | 'selectPostingRate'
  | 'selectQuarantine'
  | 'selectQuarantinePage'
  | 'openQuarantine'
>

/** What the sync asks, and who looks after it. `now` in seconds since 1970. */
const createSyncReads = (engine: Engine, now: () => number): SyncReads => ({
  selectChecksums: async (ranges, signal) =>
    await engine.read((db) => selectChecksums(db, ranges), signal),
  selectPostingRate: async () => await engine.read((db) => selectPostingRate(db, now())),
  selectKnownIds: async (ids) => await engine.read((db) => selectKnownIds(db, ids)),
  selectQuarantine: async (limit) => await engine.read((db) => selectQuarantine(db, limit)),
  selectQuarantinePage: async (query) => await engine.read((db) => selectQuarantinePage(db, query)),
  openQuarantine: async (signal) => await openQuarantine(engine, signal),
})

/** What is kept in memory between two commits. */
function createKnown(
  engine: Engine,
  start: Pick<Start, 'known' | 'applied' | 'now' | 'prices' | 'lookups'>,
) {
  let { known, applied } = start
  let fills = 0
  const version = () => {
    const beside = [start.prices.state().version, start.lookups.state().version]
    return [fills, known.state.generation, ...beside].join('.')
  }
  return {
    now: () => known,
    applied: () => applied,
    state(): ArchiveState {
      const completeTo = upToNow(known.state.completeTo, start.now())
      return { ...known.state, completeTo, version: version() }
    },
    version,
    async refresh(isFilled = false) {
      const found = await loadKnownState(engine.writer.db, isFilled ? undefined : known)
      applied = await loadApplied(engine.writer.db)
      if (isFilled) fills += 1
      known = found
    },
  }
}

/** What lies in databases beside the ratings, and what comes of both. */
function createBeside(
  engine: Engine,
  { state, version }: Pick<ReturnType<typeof createKnown>, 'state' | 'version'>,
  start: Start,
): Pick<Archive, 'prices' | 'lookups' | 'attention' | 'records' | 'differences'> {
  return {
    prices: start.prices,
    lookups: createLookups(start.lookups, { engine, state, ...start }),
    attention: createAttention({ engine, version, lookups: start.lookups.state }),
    records: createRecords({ engine, state, ...start, ...start.records, version }),
    differences: createDifferenceReads({ engine, state, ...start }),
  }
}

function createArchive(engine: Engine, start: Start): Archive {
  const { exportFolder, share, opened, onBroken } = start
  const known = createKnown(engine, start)
  const { state } = known
  const closeness = createCloseness(engine, known.version)
  const keptRows = createKeptRows(engine, known.version)
  const beside = createBeside(engine, known, start)
  const users = createUsers({ ...start, ...beside, engine, state, closeness })
  const imports = createImports(engine.writer, {
    ...start,
    settle: () => engine.read(checkpoint),
    state,
    sharing: share && { share, newPath: start.sharedFolder.newPath },
    refresh: known.refresh,
  })
  return {
    ...{ opened, onBroken, state },
    ...beside,
    import: imports.run,
    applied: known.applied,
    apply: imports.apply,
    leave: imports.leave,
    ...createSyncReads(engine, start.now),
    selectRatings: async (query, options) =>
      await selectRatings(engine, query, { ...options, keptRows }),
    selectRating: async (id, asof, options) => await selectRating(engine, { id, asof }, options),
    openExport: async (query, options) =>
      await openExport({ engine, exportFolder, state, now: start.now }, query, options),
    openSymbolsExport: async (query, options) =>
      await openSymbolsExport({ engine, state, now: start.now }, query, options),
    openUsersExport: users.openExport,
    selectFacets: async (query, options) =>
      await selectFacets(query, { ...options, ...known.now(), keptRows }),
    selectWatching: createWatching({ engine, version: known.version, keptRows }),
    selectSymbols: async (query, options) => await selectSymbols(engine, query, options),
    selectAggregate: async (symbol, day, options) =>
      await selectAggregate(engine, { symbol, day }, options),
    selectSeries: async (symbol, query, options) =>
      await selectSeries(engine, { symbol, query }, options),
    selectOpinion: async (symbol, options) =>
      await selectOpinion(engine, symbol, { ...options, labels: known.now().labels }),
    selectOverview: async (options) => await selectOverview(engine, options),
    selectListed: async (listed, options) => await selectListed(engine, listed, options),
    selectMoves: async (asked, options) => await selectMoves(engine, asked, options),
    selectChanges: async (period, options) => await selectChanges(engine, period, options),
    selectNews: async (asked, options) => await selectNews(engine, asked, options),
    selectComparison: async (query, options) => await selectComparison(engine, query, options),
    selectUserRatings: async (userId, options) => await selectUserRatings(engine, userId, options),
    selectRecord: async (userId, options) => {
      const [record, near] = await Promise.all([
        selectRecord(engine, userId, options),
        closeness.select(userId, options),
      ])
      return record && { ...record, closeness: near }
    },
    selectUsers: users.select,
    selectUser: async (userId, options) =>
      await selectUser(engine, userId, { ...options, labels: known.now().labels }),
    freeze: imports.freeze,
    close: async () => await closeAll(engine, imports, start),
  }
}

type UsersSource = Parameters<typeof openUsersExport>[0] & {
  closeness: ReturnType<typeof createCloseness>
  records: Records
}

/** The league of users, of whom some are left by how they compare, with what is known of their records. */
function createUsers({ closeness, records, ...source }: UsersSource) {
  const narrow = async (query: NearUsersQuery, options: ReadOptions) => {
    const ids = await closeness.selectCompared(query, options)
    const standings = await records.selectStandings(toHorizon(query.horizon), options)
    return { ...query, ids, standings }
  }
  return {
    openExport: async (query: NearUsersQuery, options: ReadOptions) =>
      await openUsersExport(source, await narrow(query, options), options),
    select: async (query: NearUsersQuery, options: ReadOptions) => {
      const narrowed = await narrow(query, options)
      const found = await selectUsers(source.engine, narrowed, options)
      return { ...found, ranked: narrowed.standings?.ranked ?? 0 }
    },
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
