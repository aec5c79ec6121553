import 'server-only'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { toReadProblem } from '#lib/archive/engine/engine-errors.ts'
import { createClosing } from '#lib/async/closing.ts'
import { keepOpening } from '#lib/async/keep-opening.ts'
import { every } from '#lib/async/poller.ts'
import { selectDiskFault } from '#lib/contract/disk-faults.ts'
import { AppError } from '#lib/contract/faults.ts'
import { createAccessAnswers } from './access/access-answers.ts'
import type { ProviderAnswers } from './access/access-request.ts'
import { registerAccess } from './access/mount-access.ts'
import { createProvider } from './access/oidc.ts'
import { createProviderAnswers } from './access/oidc-answers.ts'
import { createProviderFetch } from './access/oidc-discovery.ts'
import { beginAccess, selectAccess, selectAccessProblem } from './access/open-access.ts'
import { ForeignFolder } from './environment/data-folder.ts'
import { type Env, processEnv, selectProxyPasswords, toWarnings } from './environment/env.ts'
import { hearConsole, toLogFields } from './environment/log.ts'
import { singleton } from './environment/singleton.ts'
import { type AccessGate, createAccessGate, createOpenGate } from './gate/access-gate.ts'
import { createNetworks, type IsProxy, isFromProxy } from './gate/client-address.ts'
import { createFront, type Front } from './gate/front.ts'
import { toOverflowRefusal } from './gate/refusal.ts'
import { toCacheHeaders } from './gate/request-policy.ts'
import {
  createGenerationWait,
  createSharedRefresh,
  type WaitForGeneration,
} from './gate/seen-generation.ts'
import { createTraffic, type Traffic } from './gate/traffic.ts'
import { processMetrics } from './operate/metrics.ts'
import { createPageCache, type PageCacheOptions } from './pages/page-cache.ts'
import { registerOnSocket } from './routes/on-socket.ts'
import { createSocketAnswers } from './routes/socket-answers.ts'
import { createRuntime, type Runtime } from './runtime/compose.ts'
import {
  openRuntime,
  processLog,
  processSecrets,
  registerOpening,
  selectOpening,
  selectRuntime,
} from './runtime/runtime.ts'

/** sysexits.h: a configuration error, do not restart. */
const EXIT_CONFIG = 78
const CHECK_MS = 1000

/**
 * V8's default grows with the machine's memory: a busy process used twice as much and was no
 * faster.
 */
const HEAP_GROWTH = '--heap-growing-percent=30'

/** The database sets no modes of its own. */
const OURS_ALONE = 0o077

const isDev = process.env.NODE_ENV === 'development'

type SelectSettings = PageCacheOptions['selectSettings']

/** What `scripts/serve.mjs` needs of this process. */
type Application = {
  front: Front
  toOverflowRefusal: typeof toOverflowRefusal
  /** `cut` closes the connections that are still open after seven seconds. */
  stop(signal: string, cut: () => void): Promise<void>
}

/** Publishes the application for the server in `scripts/serve.mjs`. */
export function startApplication(selectSettings: SelectSettings): void {
  singleton('application', (): Application => {
    setFlagsFromString(HEAP_GROWTH)
    process.umask(OURS_ALONE)
    const env = requireEnvironment()
    logUnhandledRejections()
    if (!isDev) hearConsole(processLog())
    registerOpening(() => keepOpening(openNow, { rest, onProblem: logOpenProblem }))
    registerOnSocket(createSocketAnswers)
    const traffic = createTraffic(nowMs)
    watchTraffic(traffic)
    void run()
    return {
      front: openFront(env, traffic, selectSettings),
      toOverflowRefusal,
      stop: (signal, cut) => stopAll(traffic, signal, cut),
    }
  })
}

const RETRY_MS = 10_000
const rest = () => sleep(RETRY_MS, undefined, { ref: false })

const logOpenProblem = (error: unknown) =>
  processLog().error('the data folder cannot be opened', toLogFields(error))

async function openNow(): Promise<Runtime> {
  const parsed = processEnv()
  if (!parsed.ok) throw new AppError('not_ready', 'The configuration is invalid. See the log.')
  const closing = createClosing()
  try {
    return await createRuntime({
      env: parsed.env,
      log: processLog(),
      metrics: processMetrics(),
      closing,
      rest,
      hide: (secret) => processSecrets().push(secret),
      onBroken: reopen,
    })
  } catch (error) {
    // Otherwise the next attempt would find its own locks.
    await closing.close().catch(() => {})
    throw toOpenProblem(error)
  }
}

/** Reopening renames the damaged file. */
function reopen(cause: unknown): void {
  selectOpening()?.reopen(toReadProblem(cause), async (runtime) => {
    await runtime.stop()
    await runtime.close()
  })
}

const NO_FOLDER = ['EEXIST', 'ENOTDIR']

/** The message may be sent to clients. */
export function toOpenProblem(error: unknown): AppError {
  const cause = error instanceof AppError ? error.cause : error
  const isKnown = error instanceof AppError && error.fault === 'not_ready'
  const disk = selectDiskFault(cause)
  // A folder that is not writable was refused before: the message names the file.
  if (isKnown && disk?.kind !== 'full') return error
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  const other = NO_FOLDER.includes(code)
    ? 'DATA_DIR is not a folder.'
    : 'The data folder cannot be opened. See the log.'
  return new AppError('not_ready', disk?.reason ?? other, { cause })
}

