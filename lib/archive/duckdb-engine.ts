import { rm } from 'node:fs/promises'
import { DuckDBInstance } from '@duckdb/node-api'
import type { Kysely } from 'kysely'
import { createSession, type Session } from './duckdb-session.ts'
import { isBroken, toOpenProblem, toReadProblem } from './engine-problems.ts'
import { createQueue } from './queue.ts'
import { createPool } from './session-pool.ts'
import { createSnapshot, type Snapshot } from './snapshot.ts'
import type { Tables } from './tables.ts'

/** What the archive asks of a database: reads side by side, one writing session, rows in bulk. */
export type Engine = {
  /** Runs reads on one connection. Throws AppError('busy') when aborted. */
  read<T>(work: (db: Kysely<Tables>) => Promise<T>, signal?: AbortSignal): Promise<T>
  /** Whoever opens it closes it. */
  openSnapshot(signal?: AbortSignal): Promise<Snapshot>
  /** The one session that writes. Whoever uses it takes turns by himself. */
  writer: Session
  close(): Promise<void>
}

export type EngineOptions = {
  path: string
  memoryLimit: string
  threads: number
  /** Nothing is written, not even what a log beside the file holds: it is read as if it were in it. */
  isReadOnly?: boolean
  /** Told when what is open can be read or written no more as it is: it has to be closed and opened again. */
  onBroken?: (cause: unknown) => void
}

/**
 * From this version on a log says which file it belongs to, and which state of it: one that was left behind, or came
 * with a copy of another file, is refused instead of being applied.
 */
const STORAGE_VERSION = 'v1.4.0'

/** Connections for reading. Each query of a connection holds one of libuv's four threads while it runs. */
const READERS = 3

/**
 * Opens a file, or `:memory:`. Spilled work goes to a folder beside the file. Throws AppError('not_ready') where
 * the file is damaged, is no database or is held by another process.
 */
export async function openEngine(options: EngineOptions): Promise<Engine> {
  const instance = await openInstance(options)
  const openSession = async () => createSession(await instance.connect())
  const pool = createPool(openSession, READERS)
  const writer = await openSession()
  const snapshots = new Set<Snapshot>()
  // Two snapshots at work came no sooner to their ends, and short answers waited twice as long.
  const inTurn = createQueue()
  return {
    writer,
    read: async (work, signal) => {
      const ask = async (session: Session) =>
        await session.interruptible(signal, async () => await work(session.db))
      try {
        return await pool.use(ask, signal)
      } catch (error) {
        if (isBroken(error)) options.onBroken?.(error)
        throw toReadProblem(error)
      }
    },
    openSnapshot: async (signal) => {
      const onClose = (closed: Snapshot) => snapshots.delete(closed)
      const snapshot = createSnapshot(await openSession(), { inTurn, signal, onClose })
      snapshots.add(snapshot)
      return snapshot
    },
    async close() {
      await Promise.all([...snapshots].map(async (snapshot) => await snapshot.close()))
      await pool.close()
      writer.connection.closeSync()
      instance.closeSync()
    },
  }
}

async function openInstance({ path, memoryLimit, threads, isReadOnly = false }: EngineOptions) {
  const spill = `${path}.tmp`
  const isFile = path !== ':memory:'
  try {
    const instance = await DuckDBInstance.create(path, {
      memory_limit: memoryLimit,
      threads: String(threads),
      temp_directory: isFile ? spill : '',
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
      // Pages of up to 500 rows are picked by their sort column alone, then fetched.
      late_materialization_max_rows: '1000',
      storage_compatibility_version: STORAGE_VERSION,
      ...(isReadOnly ? { access_mode: 'READ_ONLY' } : {}),
    })
    // The file is ours alone now, so what lies there was left by a process that was killed.
    if (isFile && !isReadOnly) await rm(spill, { recursive: true, force: true })
    return instance
  } catch (cause) {
    throw toOpenProblem(cause)
  }
}
