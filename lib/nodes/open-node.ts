import type { Archive, ShareCommit } from '#lib/archive/archive.ts'
import { AppError } from '#lib/contract/faults.ts'
import { type DatabaseAddress, toPlainAddress } from '#lib/store/address.ts'
import { connect, type Database } from '#lib/store/connection.ts'
import {
  createDocuments,
  createSharedDocuments,
  type Documents,
  type SharedDocuments,
} from '#lib/store/documents.ts'
import { createSharedEventLog, type SharedEventLog } from '#lib/store/events.ts'
import { writeCommit } from '#lib/store/generations.ts'
import type { Lease } from '#lib/store/lease.ts'
import { createSharedLedger, type SharedLedger } from '#lib/store/request-ledger.ts'
import { openSentRequests } from '#lib/store/sent-requests.ts'
import type {
  FollowerDeps as FollowingEditions,
  OpenEditions,
} from '#lib/sync/editions/edition-store.ts'
import { createSync, type SyncDeps } from '#lib/sync/running/create-sync.ts'
import type { Log } from '#lib/sync/sync.ts'
import { toSyncArchive } from '#lib/sync/sync-archive.ts'
import type { CircuitBreaker } from '#lib/upstream/circuit-breaker.ts'
import { createEditionCopies } from './edition-copies.ts'
import { createFollowedPause, openLeaderRecords } from './leader-records.ts'
import { createNode, type Leading, type Node } from './node.ts'
import { STATUS_DOCUMENT, toPublished } from './published-status.ts'
import { createReplica } from './replica.ts'

export type NodeOptions = {
  address: DatabaseAddress
  name: string
  version: string
  /** Without the key. */
  service: string
  /** `arriving`: not shared with other nodes. */
  folders: { editions: string; arriving: string }
  sentFile: string
  /** Unix seconds. */
  now: () => number
  /** Monotonic milliseconds. */
  nowMs: () => number
  /** In [0, 1). */
  random: () => number
  makeMark: () => string
  every: (seconds: number, run: () => void) => () => void
  log: Log
}

export type SharedParts = {
  share: ShareCommit
  ledger: SharedLedger
  eventLog: SharedEventLog
  followingEditions: FollowingEditions
  documents: SharedDocuments
  isLeading: () => boolean
  join(parts: JoinedParts): Node
  /** Call last. */
  close(): Promise<void>
}

type JoinedParts = Pick<
  SyncDeps,
  | 'upstream'
  | 'sleep'
  | 'followSeconds'
  | 'expectsNew'
  | 'rebuiltAt'
  | 'backupFailure'
  | 'emptyImports'
> & {
  archive: Archive
  editions: OpenEditions
  breaker: CircuitBreaker
}

/** Retries if the database is away. */
export async function openSharedParts(options: NodeOptions): Promise<SharedParts> {
  const { address, name, makeMark, sentFile, log } = options
  const sent = await openSentRequests({
    file: sentFile,
    onProblem: () => log('sent requests cannot be recorded'),
  })
  const sql = connect({ address, applicationName: `bellwether ${name}` })
  const joined: { node: Node | null } = { node: null }
  const lease = () => joined.node?.lease() ?? null
  const parts: SharedParts = {
    async share(commit) {
      const held = lease()
      if (!held) throw new AppError('not_ready', 'This node is not the one that syncs.')
      return await writeCommit(sql, held, { commit, mark: makeMark() })
    },
    ledger: createSharedLedger({ ...options, sql, node: name, lease, sent }),
    eventLog: createSharedEventLog({ ...options, sql, node: name }),
    followingEditions: {
      isFollowing: () => lease() === null,
      onWanted: () => undefined,
      published: (kind) => joined.node?.published()?.cards[kind] ?? null,
    },
    documents: createSharedDocuments(createDocuments({ sql })),
    isLeading: () => lease() !== null,
    join(opened) {
      joined.node = openJoined(options, { ...opened, sql, ...parts })
      return joined.node
    },
    close: async () => await sql.end({ timeout: 2 }),
  }
  return parts
}

type Joining = JoinedParts & Pick<SharedParts, 'ledger' | 'eventLog'> & { sql: Database }

function openJoined(options: NodeOptions, joining: Joining): Node {
  const { sql, archive, editions, ledger, eventLog, breaker } = joining
  const { folders, log } = options
  const documents = createDocuments({ sql })
  const replica = createReplica({
    sql,
    archive,
    folder: folders.arriving,
    onDifference(ranges) {
      const message =
        'This node held different ratings than the shared database. It is being filled again.'
      eventLog.append({
        level: 'error',
        kind: 'archive',
        message,
        fields: { ranges: ranges.length },
      })
      log(message, { from: ranges[0]?.from ?? null, to: ranges.at(-1)?.to ?? null })
    },
  })
  const copies = createEditionCopies({ sql, editions, dir: folders.editions, log })
  return createNode({
    ...options,
    sql,
    eventLog,
    address: toPlainAddress(options.address),
    following: {
      held: archive.applied,
      check: (revision) => refuseOwn(archive, revision),
      catchUp: replica.catchUp,
      verify: replica.verify,
      followEditions: copies.follow,
      loadDocument: async (document) => (await documents.load(document))?.content ?? null,
      readEvents: eventLog.refresh,
      readPause: async () => await breaker.keepIn(createFollowedPause(documents)),
      refreshLedger: ledger.refresh,
    },
    lead: async (lease) => await lead(options, { ...joining, documents, copies }, lease),
  })
}

/** Protects local ratings from being overwritten. */
function refuseOwn(archive: Archive, revision: number): void {
  if (revision === 0 || archive.applied() !== null || archive.state().ratings === 0) return
  const message =
    'The data folder holds a different archive than the shared database. Give this node an empty DATA_DIR.'
  throw new AppError('not_ready', message)
}

type LeadingParts = Joining & {
  documents: Documents
  copies: ReturnType<typeof createEditionCopies>
}

const PUBLISH_EDITIONS_SECONDS = 5

async function lead(options: NodeOptions, parts: LeadingParts, lease: Lease): Promise<Leading> {
  const { now, random, every, log } = options
  const { documents, copies, editions, breaker, eventLog } = parts
  const ending = new AbortController()
  await copies.follow(ending.signal)
  const records = await openLeaderRecords({ documents, lease, now, log })
  await breaker.keepIn(records.pause)
  const sync = createSync({
    ...parts,
    now,
    random,
    every,
    log,
    eventLog,
    archive: toSyncArchive(parts.archive),
    editions: { ...editions, ...records.imported },
    discovery: records.discovery,
    runLog: records.runLog,
  })
  let isPublishing = false
  const callOff = every(PUBLISH_EDITIONS_SECONDS, () => {
    if (isPublishing) return
    isPublishing = true
    void copies
      .publish(lease, ending.signal)
      .catch((error: unknown) => {
        if (!ending.signal.aborted)
          log('the editions could not be shared', { detail: String(error) })
      })
      .finally(() => {
        isPublishing = false
      })
  })
  return {
    sync,
    publish: async () => {
      const published = JSON.stringify(toPublished(sync, editions))
      await documents.save(STATUS_DOCUMENT, published, { lease, notice: 'status' })
    },
    async stop() {
      callOff()
      ending.abort()
      await sync.stop()
      await editions.endFetches()
      await records.runLog.close()
      await breaker.keepIn(createFollowedPause(documents)).catch(() => undefined)
    },
  }
}