const PAGES_BYTES = 32 * 1024 * 1024

function openFront(env: Env, traffic: Traffic, selectSettings: SelectSettings): Front {
  const { allowedHosts, hstsSeconds, publicUrl, isIndexed } = env
  const isProxy = createNetworks(env.trustedProxies)
  return createFront({
    allowedHosts,
    hstsSeconds,
    publicUrl,
    traffic,
    isProxy,
    isDev,
    gate: openGate(env, isProxy),
    waitForGeneration: openGenerationWait(env),
    answer: createPageCache({
      selectSettings,
      version: () => (isDev ? null : (selectRuntime()?.stamp() ?? null)),
      cacheHeaders: toCacheHeaders(env.sharedCacheSeconds),
      maxBytes: PAGES_BYTES,
      isIndexed,
      isDev,
    }),
    onError: (error, path) =>
      processLog().error('a request could not be answered', { path, ...toLogFields(error) }),
  })
}

function openGenerationWait({ database }: Env): WaitForGeneration | null {
  if (!database) return null
  const generation = () => selectRuntime()?.generation() ?? null
  return createGenerationWait({ generation, nowMs, sleep })
}

function openGate(env: Env, isProxy: IsProxy): AccessGate {
  const { mode, nameHeader: name, groupsHeader: groups } = env.access
  if (mode === 'open') return createOpenGate({ isDev })
  beginAccess(env)
  registerAccess(createAccessAnswers(selectAccess, openProvider(env), selectAccessProblem))
  return createAccessGate({
    access: selectAccess,
    problem: selectAccessProblem,
    refreshAccess: env.database
      ? createSharedRefresh({ refresh: refreshAccess, nowMs, sleep })
      : null,
    proxy: mode === 'proxy' ? { name, groups } : null,
    isFromProxy: (request) => isFromProxy(request, isProxy),
    every,
    isDev,
  })
}

const nowMs = () => performance.now()

const refreshAccess = async () => await selectAccess()?.refresh()

function openProvider({
  access: { oidc: settings },
  publicUrl,
  proxies,
}: Env): ProviderAnswers | null {
  if (!settings || !publicUrl) return null
  if (settings.clientSecret !== null) processSecrets().push(settings.clientSecret)
  const now = () => Date.now() / 1000
  const log = processLog()
  const fetch = createProviderFetch(proxies)
  const provider = createProvider({ settings, publicUrl, now, fetch, log })
  return createProviderAnswers({ provider, publicUrl, now, log })
}

function requireEnvironment(): Env {
  const parsed = processEnv()
  if (!parsed.ok) refuse(parsed.problems)
  const { database } = parsed.env
  if (database?.password) processSecrets().push(database.password)
  processSecrets().push(...selectProxyPasswords(parsed.env.proxies))
  for (const warning of toWarnings(parsed.env)) processLog().warn(warning, {})
  return parsed.env
}

function refuse(reasons: readonly string[]): never {
  const lines = reasons.map((reason) => `  ${reason}\n`)
  process.stderr.write(`Bellwether cannot start:\n${lines.join('')}`)
  process.exit(EXIT_CONFIG)
}

async function run(): Promise<void> {
  for (;;) {
    try {
      const runtime = await openRuntime()
      const problem = await runtime.service?.misconfigured
      if (problem) refuse([problem.message])
      return
    } catch (error) {
      const cause = error instanceof Error ? error.cause : null
      if (cause instanceof ForeignFolder) refuse([cause.message])
    }
    await sleep(CHECK_MS, undefined, { ref: false })
  }
}

/** The framework would swallow these. */
function logUnhandledRejections(): void {
  process.on('unhandledRejection', (error) =>
    processLog().error('an unhandled rejection', toLogFields(error)),
  )
}

const DRAIN_MS = 7000

async function stopAll(traffic: Traffic, signal: string, cut: () => void): Promise<void> {
  const log = processLog()
  log('stopping', { signal, answering: traffic.active() })
  const runtime = selectRuntime()
  const drained = traffic.drain(AbortSignal.timeout(DRAIN_MS))
  try {
    await Promise.all([runtime?.stop(), drained])
    cut()
    await runtime?.close()
    await selectAccess()?.close()
    log('stopped')
  } catch (error) {
    log.error('the stop was not clean', toLogFields(error))
  }
}

const SLOW_SECONDS = 5

function watchTraffic(traffic: Traffic): void {
  traffic.onAnswered((answered) => {
    const { id, client, method, url, status, seconds } = answered
    processMetrics().observeRequest(answered)
    // Without the query, which may be private.
    const path = url.split('?')[0] ?? ''
    const fields = { id, client, method, path, status, ms: Math.round(seconds * 1000) }
    const log = processLog()
    if (status >= 500) log.warn('a request failed with a server error', fields)
    else if (seconds >= SLOW_SECONDS && !isLong(path)) log('a request was slow', fields)
    else log.debug('a request was answered', fields)
  })
}

const isLong = (path: string) =>
  path === '/api/events' || /\/dumps$|^\/api\/(?:editions\/|[a-z/]+\.[a-z]+$)/.test(path)
