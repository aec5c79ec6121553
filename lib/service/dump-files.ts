import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { AppError } from '#lib/contract/faults.ts'
import {
  DUMP_KINDS,
  type DumpKind,
  editionAt,
  editionFileName,
  editionName,
} from '#lib/contract/weekly-clock.ts'
import { isMissing, loadJsonFile, replaceFile } from '#lib/files/json-file.ts'
import type { Posts } from './posts.ts'

const KEPT = 2
const RETRY_SECONDS = 60

const card = z.object({ at: z.int(), bytes: z.int(), sha256: z.string() })

/** `at`: the edition's Sunday, in seconds. */
export type ServiceEdition = z.infer<typeof card> & { path: string; fileName: string }

export type Editions = {
  /**
   * Concurrent calls share one build. Falls back to the newest kept edition; throws
   * AppError('not_ready') if there is none.
   */
  ensure(kind: DumpKind, at: number): Promise<ServiceEdition>
}

type EditionsDeps = { dir: string; posts: Posts; log: (line: string) => void }

export function createEditions({ dir, posts, log }: EditionsDeps): Editions {
  const current = new Map<DumpKind, ServiceEdition>()
  const making = new Map<DumpKind, { sunday: number; edition: Promise<ServiceEdition> }>()
  const failedAt = new Map<DumpKind, number>()

  async function loadOrMake(kind: DumpKind, at: number): Promise<ServiceEdition> {
    const sunday = editionAt(at)
    const kept = await loadEdition(dir, kind, sunday)
    if (kept) return kept
    const edition = await makeEdition(deps, kind, sunday)
    log(`${edition.fileName} made: ${edition.bytes} bytes`)
    await removeOld(dir, kind)
    return edition
  }

  const deps = { dir, posts }

  async function refresh(kind: DumpKind, at: number): Promise<ServiceEdition> {
    try {
      const edition = await loadOrMake(kind, at)
      current.set(kind, edition)
      failedAt.delete(kind)
      return edition
    } catch (error) {
      failedAt.set(kind, at)
      log(`the ${kind} dump could not be made: ${String(error)}`)
      const older = current.get(kind) ?? (await loadNewest(dir, kind))
      if (older === null) throw notReady()
      current.set(kind, older)
      return older
    }
  }

  async function ensure(kind: DumpKind, at: number): Promise<ServiceEdition> {
    const edition = current.get(kind)
    const sunday = editionAt(at)
    if (edition?.at === sunday) return edition
    const running = making.get(kind)
    if (running?.sunday === sunday) return await running.edition
    if (running) {
      await running.edition.catch(() => undefined)
      return await ensure(kind, at)
    }
    if (Math.abs(at - (failedAt.get(kind) ?? -RETRY_SECONDS)) < RETRY_SECONDS) {
      if (edition) return edition
      throw notReady()
    }
    const made = refresh(kind, at).finally(() => making.delete(kind))
    making.set(kind, { sunday, edition: made })
    return await made
  }

  return { ensure }
}

const notReady = () =>
  new AppError('not_ready', 'This dump could not be created. Try again in a minute.', {
    retryAfterSeconds: RETRY_SECONDS,
  })

const cardPath = (path: string) => `${path}.json`

async function makeEdition(
  { dir, posts }: Pick<EditionsDeps, 'dir' | 'posts'>,
  kind: DumpKind,
  at: number,
): Promise<ServiceEdition> {
  await mkdir(dir, { recursive: true, mode: 0o700 })
  const fileName = editionFileName(kind, editionName(at))
  const path = join(dir, fileName)
  const temporary = `${path}.tmp`
  await rm(temporary, { force: true })
  try {
    await posts.writeDump(kind, at, temporary)
    const found = { at, ...(await measure(temporary)) }
    // The card is written first: a card without a file is ignored.
    await replaceFile(cardPath(path), JSON.stringify(found))
    await rename(temporary, path)
    return { ...found, path, fileName }
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

async function measure(path: string): Promise<{ bytes: number; sha256: string }> {
  const file = await open(path, 'r+')
  try {
    await file.chmod(0o600)
    await file.sync()
  } finally {
    await file.close()
  }
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of createReadStream(path, { highWaterMark: 256 * 1024 })) {
    hash.update(chunk)
    bytes += chunk.length
  }
  return { bytes, sha256: hash.digest('hex') }
}

async function loadEdition(
  dir: string,
  kind: DumpKind,
  at: number,
): Promise<ServiceEdition | null> {
  const fileName = editionFileName(kind, editionName(at))
  const path = join(dir, fileName)
  try {
    const found = await loadJsonFile(cardPath(path), card)
    const { size } = await stat(path)
    return found?.at === at && found.bytes === size ? { ...found, path, fileName } : null
  } catch {
    return null
  }
}

async function loadNewest(dir: string, kind: DumpKind): Promise<ServiceEdition | null> {
  const [newest] = await listCards(dir, kind)
  const found = newest ? await loadJsonFile(join(dir, newest), card) : null
  return found ? await loadEdition(dir, kind, found.at) : null
}

async function listCards(dir: string, kind: DumpKind): Promise<string[]> {
  const pattern = new RegExp(`^${kind}-\\d{4}-\\d{2}-\\d{2}\\.csv\\.json$`)
  try {
    const names = await readdir(dir)
    return names
      .filter((name) => pattern.test(name))
      .toSorted()
      .toReversed()
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

async function removeOld(dir: string, kind: DumpKind): Promise<void> {
  for (const name of (await listCards(dir, kind)).slice(KEPT)) {
    await rm(join(dir, name.replace(/\.json$/, '')), { force: true })
    await rm(join(dir, name), { force: true })
  }
}

export async function ensureEditions(editions: Editions, at: number): Promise<void> {
  for (const kind of DUMP_KINDS) {
    try {
      await editions.ensure(kind, at)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
    }
  }
}
