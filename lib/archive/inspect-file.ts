import { open, rm, stat } from 'node:fs/promises'
import { type Kysely, sql } from 'kysely'
import { AppError } from '#lib/contract/faults.ts'
import { type Engine, openEngine } from './duckdb-engine.ts'
import {
  hasEngineSize,
  isDamage,
  isUnborn,
  selectTrouble,
  toOpenProblem,
} from './engine-problems.ts'
import { SCHEMA_VERSION, selectVersion } from './migrations.ts'
import { readTable } from './read-table.ts'
import type { Tables } from './tables.ts'

/** What a file is before anything is done with it. `logOnly`: the log beside it is damaged, not the file. */
export type Found =
  | { is: 'absent' }
  | { is: 'current' }
  | { is: 'older'; version: number }
  | { is: 'damaged'; logOnly: boolean }

export type InspectOptions = { memoryLimit: string; threads: number }

/**
 * Looks at an archive's file without changing it, but that one which was never finished is taken away. Every block of it
 * is read once, since the engine checks what it reads: a file that is served is a file that was read whole.
 * Throws AppError('not_ready') where it is of a newer version, somebody else's, held or out of reach.
 */
export async function inspectFile(path: string, options: InspectOptions): Promise<Found> {
  const file = await stat(path).catch(toNothing)
  if (file && !file.isFile()) throw toOpenProblem('Is a directory')
  if (file?.size === 0) await rm(path)
  else if (file && (await isUnborn(path))) return { is: 'damaged', logOnly: false }
  else if (file && !(await hasMagic(path))) {
    if (hasEngineSize(file.size)) return { is: 'damaged', logOnly: false }
    throw toOpenProblem('not a valid DuckDB database')
  } else if (file) return await readWhole(path, options)
  // A log whose file is gone would be taken for that of the one made next.
  const hasLog = (await stat(`${path}.wal`).catch(toNothing)) !== null
  return hasLog ? { is: 'damaged', logOnly: true } : { is: 'absent' }
}

/** What cannot even be looked at is not there, unless the system says that it may not be. */
function toNothing(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
  throw error
}

const MAGIC = 'DUCK'
const MAGIC_AT = 8

/** Asked before the engine is: it would take a file of another kind for something to fetch an extension for. */
async function hasMagic(path: string): Promise<boolean> {
  const file = await open(path, 'r')
  try {
    const { buffer } = await file.read(Buffer.alloc(MAGIC.length), 0, MAGIC.length, MAGIC_AT)
    return buffer.toString('latin1') === MAGIC
  } finally {
    await file.close()
  }
}

async function readWhole(path: string, options: InspectOptions): Promise<Found> {
  let engine: Engine | null = null
  try {
    engine = await openEngine({ ...options, path, isReadOnly: true })
    const version = await selectVersion(engine.writer.db)
    await readEveryBlock(engine.writer.db)
    return version === SCHEMA_VERSION || version === 0
      ? { is: 'current' }
      : { is: 'older', version }
  } catch (error) {
    return toDamage(error)
  } finally {
    await engine?.close()
  }
}

/** Throws the error where it says anything else than damage. */
function toDamage(error: unknown): Found {
  const cause = error instanceof AppError ? error.cause : error
  if (cause !== undefined && error instanceof AppError) {
    const trouble = selectTrouble(cause)
    if (trouble === 'log') return { is: 'damaged', logOnly: true }
    if (trouble === 'damaged' && isDamage(cause)) return { is: 'damaged', logOnly: false }
  } else if (isDamage(error)) return { is: 'damaged', logOnly: false }
  throw error
}

/** Throws what the engine says of the first block that is not what was written. */
export async function readEveryBlock(db: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'main' and table_type = 'BASE TABLE'`.execute(db)
  for (const { name } of rows) {
    await readTable(db, name)
  }
}
