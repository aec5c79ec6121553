import { randomUUID } from 'node:crypto'
import { chmod, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type * as z from 'zod/mini'

/** Puts a file in place whole or not at all, readable by its owner alone. */
export async function replaceFile(path: string, text: string): Promise<void> {
  const temporary = `${path}.${randomUUID()}.tmp`
  try {
    const file = await open(temporary, 'wx', 0o600)
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    await chmod(temporary, 0o600)
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

/** Reads a JSON file of ours by its schema; null where there is none. Throws where it is not what we wrote. */
export async function loadJsonFile<S extends z.ZodMiniType>(
  path: string,
  schema: S,
): Promise<z.output<S> | null> {
  const text = await readTextFile(path)
  if (text === null) return null
  try {
    return schema.parse(JSON.parse(text))
  } catch (cause) {
    throw new Error(`${path} is damaged: it is not what was written there`, { cause })
  }
}

/** The text of a file, or null where there is none. */
export async function readTextFile(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

export const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT'

/** Waits so many milliseconds. */
export type Sleep = (ms: number) => Promise<unknown>

/** A JSON file that the process and the command line change, each while the other may run. */
export type SharedFile<T> = {
  /** What is in it now; null where there is none. Reads it again only when it was replaced. Throws where it is damaged. */
  load(): Promise<T | null>
  /**
   * Replaces the content with what `change` returns, one process at a time. Writes nothing if `change` throws or returns
   * `kept` itself. `at` is the time in seconds since 1970, by the one clock of all processes that share the content.
   */
  update(change: (kept: T | null, at: number) => T): Promise<void>
}

export type SharedFileOptions<S extends z.ZodMiniType> = {
  path: string
  schema: S
  /** Seconds since 1970. */
  now: () => number
  sleep: Sleep
}

export function createSharedFile<S extends z.ZodMiniType>(
  options: SharedFileOptions<S>,
): SharedFile<z.output<S>> {
  const { path, schema } = options
  let known: { version: string; content: z.output<S> | null } | null = null
  return {
    async load() {
      const version = await toVersion(path)
      if (known === null || known.version !== version) {
        known = { version, content: await loadJsonFile(path, schema) }
      }
      return known.content
    },
    update: (change) =>
      withLock({ ...options, path: `${path}.lock` }, async () => {
        const kept = await loadJsonFile(path, schema)
        const content = change(kept, options.now())
        if (content === kept) return
        await replaceFile(path, `${JSON.stringify(content, null, 2)}\n`)
        known = null
      }),
  }
}

/** Each replacement is a new file, so its inode tells it apart even within one tick of the clock. */
async function toVersion(path: string): Promise<string> {
  try {
    const { ino, mtimeMs, size } = await stat(path)
    return `${ino} ${mtimeMs} ${size}`
  } catch (error) {
    if (isMissing(error)) return 'missing'
    throw error
  }
}

const LOCK_ATTEMPTS = 100
const LOCK_PAUSE_MS = 20
const LOCK_STALE_SECONDS = 10

type Lock = { path: string; now: () => number; sleep: Sleep }

async function withLock(lock: Lock, work: () => Promise<void>): Promise<void> {
  await mkdir(dirname(lock.path), { recursive: true, mode: 0o700 })
  await takeLock(lock)
  try {
    await work()
  } finally {
    await rm(lock.path, { force: true })
  }
}

async function takeLock(lock: Lock): Promise<void> {
  for (let attempt = 0; attempt < LOCK_ATTEMPTS; attempt += 1) {
    try {
      const file = await open(lock.path, 'wx', 0o600)
      return await file.close()
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    }
    await removeStale(lock)
    await lock.sleep(LOCK_PAUSE_MS)
  }
  throw new Error(`another process is changing ${lock.path.replace(/\.lock$/, '')}; try again`)
}

/** A lock whose owner was killed must not last. */
async function removeStale({ path, now }: Lock): Promise<void> {
  try {
    const { mtimeMs } = await stat(path)
    if (now() - mtimeMs / 1000 > LOCK_STALE_SECONDS) await rm(path, { force: true })
  } catch (error) {
    if (!isMissing(error)) throw error
  }
}
