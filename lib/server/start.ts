import 'server-only'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { toReadProblem } from '#lib/archive/engine/engine-errors.ts'
import { createClosing } from '#lib/async/closing.ts'
import { every } from '#lib/async/every.ts'
import { keepOpening } from '#lib/async/keep-opening.ts'
import { withoutBase } from '#lib/contract/base-path.ts'
import { AppError } from '#lib/contract/faults.ts'
import { createAccessAnswers } from '#lib/server/access/access-answers.ts'
import type { ProviderAnswers } from '#lib/server/access/access-request.ts'
import { registerAccess } from '#lib/server/access/mount-access.ts'
import { createProvider } from '#lib/server/access/oidc.ts'
import { createProviderAnswers } from '#lib/server/access/oidc-answers.ts'
import { createProviderFetch } from '#lib/server/access/oidc-discovery.ts'
import { beginAccess, selectAccess } from '#lib/server/access/open-access.ts'
import { ForeignFolder } from '#lib/server/environment/data-folder.ts'
import { type Env, processEnv, toWarnings } from '#lib/server/environment/env.ts'
import { hearConsole, toLogFields } from '#lib/server/environment/log.ts'
import { once } from '#lib/server/environment/once.ts'
import { createNetworks, type IsProxy, isFromProxy } from '#lib/server/gate/client-address.ts'
import { createGate, letEverybodyIn } from '#lib/server/gate/gate.ts'
import { createLookAnew } from '#lib/server/gate/look-anew.ts'
import type { Answerer } from '#lib/server/gate/refuse.ts'
import { guardRequests } from '#lib/server/gate/request-guard.ts'
import { toCacheHeaders, toStrictTransport } from '#lib/server/gate/request-policy.ts'
import { waitForSeen } from '#lib/server/gate/seen-generation.ts'
import { guardHttp, processTraffic } from '#lib/server/gate/traffic.ts'
import { standUnderBase } from '#lib/server/gate/under-base.ts'
import { processMetrics } from '#lib/server/operate/metrics.ts'
import { createPageFront, type PageFrontOptions } from '#lib/server/pages/page-front.ts'
import { registerOnSocket } from '#lib/server/routes/on-socket.ts'
import { createSocketAnswers } from '#lib/server/routes/socket-answers.ts'
import {
  openRuntime,
  processLog,
  processSecrets,
  registerOpening,
  selectOpening,
  selectRuntime,
} from '#lib/server/runtime/runtime.ts'
import { createRuntime, type Runtime } from './runtime/compose.ts'

/** sysexits.h: the configuration is wrong; starting again will not help. */
const EXIT_CONFIG = 78
const CHECK_MS = 1000

/**
 * How much the heap may grow before it is cleaned whole. By itself that is more, the more memory the machine has: on a
 * large one a busy process stood at twice the memory, and was no quicker for it.
 */
const HEAP_GROWTH = '--heap-growing-percent=30'

/** Whatever the process writes is for its user alone: the database's files too, which have no mode of their own. */
const OURS_ALONE = 0o077

/** What is being written changes at any time, and its scripts carry the nonce themselves. */
const isDev = process.env.NODE_ENV === 'development'

/**
 * Opens the runtime, starts the sync in the background, and stops both when the process is asked to end. `readReader`
 * says what a page may know of who asks for it.
 */
export function startRuntime(readReader: PageFrontOptions['readReader']): void {
  once('started', () => {
    setFlagsFromString(HEAP_GROWTH)
    process.umask(OURS_ALONE)
    const env = requireEnvironment()
    watchForSurprises()
    if (!isDev) hearConsole(processLog())
    registerOpening(() => keepOpening(openNow, { rest, onProblem: logOpenProblem }))
    registerOnSocket(createSocketAnswers)
    const isProxy = createNetworks(env.trustedProxies)
    guardHttp(createFront(env, readReader, isProxy), isProxy)
    watchTraffic()
    stopOnSignals()
    void run()
    return true
  })
}

const RETRY_MS = 10_000
const rest = () => sleep(RETRY_MS, undefined, { ref: false })

