import 'server-only'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleepMs } from 'node:timers/promises'
import { type Api, createApi } from '#lib/api/create-api.ts'
import { openArchive } from '#lib/archive/open-archive.ts'
import { AppError } from '#lib/contract/faults.ts'
import { createSync } from '#lib/sync/create-sync.ts'
import { openEditions } from '#lib/sync/editions.ts'
import type { Editions } from '#lib/sync/sync.ts'
import { createUpstream } from '#lib/upstream/create-upstream.ts'
import { createHttpTransport } from '#lib/upstream/http-transport.ts'
import { openLedger } from '#lib/upstream/ledger.ts'
import type { Transport } from '#lib/upstream/upstream.ts'
import { claimFolder } from './claim-folder.ts'
import { type Closing, createClosing } from './closing.ts'
import { type EmbeddedService, openEmbeddedService } from './embedded-service.ts'
import type { Env } from './env.ts'
import { keepOpening } from './keep-opening.ts'
import { createLog, type Log, toLogFields } from './log.ts'
import { once } from './once.ts'
import { toOpenProblem } from './open-problem.ts'
import { processEnv } from './process-env.ts'

/** Everything that runs, wired. */
export type House = {
  env: Env
  log: Log
  api: Api
  editions: Editions
  /** null where the ratings come from somebody else's service. */
  service: EmbeddedService | null
  /** Ends what goes on in the background. Answers in flight go on, and so does the archive that they are made from. */
  stop(): Promise<void>
}

const RETRY_MS = 10_000
const rest = () => sleepMs(RETRY_MS, undefined, { ref: false })

const clock = () => Math.floor(Date.now() / 1000)

/** The process's one log. */
export const processLog = (): Log =>
  once('log', () =>
    createLog(
      (line) => process.stderr.write(line),
      () => new Date(),
    ),
  )

/** The process's one house, the same for all four bundles. Where it cannot be opened yet, AppError says why. */
export const openHouse = (): Promise<House> =>
  once('house', () =>
    keepOpening(openNow, {
      rest,
      onProblem: (error) => processLog()('the data folder cannot be opened', toLogFields(error)),
    }),
  ).current()

async function openNow(): Promise<House> {
  const parsed = processEnv()
  if (!parsed.ok) throw new AppError('not_ready', 'The environment is not valid: see the log.')
  const closing = createClosing()
  try {
    return await wire(parsed.env, processLog(), closing)
  } catch (error) {
    // What was opened must not stay so: the next attempt would find the files in use, by itself.
    await closing.close().catch(() => {})
    throw toOpenProblem(error)
  }
}

async function wire(env: Env, log: Log, closing: Closing): Promise<House> {
  mkdirSync(env.dataDir, { recursive: true, mode: 0o700 })
  claimFolder(env)
  const now = clock
  const archive = closing.add(await openArchive({ path: join(env.dataDir, 'archive.duckdb'), now }))
  const ledger = closing.add(await openLedger({ file: join(env.dataDir, 'requests.log'), now }))
  const transport = closing.add(createHttpTransport())
  const service = env.baseUrl
    ? null
    : closing.add(await openEmbeddedService(env, { now, log, rest }))
  const upstream = createUpstream({
    ...toAccess(env, service, transport),
    keyIn: env.keyIn,
    ledger,
    limits: { perMinute: env.perMinute, perMonth: env.perMonth },
    now,
    nowMs: () => performance.now(),
    sleep,
    random: Math.random,
    log: (message, fields) => {
      // One a minute, for years: what went well is told by the ledger and by /api/status.
      if (fields.outcome !== 'ok') log(message, { ...fields })
    },
  })
  const dir = join(env.dataDir, 'editions')
  const editions = closing.add(await openEditions({ dir, upstream, now, log }))
  const shared = { archive, upstream, editions, now }
  const sync = createSync({ ...shared, sleep, random: Math.random, log })
  const onError = (error: unknown, path: string) =>
    log('a request failed', { path, ...toLogFields(error) })
  const api = createApi({ ...shared, sync, setTimer, onError })
  const stop = async () => {
    await Promise.all([sync.stop(), editions.close(), service?.stop()])
  }
  sync.start()
  return { env, log, api, editions, service, stop }
}

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
    return { kind: 'embedded' as const, baseUrl, key: service.key, transport: service.handle }
  }
  const { baseUrl, apiKey } = env
  if (!baseUrl || !apiKey) throw new AppError('not_ready', 'No service is configured.')
  return { kind: 'remote' as const, baseUrl, key: apiKey, transport }
}
