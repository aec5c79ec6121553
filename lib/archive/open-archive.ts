import { AppError } from '#lib/contract/faults.ts'
import type { Archive, ImportRun, ImportSource } from './archive.ts'
import { type Engine, openEngine } from './duckdb-engine.ts'
import { openExport } from './export-ratings.ts'
import { type FileShelf, openFileShelf } from './file-shelf.ts'
import { beginRun } from './import-run.ts'
import { type KnownState, loadKnownState } from './known-state.ts'
import { migrate } from './migrations.ts'
import { selectQuarantine } from './quarantine.ts'
import { selectAggregate } from './select-aggregate.ts'
import { selectCalls } from './select-calls.ts'
import { selectComparison } from './select-comparison.ts'
import { selectFacets } from './select-facets.ts'
import { selectKnownIds } from './select-known-ids.ts'
import { selectOpinion } from './select-opinion.ts'
import { selectOverview } from './select-overview.ts'
import { selectRating } from './select-rating.ts'
import { selectRatings } from './select-ratings.ts'
import { selectRecord } from './select-record.ts'
import { selectSeries } from './select-series.ts'
import { selectSymbols } from './select-symbols.ts'
import { selectUser } from './select-user.ts'
import { selectUsers } from './select-users.ts'

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
}

/**
 * Opens the archive and brings its file to this version. What a killed run left is gone. Throws
 * AppError('not_ready') where the file is damaged, foreign, newer than this program, or in use.
 */
export async function openArchive(options: ArchiveOptions): Promise<Archive> {
  const { path, now, memoryLimit = '256MB', threads = 2, rebuildAbove = 250_000 } = options
  const engine = await openEngine({ path, memoryLimit, threads })
  try {
    const { db } = engine.writer
    await migrate(db)
    await db
      .updateTable('journal')
      .set({ last_state: 'broken off' })
      .where('last_state', '=', 'running')
      .execute()
    const shelf = await openFileShelf(path === ':memory:' ? null : `${path}.exports`)
    return createArchive(engine, { now, rebuildAbove, shelf, known: await loadKnownState(db) })
  } catch (error) {
    await engine.close()
    throw error
  }
}

type Start = { now: () => number; rebuildAbove: number; shelf: FileShelf; known: KnownState }

function createArchive(engine: Engine, start: Start): Archive {
  const { shelf } = start
  let known = start.known
  const runs = createRuns(engine, {
    now: start.now,
    rebuildAbove: start.rebuildAbove,
    state: () => known.state,
    refresh: async () => {
      known = await loadKnownState(engine.writer.db, known)
    },
  })
  return {
    state: () => known.state,
    beginImport: runs.begin,
    selectKnownIds: async (ids) => await engine.read((db) => selectKnownIds(db, ids)),
    selectQuarantine: async (limit) => await engine.read((db) => selectQuarantine(db, limit)),
    selectRatings: async (query, options) => await selectRatings(engine, query, options),
    selectRating: async (id, asof, options) => await selectRating(engine, { id, asof }, options),
    openExport: async (query, options) => await openExport({ engine, shelf }, query, options),
    selectFacets: async (query, options) =>
      await selectFacets(engine, query, { ...options, labels: known.labels, edges: known.edges }),
    selectSymbols: async (query, options) => await selectSymbols(engine, query, options),
    selectAggregate: async (symbol, day, options) =>
      await selectAggregate(engine, { symbol, day }, options),
    selectSeries: async (symbol, query, options) =>
      await selectSeries(engine, { symbol, query }, options),
    selectOpinion: async (symbol, options) =>
      await selectOpinion(engine, symbol, { ...options, labels: known.labels }),
    selectOverview: async (options) => await selectOverview(engine, options),
    selectComparison: async (query, options) => await selectComparison(engine, query, options),
    selectCalls: async (userId, options) => await selectCalls(engine, userId, options),
    selectRecord: async (userId, options) => await selectRecord(engine, userId, options),
    selectUsers: async (query, options) => await selectUsers(engine, query, options),
    selectUser: async (userId, options) =>
      await selectUser(engine, userId, { ...options, labels: known.labels }),
    async close() {
      await runs.close()
      await engine.close()
      await shelf.close()
    },
  }
}

type RunsOptions = {
  now: () => number
  rebuildAbove: number
  state: () => KnownState['state']
  refresh: () => Promise<void>
}

/** One run at a time: the next begins when the one before has ended. */
function createRuns(engine: Engine, { refresh, ...shared }: RunsOptions) {
  let last: Promise<void> = Promise.resolve()
  let current: ImportRun | null = null
  let closed = false
  return {
    async begin(source: ImportSource): Promise<ImportRun> {
      const before = last
      let release = () => {}
      last = new Promise((resolve) => {
        release = resolve
      })
      await before
      try {
        if (closed) throw new AppError('not_ready', 'The archive is closed.')
        const onEnd = async () => {
          current = null
          try {
            await refresh()
          } finally {
            release()
          }
        }
        current = await beginRun(engine.writer, { ...shared, source, onEnd })
        return current
      } catch (error) {
        release()
        throw error
      }
    },
    async close() {
      closed = true
      await current?.abort()
    },
  }
}