const logOpenProblem = (error: unknown) =>
  processLog().error('the data folder cannot be opened', toLogFields(error))

async function openNow(): Promise<Runtime> {
  const parsed = processEnv()
  if (!parsed.ok) throw new AppError('not_ready', 'The environment is not valid: see the log.')
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
    // Close what was opened: the next attempt would find its own files in use.
    await closing.close().catch(() => {})
    throw toOpenProblem(error)
  }
}

/** Reopens an archive whose file proves damaged while it is read: opening renames the damaged file. */
function reopen(cause: unknown): void {
  selectOpening()?.reopen(toReadProblem(cause), async (runtime) => {
    await runtime.stop()
    await runtime.close()
  })
}

const FULL = 'The disk of the data folder is full.'
const READ_ONLY = 'The data folder cannot be written to.'
const NO_FOLDER = 'DATA_DIR names something that is no folder.'

const KNOWN: Readonly<Record<string, string>> = {
  ENOSPC: FULL,
  EDQUOT: FULL,
  EROFS: READ_ONLY,
  EACCES: READ_ONLY,
  EPERM: READ_ONLY,
  EEXIST: NO_FOLDER,
  ENOTDIR: NO_FOLDER,
}

/** DuckDB's errors have no code: the operating system's error is in their text. */
const NO_SPACE = /no space left|quota exceeded/i

/** Returns a 503 whose message says why the data folder cannot be opened. The message may leave the process. */
export function toOpenProblem(error: unknown): AppError {
  const cause = error instanceof AppError ? error.cause : error
  const known = NO_SPACE.test(String(cause)) ? FULL : selectKnown(cause)
  if (known !== undefined) return new AppError('not_ready', known, { cause })
  if (error instanceof AppError && error.fault === 'not_ready') return error
  return new AppError('not_ready', 'The data folder cannot be opened: see the log.', { cause })
}

function selectKnown(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return Object.hasOwn(KNOWN, code) ? KNOWN[code] : undefined
}

/** What kept pages may take. */
const PAGES_BYTES = 32 * 1024 * 1024

/** What stands before the framework: who may ask at all, and the pages that are kept. */
function createFront(
  env: Env,
  readReader: PageFrontOptions['readReader'],
  isProxy: IsProxy,
): (answer: Answerer) => Answerer {
  const guard = guardRequests({
    allowedHosts: env.allowedHosts,
    strictTransport: (proto) => toStrictTransport(env, proto),
  })
  const gate = openGate(env, isProxy)
  const wait = openWait(env)
  if (isDev) return standUnderBase({ guard, front: (answer) => gate(wait(answer)) })
  const front = createPageFront({
    readReader,
    stamp: () => selectRuntime()?.stamp() ?? null,
    cacheHeaders: toCacheHeaders(env.sharedCacheSeconds),
    maxBytes: PAGES_BYTES,
    onError: (error, path) =>
      processLog().error('a page could not be made', { path, ...toLogFields(error) }),
  })
  return standUnderBase({ guard, front: (answer) => gate(wait(front(answer))) })
}

/** Of several nodes, one that is behind what a reader has seen is given a moment; with one process nobody waits. */
function openWait({ database }: Env): (answer: Answerer) => Answerer {
  if (!database) return (answer) => answer
  const generation = () => selectRuntime()?.generation() ?? null
  return waitForSeen({ generation, nowMs, sleep })
}

/** Who is let in to what. Where nobody signs in, whoever reaches the process may do everything. */
function openGate(env: Env, isProxy: IsProxy): (answer: Answerer) => Answerer {
  const { mode, nameHeader: name, groupsHeader: groups } = env.access
  if (mode === 'open') return letEverybodyIn
  beginAccess(env)
  registerAccess(createAccessAnswers(selectAccess, openProvider(env)))
  return createGate({
    access: selectAccess,
    lookAnew: env.database ? createLookAnew({ refresh: refreshAccess, nowMs, sleep }) : null,
    proxy: mode === 'proxy' ? { name, groups } : null,
    isFromProxy: (request) => isFromProxy(request, isProxy),
    every,
    isDev,
  })
}

