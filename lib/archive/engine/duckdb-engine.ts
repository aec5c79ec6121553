import { rm } from 'node:fs/promises'
import { DuckDBInstance } from '@duckdb/node-api'
import { type CompiledQuery, type Kysely, sql } from 'kysely'
import { createQueue, type InTurn } from '#lib/async/serial-queue.ts'
import { AppError, toWithdrawn } from '#lib/contract/faults.ts'
import type { ColumnChunk } from './columns.ts'
import { createSession, type Session } from './duckdb-session.ts'
import { isBroken, toOpenFailure, toOpenProblem, toReadProblem } from './engine-errors.ts'
import type { Tables } from './tables.ts'

export type Engine = {
  /** Throws AppError('busy') when aborted. */
  read<T>(work: (db: Kysely<Tables>) => Promise<T>, signal?: AbortSignal): Promise<T>
  /** Throws AppError('busy') when aborted. */
  readColumns(
    build: (db: Kysely<Tables>) => CompiledQuery,
    visit: (chunk: ColumnChunk) => void,
    signal?: AbortSignal,
  ): Promise<void>
  openSnapshot(signal?: AbortSignal): Promise<Snapshot>
  /** Callers must serialize their use. */
  writer: Session
  /** An unreadable file is deleted and recreated. */
  attach(beside: AttachedFile): Promise<Session>
  close(): Promise<void>
}

type AttachedFile = { name: AttachedName; path: string }

export type AttachedName = 'lookups' | 'prices' | 'record'

export type EngineOptions = {
  path: string
  memoryLimit: string
  threads: number
  spillPath?: string
  /** Reads the log without writing it into the file. */
  isReadOnly?: boolean
  onBroken?: (cause: unknown) => void
}

/** Logs name their file and state from this version on, so a stale or foreign log is rejected. */
const STORAGE_VERSION = 'v1.4.0'

/** Each running query holds one of libuv's four threads. */
const READERS = 3

/**
 * Throws AppError('not_ready') if the file is damaged, not a database or held by another process.
 */
export async function openEngine(options: EngineOptions): Promise<Engine> {
  const instance = await openInstance(options)
  const openSession = async () => createSession(await instance.connect())
  const pool = createPool(openSession, READERS)
  const writer = await openSession()
  const attached: Session[] = []
  const snapshots = new Set<Snapshot>()
  // Concurrent snapshots were no faster and doubled the wait of short reads.
  const inTurn = createQueue()
  const readWith = async <T>(work: (session: Session) => Promise<T>, signal?: AbortSignal) => {
    const ask = async (session: Session) =>
      await session.interruptible(signal, async () => await work(session))
    try {
      return await pool.use(ask, signal)
    } catch (error) {
      if (isBroken(error)) options.onBroken?.(error)
      throw toReadProblem(error)
    }
  }
  return {
    writer,
    read: async (work, signal) => await readWith(async ({ db }) => await work(db), signal),
    readColumns: async (build, visit, signal) =>
      await readWith(
        async (session) => await session.visitColumns(build(session.db), visit),
        signal,
      ),
    openSnapshot: async (signal) => {
      const onClose = (closed: Snapshot) => snapshots.delete(closed)
      const snapshot = createSnapshot(await openSession(), { inTurn, signal, onClose })
      snapshots.add(snapshot)
      return snapshot
    },
    attach: async (beside) => {
      const session = await openSession()
      attached.push(session)
      await attachBeside(session, beside)
      return session
    },
    async close() {
      await Promise.all([...snapshots].map(async (snapshot) => await snapshot.close()))
      await pool.close()
      for (const session of attached) session.connection.closeSync()
      writer.connection.closeSync()
      instance.closeSync()
    },
  }
}

async function openInstance({ path, memoryLimit, threads, ...rest }: EngineOptions) {
  const { isReadOnly = false } = rest
  const isFile = path !== ':memory:'
  const spill = rest.spillPath ?? (isFile ? `${path}.tmp` : '')
  try {
    const instance = await DuckDBInstance.create(path, {
      memory_limit: memoryLimit,
      threads: String(threads),
      temp_directory: spill,
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
      late_materialization_max_rows: '1000',
      // Array slots as a power of two: enough for 250,000 users.
      perfect_ht_threshold: '18',
      storage_compatibility_version: STORAGE_VERSION,
      ...(isReadOnly ? { access_mode: 'READ_ONLY' } : {}),
    })
    // The lock is held, so leftover files belong to a killed process.
    if (spill !== '' && !isReadOnly) await rm(spill, { recursive: true, force: true })
    return instance
  } catch (cause) {
    throw toOpenProblem(cause)
  }
}

