import { mkdir, open, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import * as z from 'zod/mini'
import { isMissing, loadJsonFile, replaceFile } from './folder-file.ts'

const limit = z.nullable(z.int().check(z.gte(1)))

/** A key as it is kept: never the key, its SHA-256 alone. Instants are seconds since 1970. */
const storedKey = z.object({
  name: z.string(),
  sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  created_at: z.int(),
  revoked_at: z.nullable(z.int()),
  /** Null: the service's own limit. */
  per_minute: limit,
  /** Null: no monthly quota. */
  per_month: limit,
})
export type StoredKey = z.infer<typeof storedKey>

const keyFile = z.object({ keys: z.array(storedKey) })

const LOCK_ATTEMPTS = 100
const LOCK_PAUSE_MS = 20
const LOCK_STALE_SECONDS = 10

/** Waits so many milliseconds. */
export type Sleep = (ms: number) => Promise<unknown>

/** The file that holds the keys of the service; the service and the command line share it across processes. */
export type KeyFile = {
  /** What is in it now. Reads it again only when it was replaced. */
  load(): Promise<readonly StoredKey[]>
  /** Replaces its content by `change`, one process at a time. */
  update(change: (keys: readonly StoredKey[]) => readonly StoredKey[]): Promise<void>
}

export type KeyFileDeps = { dir: string; now: () => number; sleep: Sleep }

export function createKeyFile({ dir, now, sleep }: KeyFileDeps): KeyFile {
  const path = join(dir, 'keys.json')
  let known: { version: string; keys: readonly StoredKey[] } | null = null
  return {
    async load() {
      const version = await toVersion(path)
      if (known === null || known.version !== version) {
        known = { version, keys: await loadKeys(path) }
      }
      return known.keys
    },
    update: (change) =>
      withLock({ path: `${path}.lock`, now, sleep }, async () => {
        const keys = [...change(await loadKeys(path))]
        await replaceFile(path, `${JSON.stringify({ keys }, null, 2)}\n`)
        known = null
      }),
  }
}

const loadKeys = async (path: string) => (await loadJsonFile(path, keyFile))?.keys ?? []

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
  throw new Error('another process is changing the keys; try again')
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
