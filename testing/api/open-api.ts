import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleepMs } from 'node:timers/promises'
import { AUDIT_FILE } from '#lib/access/audit.ts'
import { createApi } from '#lib/api/create-api.ts'
import type { ApiDeps, Backups } from '#lib/api/endpoint.ts'
import { createEventHub } from '#lib/api/event-hub.ts'
import { toStatus } from '#lib/api/status.ts'
import { createDatabaseFiles } from '#lib/archive/database/database-files.ts'
import { openArchive } from '#lib/archive/lifecycle/open-archive.ts'
import { NO_REJECTS, toRejectedLines } from '#lib/csv/rejects.ts'
import { type RequestContext, runInContext } from '#lib/server/gate/request-context.ts'
import { createKeys } from '#lib/service/keys.ts'
import { createService } from '#lib/service/service.ts'
import { openEditions } from '#lib/sync/editions/edition-store.ts'
import { keepLookups } from '#lib/sync/lookups/keep-lookups.ts'
import { createSync } from '#lib/sync/running/create-sync.ts'
import { toSyncArchive } from '#lib/sync/sync-archive.ts'
import { createUpstream } from '#lib/upstream/client.ts'
import { openLedger } from '#lib/upstream/ledger.ts'
import type { Transport } from '#lib/upstream/upstream.ts'
import { createTestContext } from '#testing/server/request-context.ts'
import { askRoute, placeApi } from './ask-routes.ts'
import { createTimers } from './timers.ts'

export type TestApi = Awaited<ReturnType<typeof openTestApi>>

/** 2026-11-18T12:00:00Z, a Wednesday. */
const NOW = 1_795_003_200

export async function openTestApi({
  ratings = 600,
  onDisk = false,
  names = NO_NAMES,
  postsImport = () => null,
  prices = NO_PRICES,
  alerts = NO_ALERTS,
}: Partial<Pick<ApiDeps, 'names' | 'prices' | 'alerts' | 'postsImport'>> & {
  ratings?: number
  onDisk?: boolean
} = {}) {
  const dir = mkdtempSync(join(tmpdir(), 'bellwether-api-'))
  const clock = { now: NOW }
  const now = () => clock.now
  const [errors, seen]: [unknown[], string[]] = [[], []]
  const outage = { on: false }
  const key = await createKeys({ dir, now, sleep: sleepMs }).ensure('dashboard')
  const source = { kind: 'demo' as const, ratings, seed: 7, tailSeconds: 0 }
  const timers = createTimers()
  const setTimer = () => () => {}
  const service = await createService({ dir, source, now, setTimer, sleep: sleepMs })
  const transport: Transport = async (request) => {
    seen.push(new URL(request.url).pathname)
    if (outage.on) return new Response('down', { status: 503 })
    return await service.handle(request)
  }
  const upstream = createUpstream({
    kind: 'embedded',
    baseUrl: new URL('http://embedded/service'),
    key,
    keyIn: 'query',
    transport,
    ledger: await openLedger({ file: join(dir, 'requests.log'), now }),
    limits: { perMinute: 60, perMonth: null },
    now,
    nowMs: () => performance.now(),
    sleep: async () => {},
    random: () => 0,
  })
  const archive = await openArchive({ path: toPath(onDisk, dir), now, threads: 1 })
  const editions = await openEditions({ dir: join(dir, 'editions'), upstream, now })
  let settle = () => {}
  const idle = new Promise<void>((resolve) => {
    settle = resolve
  })
  const sleep = async (_ms: number, signal: AbortSignal) => {
    settle()
    await sleepMs(2 ** 30, undefined, { signal, ref: false })
  }
  const syncArchive = toSyncArchive(archive)
  const sync = createSync({ archive: syncArchive, upstream, editions, now, sleep, log: () => {} })
  const lookups = keepLookups({ lookups: archive.lookups, editions, now, every, log: () => {} })
  const read = { lookups, names, prices, alerts, postsImport }
  const own = { ...createBeside(dir), ...read, setTimer: timers.setTimer }
  const database = createDatabaseFiles({ reader: archive.reader, names, now })
  const shared = { archive, database, editions, sync, upstream, now, ...own }
  const readStatus = () => toStatus(shared)
  const events = createEventHub({ ...shared, readStatus, tellsEntries: true, boot: 'test' })
  const api = createApi({
    ...shared,
    events: { inspectors: events, readers: events },
    onError: (error) => errors.push(error),
    metrics: { contentType: 'text/plain', render: async () => '' },
  })
  const close = async () => {
    events.close()
    await sync.stop()
    for (const part of [lookups, editions, service, archive]) await part.close()
    rmSync(dir, { recursive: true, force: true })
  }
  const fill = async () => {
    sync.start()
    await idle
    await lookups.poll()
  }
  placeApi(api)
  const opened = { archive, database, editions, sync, service, clock, key, seen, outage }
  return { ...opened, auditFile: own.auditFile, api, ask, timers, errors, fill, close }
}

/** As behind the front, by default for a caller with every permission. */
const ask = (
  path: string,
  init: RequestInit = {},
  context: Partial<RequestContext> = {},
): Promise<Response> => {
  const request = new Request(`http://test${path}`, init)
  return runInContext(createTestContext({ url: path, ...context }), () => askRoute(request))
}

const toPath = (onDisk: boolean, dir: string) => (onDisk ? join(dir, 'archive.duckdb') : ':memory:')

const every = () => () => {}

const createBeside = (dir: string) => ({
  backups: createBackups(join(dir, 'backups')),
  auditFile: join(dir, AUDIT_FILE),
})

const NO_PRICES: ApiDeps['prices'] = {
  report: () => ({
    is_configured: false,
    prices: 0,
    symbols: 0,
    first_day: null,
    last_day: null,
    benchmark: null,
    read_at: null,
    problem: null,
    files: [],
    doubled: 0,
    spikes: [],
    jumps: [],
    invented: false,
    ...toRejectedLines(NO_REJECTS),
    unrated: { symbols: 0, examples: [] },
  }),
  rejects: () => NO_REJECTS,
  drop: async () => {},
  remove: async () => {},
}

const NO_NAMES: ApiDeps['names'] = {
  version: () => 0,
  of: () => null,
  sectorOf: () => null,
  find: () => [],
  report: () => ({
    is_configured: false,
    file: null,
    names: 0,
    read_at: null,
    problem: null,
    ...toRejectedLines(NO_REJECTS),
  }),
  rejects: () => NO_REJECTS,
}

const NO_ALERTS: ApiDeps['alerts'] = {
  report: async () => ({
    is_judging: true,
    problems: [],
    rules: [],
    webhooks: [],
    outbox: [],
    outbox_total: 0,
    given_up: [],
    given_up_total: 0,
    sent: 0,
    problem: null,
  }),
  add: async () => {},
  remove: async () => {},
  tryOut: async () => ({
    delivered: true,
    status: 200,
    reason: null,
    format: 'standard',
    body: '{}',
  }),
  sendAgain: async () => {},
}

function createBackups(folder: string): Backups {
  let isRunning = false
  return {
    report: () => ({
      folder,
      every_hours: null,
      keep: 7,
      next_at: null,
      is_running: isRunning,
      kept: [],
      failure: null,
      failures: 0,
    }),
    request: () => {
      isRunning = true
    },
  }
}
