import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql as duck } from 'kysely'
import type { Archive, ShareCommit } from '#lib/archive/archive.ts'
import { openEngine } from '#lib/archive/engine/duckdb-engine.ts'
import { openArchive } from '#lib/archive/lifecycle/open-archive.ts'
import { createReplica, type Replica } from '#lib/nodes/replica.ts'
import type { Database } from '#lib/store/connection.ts'
import { writeCommit } from '#lib/store/generations.ts'
import type { Lease } from '#lib/store/lease.ts'
import { START } from '#testing/archive/arbitrary.ts'
import { expireLease } from '#testing/store/open-store.ts'

export async function emptyStore(sql: Database): Promise<void> {
  await sql`truncate bellwether.rating, bellwether.quarantine, bellwether.history`
  await sql`
    update bellwether.state set generation = 0, mark = 'empty', revision = 0, complete_to = null,
      covered_to_id = null, covered_at = null, quarantine_dropped = 0`
  await expireLease(sql)
}

/** Read-only without a lease. */
export type Node = {
  archive: Archive
  replica: Replica
  path: string
  /** Seconds since 1970. */
  clock: { now: number }
  lease: Lease | null
  close(): Promise<void>
  closeAndRead(): Promise<Contents>
  reopen(): Promise<void>
  remove(): Promise<void>
}

let marks = 0

export type NodeOptions = { rebuildAbove?: number; share?: ShareCommit }

/** Null: an archive without a store. */
export async function openNode(sql: Database | null, options: NodeOptions = {}): Promise<Node> {
  const dir = await mkdtemp(join(tmpdir(), 'bellwether-node-'))
  const path = join(dir, 'archive.duckdb')
  const clock = { now: START }
  const share: ShareCommit = async (commit) => {
    if (!(sql && node.lease)) throw new Error('this node does not lead')
    marks += 1
    return await writeCommit(sql, node.lease, { commit, mark: `mark ${marks}` })
  }
  const open = async () =>
    await openArchive({
      path,
      now: () => clock.now,
      threads: 1,
      ...(sql ? { share } : {}),
      ...options,
    })
  const archive = await open()
  let isOpen = true
  const follow = (one: Archive) =>
    createReplica({ sql: sql as Database, archive: one, folder: join(dir, 'replica') })
  const node: Node = {
    archive,
    replica: follow(archive),
    path,
    clock,
    lease: null,
    async close() {
      if (isOpen) await node.archive.close()
      isOpen = false
    },
    async closeAndRead() {
      await node.close()
      return await readContents(path)
    },
    async reopen() {
      await node.close()
      node.archive = await open()
      isOpen = true
      node.replica = follow(node.archive)
    },
    async remove() {
      await node.close()
      await rm(dir, { recursive: true, force: true })
    },
  }
  return node
}

export type Contents = {
  rating: unknown[]
  symbol: unknown[]
  quarantine: unknown[]
  journal: unknown
}

export async function readContents(path: string): Promise<Contents> {
  const engine = await openEngine({ path, memoryLimit: '256MB', threads: 1, isReadOnly: true })
  try {
    return await engine.read(async (db) => ({
      rating: await db.selectFrom('rating').selectAll().orderBy('id').execute(),
      symbol: await db.selectFrom('symbol').selectAll().orderBy('symbol_key').execute(),
      quarantine: await db.selectFrom('quarantine').selectAll().orderBy(duck`rowid`).execute(),
      journal: await db
        .selectFrom('journal')
        .select([
          ...(['generation', 'complete_to', 'covered_to_id', 'covered_at'] as const),
          'quarantine_dropped',
        ])
        .executeTakeFirstOrThrow(),
    }))
  } finally {
    await engine.close()
  }
}

export async function changeByHand(path: string, statement: string): Promise<void> {
  const engine = await openEngine({ path, memoryLimit: '256MB', threads: 1 })
  try {
    await duck.raw(statement).execute(engine.writer.db)
  } finally {
    await engine.close()
  }
}

export async function importAlone(
  path: string,
  work: (archive: Archive) => Promise<unknown>,
): Promise<void> {
  const archive = await openArchive({ path, now: () => START, threads: 1 })
  try {
    await work(archive)
  } finally {
    await archive.close()
  }
}
