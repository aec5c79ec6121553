import 'server-only'
import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleepMs } from 'node:timers/promises'
import { AUDIT_FILE } from '#lib/access/audit.ts'
import { type Api, createApi } from '#lib/api/create-api.ts'
import type { ApiDeps } from '#lib/api/endpoint.ts'
import { createEventHub } from '#lib/api/event-hub.ts'
import { type StatusDeps, toOutline, toStatus } from '#lib/api/status.ts'
import type { Archive } from '#lib/archive/archive.ts'
import { createDatabaseFiles, type DatabaseFiles } from '#lib/archive/database/database-files.ts'
import { openArchive } from '#lib/archive/lifecycle/open-archive.ts'
import type { Closing } from '#lib/async/closing.ts'
import { every } from '#lib/async/poller.ts'
import type { Status } from '#lib/contract/answers/status.ts'
import { AppError } from '#lib/contract/faults.ts'
import type { SharedParts } from '#lib/nodes/open-node.ts'
import { createKeptFile } from '#lib/sync/disk.ts'
import { type EditionsOptions, openEditions } from '#lib/sync/editions/edition-store.ts'
import { keepLookups } from '#lib/sync/lookups/keep-lookups.ts'
import { openDiscovery } from '#lib/sync/reading/discovery.ts'
import { createSync, type SyncDeps } from '#lib/sync/running/create-sync.ts'
import { openEventLog } from '#lib/sync/running/event-log.ts'
import { openRunLog } from '#lib/sync/running/run-log.ts'
import type { Editions, EventLog, Sync } from '#lib/sync/sync.ts'
import { toSyncArchive } from '#lib/sync/sync-archive.ts'
import { createCircuitBreaker, openCircuitBreaker } from '#lib/upstream/circuit-breaker.ts'
import { createUpstream, type RequestReport } from '#lib/upstream/client.ts'
import { createHttpTransport } from '#lib/upstream/http-transport.ts'
import { openLedger } from '#lib/upstream/ledger.ts'
import type { Transport } from '#lib/upstream/upstream.ts'
import packageFile from '../../../package.json'
import { claimFolder, closeFolder, DATA_FILES } from '../environment/data-folder.ts'
import type { Env } from '../environment/env.ts'
import { type Log, toLogFields } from '../environment/log.ts'
import { keepBackups } from '../operate/keep-backups.ts'
import { followKeyFile } from '../operate/key-rotation.ts'
import type { ProcessMetrics } from '../operate/metrics.ts'
import { openAlerts } from './alerts.ts'
import { type EmbeddedService, openEmbeddedService } from './embedded-service.ts'
import { openMarketData } from './market-data.ts'

export type Runtime = {
  env: Env
  log: Log
  api: Api
  editions: Editions
  database: DatabaseFiles
  stamp(): string
  generation(): number
  hasPrices(): boolean
  service: EmbeddedService | null
  stop(): Promise<void>
  close(): Promise<void>
}

type RuntimeDeps = {
  env: Env
  log: Log
  metrics: ProcessMetrics
  /** Closed in reverse order. */
  closing: Closing
  rest: () => Promise<unknown>
  hide: (secret: string) => void
  onBroken: (cause: unknown) => void
}

const now = () => Math.floor(Date.now() / 1000)
const nowMs = () => performance.now()

