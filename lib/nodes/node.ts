import type { Alarm, Nodes } from '#lib/contract/answers/status.ts'
import { AppError } from '#lib/contract/faults.ts'
import { type Database, toStoreError } from '#lib/store/connection.ts'
import { type Lease, releaseLease, renewLease, takeLease } from '#lib/store/lease.ts'
import { listen, notify } from '#lib/store/notices.ts'
import {
  claimService,
  type ListedNode,
  listNodes,
  type Pulse,
  readPulse,
  removeNode,
  reportNode,
  wishForSync,
} from '#lib/store/pulse.ts'
import { migrateStore } from '#lib/store/schema.ts'
import type { EventLog, Log, Sync } from '#lib/sync/sync.ts'
import { type ClusterSync, createClusterSync } from './cluster-sync.ts'
import { PAUSE_DOCUMENT } from './leader-records.ts'
import { type PublishedStatus, parsePublished, STATUS_DOCUMENT } from './published-status.ts'
import { createReach, type Reach } from './reach.ts'
import { createTerms, type Terms } from './terms.ts'

type ReplicaVersion = { generation: number; mark: string; revision: number }

type ReplicaSync = {
  held: () => ReplicaVersion | null
  /** Throws AppError if the data folder must not be overwritten. */
  check: (revision: number) => void
  /** Throws AppError. */
  catchUp: (signal: AbortSignal) => Promise<unknown>
  verify: (signal: AbortSignal) => Promise<unknown>
  followEditions: (signal: AbortSignal) => Promise<unknown>
  loadDocument: (name: string) => Promise<string | null>
  readEvents: () => Promise<void>
  readPause: () => Promise<void>
  refreshLedger: () => Promise<void>
}

export type Leading = {
  sync: Sync
  publish: () => Promise<void>
  stop: () => Promise<void>
}

type NodeDeps = {
  sql: Database
  name: string
  version: string
  address: string
  service: string
  following: ReplicaSync
  lead: (lease: Lease) => Promise<Leading>
  eventLog: EventLog
  log: Log
  /** Unix seconds. */
  now: () => number
  /** Monotonic milliseconds. */
  nowMs: () => number
  every: (seconds: number, run: () => void) => () => void
}

export type Node = {
  sync: ClusterSync
  lease: Terms['lease']
  published: () => PublishedStatus | null
  report: () => Nodes
}

const POLL_SECONDS = 2
const REPORT_SECONDS = 5
const VERIFY_SECONDS = 3600
const PUBLISH_SECONDS = 1
/** A leader's own commit reaches its archive within this time. */
const OWN_COMMIT_MS = 10_000

/** Never throws into request handlers. */
export function createNode(deps: NodeDeps): Node {
  const connection = createReach(deps)
  const state: State = {
    felt: null,
    followed: null,
    published: null,
    nodes: [],
    problem: null,
    leading: null,
    wishes: 0,
    apart: null,
  }
  const stopping = new AbortController()
  const shared = { ...deps, state, connection, signal: stopping.signal }
  const startedAt = deps.now()

  const publishing = createPublishing(shared)
  const terms: Terms = createTerms({
    ...deps,
    take: async () => await connection.use(takeLease(deps.sql, deps.name)),
    renew: async (lease) => await connection.use(renewLease(deps.sql, lease)),
    release: async (lease) => await connection.use(releaseLease(deps.sql, lease)),
    mayLead: () => state.problem === null && isCaughtUp(state.felt, deps.following.held()),
    onBegin: async (lease) => {
      const leading = await deps.lead(lease)
      state.leading = leading
      leading.sync.onChange(publishing.soon)
      leading.sync.onChange(() => sync.tell())
      deps.eventLog.append({
        level: 'info',
        kind: 'process',
        message: `${deps.name} syncs now.`,
        fields: {},
      })
      void connection.use(notify(deps.sql, 'node')).catch(() => undefined)
      leading.sync.start()
      publishing.soon()
    },
    onEnd: async (why) => {
      const { leading } = state
      state.leading = null
      if (why === 'lost') deps.log('the lease was lost')
      await leading?.stop()
      sync.tell()
    },
  })
  const turn = createTurns(shared, { terms, tell: () => sync.tell(), startedAt })
  const sync = createClusterSync({
    ...deps,
    led: () => state.leading?.sync ?? null,
    published: () => state.published,
    isAway: () => connection.awaySince() !== null,
    ownAlarms: () => toAlarms(state, connection),
    wish: () => void connection.use(wishForSync(deps.sql)).catch(() => undefined),
    start: turn.start,
    async stop() {
      stopping.abort()
      await turn.stop()
      await terms.stop()
      publishing.stop()
      await connection.use(removeNode(deps.sql, deps.name)).catch(() => undefined)
    },
  })
  return {
    sync,
    lease: terms.lease,
    published: () => state.published,
    report: () => toNodes(deps, state, connection),
  }
}

