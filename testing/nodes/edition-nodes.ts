import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { editionName } from '#lib/contract/weekly-clock.ts'
import { createEditionCopies } from '#lib/nodes/edition-copies.ts'
import type { Database } from '#lib/store/connection.ts'
import { type Disk, nodeDisk, writeAtomically } from '#lib/sync/disk.ts'
import { type DescribedEdition, toSidecar } from '#lib/sync/editions/edition-sidecar.ts'
import { openEditions } from '#lib/sync/editions/edition-store.ts'
import {
  createScriptedService,
  DAY,
  makeFolder,
  WEDNESDAY,
} from '#testing/sync/scripted-service.ts'

export async function openTestNode(sql: Database, change: { dir?: string; disk?: Disk } = {}) {
  const dir = change.dir ?? (await makeFolder())
  const disk = change.disk ?? nodeDisk
  const logged: string[] = []
  const log = (message: string) => void logged.push(message)
  const service = createScriptedService({ ratings: [] })
  const editions = await openEditions({
    dir,
    disk,
    log,
    upstream: service,
    now: () => WEDNESDAY,
    keep: 100,
    following: { isFollowing: () => true, onWanted: () => {} },
  })
  onTestFinished(() => editions.close())
  const copies = createEditionCopies({ sql, editions, dir, disk, log })
  return { dir, editions, copies, logged }
}

export const toSha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** `week` 0 is the first. */
export async function putEdition(
  dir: string,
  about: { kind?: 'posts' | 'lookups'; week: number; bytes: Buffer; reason?: string | null },
): Promise<{ path: string; sha256: string }> {
  const { kind = 'posts', week, bytes, reason = null } = about
  const fetched_at = WEDNESDAY - (100 - week) * 7 * DAY
  const described: DescribedEdition = {
    kind,
    edition: editionName(fetched_at),
    rows: 1,
    bytes: bytes.length,
    fetched_at,
    reason,
    columns: [],
    firstRows: [],
    validators: { etag: null, lastModified: null },
    unchanged: false,
    newestCreatedAt: null,
    ids: null,
    confirms: false,
    sha256: toSha256(bytes),
  }
  const folder = reason === null ? dir : join(dir, 'aside')
  const path = join(folder, `${kind}-${described.edition}.csv`)
  await nodeDisk.makeFolder(folder)
  const file = await nodeDisk.create(path)
  await file.write(bytes)
  await file.close()
  await writeAtomically(path.replace('.csv', '.json'), toSidecar(described))
  return { path, sha256: described.sha256 }
}

export async function readFolder(dir: string): Promise<Record<string, string>> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const texts = await Promise.all(
    files.map(async ({ parentPath, name }) => {
      const path = join(parentPath, name)
      return [path.slice(dir.length + 1), toSha256(await readFile(path))] as const
    }),
  )
  return Object.fromEntries(texts.sort(([a], [b]) => a.localeCompare(b)))
}
