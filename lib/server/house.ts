import 'server-only'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleepMs } from 'node:timers/promises'
import { type Api, createApi } from '#lib/api/create-api.ts'
import { openArchive } from '#lib/archive/open-archive.ts'
import { AppError } from '#lib/contract/faults.ts'
import { createSync } from '#lib/sync/create-sync.ts'
import { openEditions } from '#lib/sync/editions.ts'
import type { Editions, Sync } from '#lib/sync/sync.ts'
import { createUpstream } from '#lib/upstream/create-upstream.ts'
import { createHttpTransport } from '#lib/upstream/http-transport.ts'
import { openLedger } from '#lib/upstream/ledger.ts'
import type { Transport } from '#lib/upstream/upstream.ts'
import { claimFolder } from './claim-folder.ts'
import { type EmbeddedService, openEmbeddedService } from './embedded-service.ts'
import { type Env, parseEnv } from './env.ts'
import { createLog, type Log, toLogFields } from './log.ts'
import { once } from './once.ts'

/** Everything that runs, wired. */
export type House = {
  env: Env
  log: Log
  api: Api
  editions: Editions
  sync: Sync
  /** null where the ratings come from somebody else's service. */
  service: EmbeddedService | null
  close(): Promise<void>
}

const clock = () => Math.floor(Date.now() / 1000)

/** The process's one log. */
export const processLog = (): Log =>
  once('log', () =>
    createLog(
      (line) => process.stderr.write(line),
      () => new Date(),
    ),
  )

/** The process's one house: opened by whoever comes first, the same for all four bundles. */
export const openHouse = (): Promise<House> => once('house', () => openNow())

async function openNow(): Promise<House> {
  const parsed = parseEnv(process.env)
  if (!parsed.ok) throw new AppError('not_ready', 'The environment is not valid: see the log.')
  try {
    return await wire(parsed.env, processLog())
  } catch (error) {
    processLog()('the data folder cannot be opened', toLogFields(error))
    throw new AppError('not_ready', 'The data folder cannot be opened: see the log.', {
      cause: error,
    })
  }
}

async function wire(env: Env, log: Log): Promise<House> {
  mkdirSync(env.dataDir, { recursive: true, mode: 0o700 })
  claimFolder(env)
  const archive = await openArchive({ path: join(env.dataDir, 'archive.duckdb'), now: clock })
  const ledger = await openLedger({ file: join(env.dataDir, 'requests.log'), now: clock })
  const transport = createHttpTransport()
  const service = env.baseUrl ? null : await openEmbeddedService(env, { now: clock, log })
  const upstream = createUpstream({
    ...toAccess(env, service, transport),
    keyIn: env.keyIn,
    ledger,
    limits: { perMinute: env.perMinute, perMonth: env.perMonth },
    now: clock,
    nowMs: () => performance.now(),
    sleep,
    random: Math.random,
    log: (message, fields) => log(message, { ...fields }),
  })
  const dir = join(env.dataDir, 'editions')
  const editions = await openEditions({ dir, upstream, now: clock, log })
  const shared = { archive, upstream, editions, now: clock }
  const sync = createSync({ ...shared, sleep, random: Math.random, log })
  const onError = (error: unknown, path: string) =>
    log('a request failed', { path, ...toLogFields(error) })
  const api = createApi({ ...shared, sync, onError })
  const close = async () => {
    await sync.stop()
    await editions.close()
    await service?.close()
    await archive.close()
    await ledger.close()
    await transport.close()
  }
  return { env, log, api, editions, sync, service, close }
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