type State = {
  felt: Pulse | null
  followed: Pulse | null
  published: PublishedStatus | null
  nodes: readonly ListedNode[]
  /** Null unless the database is reachable but unusable. */
  problem: { since: number; message: string } | null
  leading: Leading | null
  wishes: number
  /** Set while a leader's archive differs from the database; `sinceMs` is monotonic. */
  apart: { marks: string; sinceMs: number } | null
}

const isCaughtUp = (pulse: Pulse | null, held: ReplicaVersion | null): boolean =>
  pulse !== null && !isBehind(pulse, held)

const isBehind = (pulse: ReplicaVersion, held: ReplicaVersion | null): boolean =>
  held === null
    ? pulse.revision > 0
    : held.generation !== pulse.generation ||
      held.mark !== pulse.mark ||
      held.revision !== pulse.revision

type NodeContext = NodeDeps & { state: State; connection: Reach; signal: AbortSignal }

/** At most once per second. */
function createPublishing({ state, connection, every }: NodeContext) {
  let isDue = false
  let isBusy = false
  const callOff = every(PUBLISH_SECONDS, () => {
    const { leading } = state
    if (!isDue || isBusy || !leading) return
    isDue = false
    isBusy = true
    void connection
      .use(leading.publish())
      .catch(() => {
        isDue = true
      })
      .finally(() => {
        isBusy = false
      })
  })
  return {
    soon: () => {
      isDue = true
    },
    stop: callOff,
  }
}

type Turning = { terms: Terms; tell: () => void; startedAt: number }

/** Polls every two seconds and on notices. Polls never overlap. */
function createTurns(context: NodeContext, turning: Turning) {
  const { sql, every, log, signal } = context
  let isBusy = false
  let isWanted = false
  let isPrepared = false
  let running: Promise<void> = Promise.resolve()
  let endListening: (() => Promise<void>) | null = null

  const prepare = async () => {
    await migrateStore(sql)
    const service = await claimService(sql, context.service)
    if (service !== context.service) {
      throw new AppError(
        'not_ready',
        `The shared database holds the ratings of ${service}, not of ${context.service}.`,
      )
    }
    isPrepared = true
    endListening ??= await listen(sql, want, want)
  }
  const turn = async () => {
    if (!isPrepared) await context.connection.whileItLives(prepare())
    await follow(context, turning)
  }
  const run = async () => {
    do {
      isWanted = false
      try {
        await turn()
        context.state.problem = null
      } catch (error) {
        if (signal.aborted) return
        noteProblem(context, error)
        turning.tell()
        return
      }
    } while (isWanted && !signal.aborted)
  }
  const want = () => {
    isWanted = true
    if (isBusy || signal.aborted) return
    isBusy = true
    running = run()
      .catch(() => log('the node could not try for the lease'))
      .finally(() => {
        isBusy = false
      })
  }
  let callOffs: (() => void)[] = []
  return {
    start() {
      if (callOffs.length > 0) return
      const verify = () => void context.following.verify(signal).catch(() => undefined)
      callOffs = [
        every(POLL_SECONDS, want),
        every(REPORT_SECONDS, () => void reportSelf(context, turning).catch(() => undefined)),
        every(VERIFY_SECONDS, verify),
      ]
      want()
    },
    async stop() {
      for (const callOff of callOffs) callOff()
      await running
      await endListening?.().catch(() => undefined)
    },
  }
}

