import { randomUUID } from 'node:crypto'
import { chmod, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type * as z from 'zod/mini'

/** Atomic; owner-only permissions. */
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

/** Null if missing. Throws if invalid. */
export async function loadJsonFile<S extends z.ZodMiniType>(
  path: string,
  schema: S,
): Promise<z.output<S> | null> {
  const text = await readTextFile(path)
  if (text === null) return null
  try {
    return schema.parse(JSON.parse(text))
  } catch (cause) {
    throw new Error(`${path} is damaged: its content does not match its checksum`, { cause })
  }
}

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

export type Sleep = (ms: number) => Promise<unknown>

export type SharedFile<T> = {
  /** Null if missing. Throws if damaged. */
  load(): Promise<T | null>
  /**
   * Serialized across processes. Writes nothing if `change` throws or returns `kept`. `at`: seconds
   * since 1970.
   */
  update(change: (kept: T | null, at: number) => T): Promise<void>
}

type SharedFileOptions<S extends z.ZodMiniType> = {
  path: string
  schema: S
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

/** The inode distinguishes replacements within one clock tick. */
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

async function removeStale({ path, now }: Lock): Promise<void> {
  try {
    const { mtimeMs } = await stat(path)
    if (now() - mtimeMs / 1000 > LOCK_STALE_SECONDS) await rm(path, { force: true })
  } catch (error) {
    if (!isMissing(error)) throw error
  }
}
