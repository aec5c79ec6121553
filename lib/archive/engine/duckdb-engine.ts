import { rm } from 'node:fs/promises'
import { DuckDBInstance } from '@duckdb/node-api'
import { type CompiledQuery, type Kysely, sql } from 'kysely'
import { createQueue, type InTurn } from '#lib/async/serial-queue.ts'
import { AppError, toWithdrawn } from '#lib/contract/faults.ts'
import type { ColumnChunk } from './columns.ts'
import { createSession, type Session } from './duckdb-session.ts'
import { isBroken, toOpenFailure, toOpenProblem, toReadProblem } from './engine-errors.ts'
import type { Tables } from './tables.ts'

/** What the archive asks of a database: reads side by side, one writing session, rows in bulk. */
export type Engine = {
  /** Runs reads on one connection. Throws AppError('busy') when aborted. */
  read<T>(work: (db: Kysely<Tables>) => Promise<T>, signal?: AbortSignal): Promise<T>
  /** Reads a query as columns, chunk by chunk. Throws AppError('busy') when aborted. */
  readColumns(
    build: (db: Kysely<Tables>) => CompiledQuery,
    visit: (chunk: ColumnChunk) => void,
    signal?: AbortSignal,
  ): Promise<void>
  /** Whoever opens it closes it. */
  openSnapshot(signal?: AbortSignal): Promise<Snapshot>
  /** The one session that writes. Whoever uses it takes turns by himself. */
  writer: Session
  /**
   * Adds a database of its own, for what is made of other files and can be made again: reads see it under its name, beside
   * the ratings. Gives the session that writes to it, and only to it. A file that cannot be read is removed and begun anew.
   */
  attach(beside: Beside): Promise<Session>
  close(): Promise<void>
}

/** A database beside the ratings: a file, made where it is absent, or `:memory:`. */
export type Beside = { name: BesideName; path: string }

/** `lookups`: the look-ups of an edition; `prices`: prices and names; `record`: what is worked out of them, never kept. */
export type BesideName = 'lookups' | 'prices' | 'record'

export type EngineOptions = {
  path: string
  memoryLimit: string
  threads: number
  /** Where work is spilled that does not fit into memory; beside the file where it is not given. */
  spillPath?: string
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
  const attached: Session[] = []
  const snapshots = new Set<Snapshot>()
  // Two snapshots at work came no sooner to their ends, and short answers waited twice as long.
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
      // Pages of up to 500 rows are picked by their sort column alone, then fetched.
      late_materialization_max_rows: '1000',
      // Bits of a group's key up to which an array replaces the hash table: room for 250,000 users.
      perfect_ht_threshold: '18',
      storage_compatibility_version: STORAGE_VERSION,
      ...(isReadOnly ? { access_mode: 'READ_ONLY' } : {}),
    })
    // The file is ours alone now, so what lies there was left by a process that was killed.
    if (spill !== '' && !isReadOnly) await rm(spill, { recursive: true, force: true })
    return instance
  } catch (cause) {
    throw toOpenProblem(cause)
  }
}

async function attachBeside({ db }: Session, { name, path }: Beside): Promise<void> {
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
  /** Waits for a free session, first come, first served. Throws AppError('busy') when aborted while waiting. */
  use<T>(work: (session: Session) => Promise<T>, signal?: AbortSignal): Promise<T>
  /** Refuses new work and waits for what runs. */
  close(): Promise<void>
}

/** Up to `size` sessions, opened when first needed and kept: a new connection's first query is slow. */
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

/**
 * A connection of its own in one read transaction: everything that it is asked is of one commit, however long that
 * takes. It has to be closed, since the engine keeps what was changed meanwhile.
 */
export type Snapshot = {
  /** One piece of work at a time, in turn with all other snapshots. Throws AppError('busy') when aborted or closed. */
  read<T>(work: (session: Session) => Promise<T>): Promise<T>
  /** Interrupts what runs. May be called again. */
  close(): Promise<void>
}

type SnapshotOptions = {
  /** What all snapshots share: while one works, it holds a thread that other reads need too. */
  inTurn: InTurn
  signal: AbortSignal | undefined
  onClose: (snapshot: Snapshot) => void
}

function createSnapshot(session: Session, options: SnapshotOptions): Snapshot {
  const { inTurn, signal, onClose } = options
  let last: Promise<unknown> = Promise.resolve()
  let closing: Promise<void> | null = null

  /** One step of work, in its turn. */
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
  // Whoever reads first is told; where nobody reads, nobody needs to be.
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