/** Throws AppError and file system errors. */
export async function createRuntime(wiring: RuntimeDeps): Promise<Runtime> {
  const { env, log, closing, rest } = wiring
  mkdirSync(env.dataDir, { recursive: true, mode: 0o700 })
  closeFolder(env.dataDir)
  claimFolder(env)
  const nodes = await openNodes(wiring)
  const path = join(env.dataDir, DATA_FILES.archive)
  const { benchmark } = env
  const archive = closing.add(await openArchive({ path, now, share: nodes?.share, benchmark }))
  archive.onBroken(wiring.onBroken)
  const service = env.baseUrl
    ? null
    : closing.add(await openEmbeddedService(env, { now, log, rest }))
  const { upstream, breaker } = await openUpstream(wiring, service, nodes)
  const editions = closing.add(await openDumps(env, { upstream, log, nodes }))
  const eventLog = nodes
    ? nodes.eventLog
    : await openEventLog({ file: join(env.dataDir, DATA_FILES.events), now, log })
  closing.add(eventLog)
  const backups = await keepBackups({
    env,
    now,
    every,
    eventLog,
    log,
    freeze: { archive: archive.freeze, service: service?.freeze ?? (async (work) => await work()) },
    isFilled: () => archive.state().ratings > 0,
  })
  const market = openMarketData({ ...wiring, archive, service, every, now })
  const { prices, names, postsImport, emptyImports } = market
  const lookups = closing.add(
    keepLookups({ lookups: archive.lookups, editions, eventLog, now, every, log }),
  )
  const parts = { archive, upstream, editions, backups, prices, names, postsImport, lookups, now }
  const syncing = {
    ...parts,
    sleep,
    expectsNew: expectsNew(env),
    backupFailure: backups.failing,
    emptyImports,
    rebuiltAt: archive.opened.damagedFile?.at ?? null,
  }
  const node = nodes?.join({ ...syncing, breaker }) ?? null
  const sync = node?.sync ?? (await openSync(wiring, { ...syncing, eventLog }))
  sync.onChange(() => void (archive.state().ratings > 0 && market.begin()))
  const alerts = openAlerts({ ...wiring, archive, sync, nodes, eventLog, every, now, nowMs })
  const database = createDatabaseFiles({ reader: archive.reader, names, now })
  const shared = { ...parts, database, alerts, nodes: node?.report }
  const events = createEvents({ ...shared, sync })
  const onError: ApiDeps['onError'] = (error, { path, requestId: id }) =>
    log.error('a request failed', { id, path, ...toLogFields(error) })
  const auditFile = join(env.dataDir, DATA_FILES.access, AUDIT_FILE)
  const answering = { setTimer, onError, metrics: wiring.metrics, events, auditFile }
  const api = createApi({ ...shared, ...answering, sync })
  const note = (message: string) =>
    eventLog.append({ level: 'info', kind: 'process', message, fields: {} })
  const endPolling = followKeyFile({ ...wiring, upstream, sync, eventLog, every })
  const stop = async () => {
    endPolling()
    // Event streams never end by themselves.
    events.inspectors.close()
    events.readers.close()
    await Promise.all([sync.stop(), editions.close(), service?.stop(), backups.stop()])
    note(env.database ? `${env.nodeName} stopped.` : 'Stopped.')
  }
  note(env.database ? `${env.nodeName} started.` : 'Started.')
  if (!node) noteLoss({ archive, editions, eventLog, log })
  sync.start()
  const stamp = createStamp({ archive, names, sync, now, nowMs })
  const generation = () => archive.state().generation
  const reads = { stamp, generation, hasPrices: () => archive.prices.state().prices > 0 }
  return { env, log, api, editions, database, ...reads, service, stop, close: closing.close }
}

type DumpParts = Pick<EditionsOptions, 'upstream' | 'log'> & {
  nodes: SharedParts | null
}

const openDumps = async ({ dataDir }: Env, { upstream, log, nodes }: DumpParts) =>
  await openEditions({
    dir: join(dataDir, DATA_FILES.editions),
    upstream,
    now,
    log,
    following: nodes?.followingEditions,
  })

type Losable = {
  archive: { opened: { damagedFile: unknown }; state(): { ratings: number } }
  editions: { imported(): unknown }
  eventLog: Pick<EventLog, 'append'>
  log: Log
}

/** An archive that was filled once and is empty now was emptied manually: it is refilled. */
export function noteLoss({ archive, editions, eventLog, log }: Losable): void {
  if (archive.opened.damagedFile !== null || editions.imported() === null) return
  if (archive.state().ratings > 0) return
  const message =
    'The archive is empty although a dump was imported before. It is being filled again. Ratings that the service no longer lists are lost unless a backup has them.'
  eventLog.append({ level: 'error', kind: 'archive', message, fields: {} })
  log.error(message)
}

/** Bounds changes of the stamp: sync state changes many times a second. */
const STATE_AGE_MS = 1000
const MINUTE_SECONDS = 60

type StampDeps = {
  archive: { state(): { version: string } }
  names: { version(): number }
  sync: Pick<Sync, 'onChange' | 'onEvent'>
  /** Seconds since 1970. */
  now: () => number
  nowMs: () => number
}

export function createStamp({ archive, names, sync, now, nowMs }: StampDeps): () => string {
  let changes = 0
  let countedAtMs = Number.NEGATIVE_INFINITY
  let hasChanged = false
  const note = () => {
    hasChanged = true
  }
  sync.onChange(note)
  sync.onEvent(note)
  return () => {
    if (hasChanged && nowMs() - countedAtMs >= STATE_AGE_MS) {
      hasChanged = false
      countedAtMs = nowMs()
      changes += 1
    }
    const minute = Math.floor(now() / MINUTE_SECONDS)
    return [archive.state().version, names.version(), changes, minute].join('.')
  }
}