async function attachBeside({ db }: Session, { name, path }: AttachedFile): Promise<void> {
  const attach = async () =>
    await sql`attach ${sql.lit(path)} as ${sql.ref(name)}
      (storage_version ${sql.lit(STORAGE_VERSION)})`.execute(db)
  try {
    await attach()
  } catch (cause) {
    if (path === ':memory:' || toOpenFailure(cause) === 'no_room') throw toOpenProblem(cause)
    await Promise.all([path, `${path}.wal`].map(async (file) => await rm(file, { force: true })))
    await attach().catch((again: unknown) => {
      throw toOpenProblem(again)
    })
  }
}

export type Pool = {
  use<T>(work: (session: Session) => Promise<T>, signal?: AbortSignal): Promise<T>
  close(): Promise<void>
}

/** Reuses connections: the first query of a new one is slow. */
function createPool(openSession: () => Promise<Session>, size: number): Pool {
  const free: Session[] = []
  const waiting: (() => void)[] = []
  const idle: (() => void)[] = []
  let opened = 0
  let closed = false

  async function take(signal: AbortSignal | undefined): Promise<Session> {
    for (;;) {
      if (closed) throw new AppError('not_ready', 'The archive is closed.')
      const session = free.pop()
      if (session) return session
      if (opened < size) {
        opened += 1
        try {
          return await openSession()
        } catch (error) {
          opened -= 1
          waiting.shift()?.()
          throw error
        }
      }
      await turn(signal)
    }
  }

  async function turn(signal: AbortSignal | undefined): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const withdraw = () => {
        const index = waiting.indexOf(wake)
        if (index >= 0) waiting.splice(index, 1)
        reject(toWithdrawn(signal?.reason))
      }
      const wake = () => {
        signal?.removeEventListener('abort', withdraw)
        resolve()
      }
      if (signal?.aborted) return withdraw()
      signal?.addEventListener('abort', withdraw, { once: true })
      waiting.push(wake)
    })
  }

  return {
    async use(work, signal) {
      const session = await take(signal)
      try {
        return await work(session)
      } finally {
        free.push(session)
        waiting.shift()?.()
        if (free.length === opened) for (const tell of idle.splice(0)) tell()
      }
    },
    async close() {
      closed = true
      for (const wake of waiting.splice(0)) wake()
      if (free.length < opened) await new Promise<void>((resolve) => idle.push(resolve))
      for (const session of free.splice(0)) session.connection.closeSync()
    },
  }
}

/** All reads see one commit. Must be closed, because the engine retains superseded rows. */
export type Snapshot = {
  /** Throws AppError('busy') when aborted or closed. */
  read<T>(work: (session: Session) => Promise<T>): Promise<T>
  close(): Promise<void>
}

type SnapshotOptions = {
  inTurn: InTurn
  signal: AbortSignal | undefined
  onClose: (snapshot: Snapshot) => void
}

function createSnapshot(session: Session, options: SnapshotOptions): Snapshot {
  const { inTurn, signal, onClose } = options
  let last: Promise<unknown> = Promise.resolve()
  let closing: Promise<void> | null = null

  const step = <T>(work: () => Promise<T>): Promise<T> => {
    const ran = inTurn(async () => {
      if (closing) throw toWithdrawn()
      try {
        return await work()
      } catch (error) {
        throw closing ? toWithdrawn() : toReadProblem(error)
      }
    })
    last = ran.catch(() => {})
    return ran
  }

  const begun = step(async () => await session.connection.run('begin transaction'))
  begun.catch(() => {})

  const snapshot: Snapshot = {
    read: async (work) => {
      await begun
      return await step(() => session.interruptible(signal, async () => await work(session)))
    },
    close() {
      closing ??= close()
      return closing
    },
  }

  const close = async () => {
    session.connection.interrupt()
    await last
    session.connection.closeSync()
    onClose(snapshot)
  }
  return snapshot
}