function noteProblem({ state, log, now, connection }: NodeContext, error: unknown): void {
  const { message, cause } = toStoreError(error)
  if (connection.awaySince() !== null && state.felt !== null) return
  if (state.problem?.message === message) return
  state.problem = { since: now(), message }
  log('the shared database cannot be used', {
    problem: message,
    detail: cause instanceof Error ? cause.message : null,
  })
}

async function follow(context: NodeContext, { terms, tell }: Turning): Promise<void> {
  const { sql, state, following, connection, signal } = context
  const before = state.followed
  const pulse = await connection.use(readPulse(sql))
  state.felt = pulse
  if (pulse.events !== before?.events) await connection.use(following.readEvents())
  const isOther = (name: string) => pulse.documents[name] !== before?.documents[name]
  if (!state.leading && isOther(PAUSE_DOCUMENT)) await connection.use(following.readPause())
  if (!state.leading && isOther(STATUS_DOCUMENT)) {
    const text = await connection.use(following.loadDocument(STATUS_DOCUMENT))
    state.published = text === null ? null : parsePublished(text)
  }
  const isWished = pulse.wishes > state.wishes
  // Requests made without a leader go to the next one.
  if (state.leading || pulse.holder !== null) state.wishes = pulse.wishes
  if (state.leading && isWished) state.leading.sync.requestRun()
  following.check(pulse.revision)
  if (isApart(context, terms, pulse)) await terms.giveUp()
  if (!terms.lease() && isBehind(pulse, following.held())) await following.catchUp(signal)
  if (!terms.lease() && pulse.editions !== before?.editions) await following.followEditions(signal)
  state.followed = pulse
  if (JSON.stringify(before) !== JSON.stringify({ ...pulse, now: before?.now })) tell()
  if (pulse.holder === null) terms.look()
}

/** Leaders do not follow, so a difference must end the term. */
function isApart(
  { state, following, nowMs, log }: NodeContext,
  terms: Terms,
  pulse: Pulse,
): boolean {
  const held = following.held()
  const marks = `${held?.mark} ${pulse.mark}`
  if (!terms.lease() || !isBehind(pulse, held)) state.apart = null
  else if (state.apart?.marks !== marks) state.apart = { marks, sinceMs: nowMs() }
  if (state.apart === null || nowMs() - state.apart.sinceMs < OWN_COMMIT_MS) return false
  state.apart = null
  log('this node is behind the shared database and returns the lease')
  return true
}

async function reportSelf(context: NodeContext, { startedAt }: Turning): Promise<void> {
  const { sql, name, version, state, following, connection } = context
  if (state.felt === null) return
  const held = following.held() ?? { generation: 0, revision: 0 }
  const { generation, revision } = held
  const note = state.problem?.message ?? null
  await connection.use(reportNode(sql, { name, version, startedAt, generation, revision, note }))
  await connection.use(following.refreshLedger())
  state.nodes = await connection.use(listNodes(sql))
}

function toAlarms(state: State, connection: Reach): Alarm[] {
  const away = connection.awaySince()
  if (away !== null) {
    const message =
      'The shared database cannot be reached. This node serves its own copy and fetches nothing new.'
    return [{ kind: 'store', since: Math.floor(away), message }]
  }
  if (!state.problem) return []
  return [{ kind: 'store', since: Math.floor(state.problem.since), message: state.problem.message }]
}

function toNodes({ name, address }: NodeDeps, state: State, connection: Reach): Nodes {
  const newest = state.felt?.generation ?? 0
  const away = connection.awaySince()
  return {
    me: name,
    store: address,
    away_since: away === null ? null : Math.floor(away),
    list: state.nodes.map(({ startedAt, seenAt, revision: _revision, ...node }) => ({
      ...node,
      started_at: startedAt,
      seen_at: seenAt,
      leads: node.name === state.felt?.holder,
      behind: Math.max(0, newest - node.generation),
    })),
  }
}