async function openNodes({ env, log, closing }: RuntimeDeps): Promise<SharedParts | null> {
  const { database: address, nodeName: name, dataDir, baseUrl } = env
  if (address === null || baseUrl === null) return null
  const { openSharedParts } = await import('#lib/nodes/open-node.ts')
  const { random } = Math
  const service = `${baseUrl.origin}${baseUrl.pathname}`
  const folders = {
    editions: join(dataDir, DATA_FILES.editions),
    arriving: join(dataDir, `${DATA_FILES.archive}.arriving`),
  }
  return closing.add(
    await openSharedParts({
      address,
      name,
      service,
      folders,
      now,
      nowMs,
      random,
      every,
      log,
      sentFile: join(dataDir, DATA_FILES.sent),
      version: packageFile.version,
      makeMark: () => randomBytes(12).toString('hex'),
    }),
  )
}

async function openSync(
  { env, log, closing }: RuntimeDeps,
  deps: Omit<SyncDeps, 'archive' | 'log' | 'every' | 'random' | 'discovery' | 'runLog'> & {
    archive: Archive
  },
): Promise<Sync> {
  return createSync({
    ...deps,
    log,
    every,
    random: Math.random,
    archive: toSyncArchive(deps.archive),
    runLog: closing.add(await openRunLog({ file: join(env.dataDir, DATA_FILES.runs), now, log })),
    discovery: await openDiscovery(createKeptFile(join(env.dataDir, DATA_FILES.discovery))),
  })
}

async function openUpstream(
  wiring: RuntimeDeps,
  service: EmbeddedService | null,
  nodes: SharedParts | null,
) {
  const { env, closing } = wiring
  const ledger =
    nodes?.ledger ?? (await openLedger({ file: join(env.dataDir, DATA_FILES.ledger), now, nowMs }))
  closing.add(ledger)
  const access = toAccess(env, service, closing.add(createHttpTransport({ proxies: env.proxies })))
  wiring.hide(access.key)
  const file = join(env.dataDir, DATA_FILES.pause)
  const breaker = closing.add(
    nodes
      ? createCircuitBreaker({ ...access, now, nowMs })
      : await openCircuitBreaker({ ...access, file, now, nowMs }),
  )
  const upstream = createUpstream({
    ...access,
    keyIn: env.keyIn,
    ledger,
    breaker,
    limits: { perMinute: env.perMinute, perMonth: env.perMonth },
    now,
    nowMs,
    sleep,
    random: Math.random,
    log: (message, report) => noteAttempt(wiring, message, report),
  })
  return { upstream, breaker }
}

const expectsNew = ({ baseUrl, postsCsv, demoTailSeconds }: Env) =>
  baseUrl !== null || (postsCsv === null && demoTailSeconds > 0)

function createEvents(deps: StatusDeps): ApiDeps['events'] {
  const create = (tellsEntries: boolean, readStatus: () => Promise<Status>) =>
    createEventHub({
      ...deps,
      readStatus,
      tellsEntries,
      setTimer,
      boot: randomBytes(6).toString('hex'),
    })
  return {
    inspectors: create(true, () => toStatus(deps)),
    readers: create(false, async () => toOutline(await toStatus(deps))),
  }
}

/** Successes are debug only: the ledger and /api/status have them. */
function noteAttempt({ log, metrics }: RuntimeDeps, message: string, report: RequestReport): void {
  const outcome = report.outcome === 'ok' || isNoPageZero(report) ? 'ok' : 'failed'
  const { endpoint, elapsedMs } = report
  metrics.observeAttempt({ endpoint, outcome, seconds: elapsedMs / 1000 })
  if (outcome === 'ok') log.debug(message, { ...report })
  else log.warn(message, { ...report })
}

const isNoPageZero = ({ page, status }: RequestReport) =>
  page === 0 && (status === 400 || status === 404 || status === 422)

const setTimer = (run: () => void, delayMs: number) => {
  const timer = setTimeout(run, delayMs)
  timer.unref()
  return () => clearTimeout(timer)
}

const sleep = async (ms: number, signal: AbortSignal): Promise<void> => {
  await sleepMs(ms, undefined, { signal, ref: false })
}

function toAccess(env: Env, service: EmbeddedService | null, transport: Transport) {
  if (service) {
    const baseUrl = new URL('http://embedded/service')
    const invented = env.postsCsv === null
    return {
      kind: 'embedded' as const,
      invented,
      baseUrl,
      key: service.key,
      transport: service.handle,
    }
  }
  const { baseUrl, apiKey } = env
  if (!baseUrl || !apiKey) throw new AppError('not_ready', 'No service is configured.')
  return { kind: 'remote' as const, baseUrl, key: apiKey, transport }
}