const nowMs = () => performance.now()

const refreshAccess = async () => await selectAccess()?.refresh()

/** What people sign in with elsewhere; null where they do not. It is asked when somebody first comes. */
function openProvider({ access: { oidc: settings }, publicUrl }: Env): ProviderAnswers | null {
  if (!settings || !publicUrl) return null
  if (settings.clientSecret !== null) processSecrets().push(settings.clientSecret)
  const now = () => Date.now() / 1000
  const log = processLog()
  const provider = createProvider({ settings, publicUrl, now, fetch: createProviderFetch(), log })
  return createProviderAnswers({ provider, publicUrl, now, log })
}

/** The environment, every problem of which ends the process. */
function requireEnvironment(): Env {
  const parsed = processEnv()
  if (!parsed.ok) refuse(parsed.problems)
  const { database } = parsed.env
  if (database?.password) processSecrets().push(database.password)
  for (const warning of toWarnings(parsed.env)) processLog().warn(warning, {})
  return parsed.env
}

/** Ends the process, every reason on a line of its own. */
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
      // The log says why. Where a setting is at fault the process ends; else it answers 503 until the folder opens.
      const cause = error instanceof Error ? error.cause : null
      if (cause instanceof ForeignFolder) refuse([cause.message])
    }
    await sleep(CHECK_MS, undefined, { ref: false })
  }
}

/** Next would swallow these: they must at least be seen. */
function watchForSurprises(): void {
  process.on('unhandledRejection', (error) =>
    processLog().error('a rejection nobody handled', toLogFields(error)),
  )
}

/** Answers in flight get so long; then what is still open is broken off, and every file closed. */
const DRAIN_MS = 7000
/** Whatever happens, the process ends by then. */
const DEADLINE_MS = 9500

/**
 * Ends the process when it is asked to: the sync at its last commit, answers in flight to their ends, the archive
 * closed, so that the next start finds nothing to recover. The framework's own handler is off
 * (`NEXT_MANUAL_SIG_HANDLE`): it would end the process in the middle of that, or wait for a stalled reader for ever.
 */
function stopOnSignals(): void {
  let isStopping = false
  const stop = (signal: string) => {
    if (isStopping) return
    isStopping = true
    setTimeout(() => process.exit(0), DEADLINE_MS).unref()
    void stopAll(signal).finally(() => process.exit(0))
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}

async function stopAll(signal: string): Promise<void> {
  const log = processLog()
  const traffic = processTraffic()
  log('stopping', { signal, answering: traffic.active() })
  // Where it is not open there is nothing to end, and an archive that is being brought to a new version is safe.
  const runtime = selectRuntime()
  const drained = traffic.drain(AbortSignal.timeout(DRAIN_MS))
  try {
    await Promise.all([runtime?.stop(), drained])
    traffic.cut()
    await runtime?.close()
    await selectAccess()?.close()
    log('stopped')
  } catch (error) {
    log.error('the stop was not clean', toLogFields(error))
  }
}

/** From so many seconds on, a request is worth a line of its own. */
const SLOW_SECONDS = 5

/** Counts each request, and tells the log of those that failed, that took long, and, where it is asked to, of all. */
function watchTraffic(): void {
  processTraffic().onAnswered((answered) => {
    const { id, client, method, status, seconds } = answered
    const url = withoutBase(answered.url) ?? answered.url
    processMetrics().observeRequest({ ...answered, url })
    // Without the query: it may be long, and holds what somebody looked for.
    const path = url.split('?')[0] ?? ''
    const fields = { id, client, method, path, status, ms: Math.round(seconds * 1000) }
    const log = processLog()
    if (status >= 500) log.warn('a request was answered with a failure', fields)
    else if (seconds >= SLOW_SECONDS && !isLong(path)) log('a request took long', fields)
    else log.debug('a request was answered', fields)
  })
}

/** Events, files and dumps last as long as whoever reads them. */
const isLong = (path: string) =>
  path === '/api/events' || /\/dumps$|^\/api\/(?:ratings\.|editions\/)/.test(path)
