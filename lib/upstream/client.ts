import { AppError } from '#lib/contract/faults.ts'
import {
  type Access,
  assertSendable,
  createKeyFinder,
  type Endpoint,
  joinKeyFinders,
  toPlainUrl,
  toRequest,
} from './access.ts'
import { isAbout, toConditions } from './answer-headers.ts'
import { type Admission, type CircuitBreaker, createCircuitBreaker } from './circuit-breaker.ts'
import { type Part, takeDump, takeRest, toRange } from './dump-download.ts'
import {
  AttemptFailure,
  backoffMs,
  RETRY_RULES,
  timeoutFailure,
  toAttemptFailure,
  toThrown,
} from './failures.ts'
import type { Ledger, RequestLimits } from './ledger.ts'
import { AGAIN, type AnswerOptions, type SizeLimits, takePage } from './read-answer.ts'
import { createDeadlines, type Deadlines, TIME_LIMITS, type TimeLimits } from './time-limits.ts'
import type {
  DumpDownload,
  Purpose,
  ServicePage,
  Transport,
  Upstream,
  Validators,
} from './upstream.ts'

const MEBIBYTE = 1024 * 1024

const SIZE_LIMITS: SizeLimits = {
  pageBytes: 8 * MEBIBYTE,
  dumpBytes: 8 * 1024 * MEBIBYTE,
  errorBytes: 65_536,
}

export type UpstreamDeps = Access &
  Omit<CallDeps, 'access' | 'breaker' | 'timeLimits'> & {
    kind: 'embedded' | 'remote'
    invented?: boolean
    /** Unix seconds. */
    now: () => number
    breaker?: CircuitBreaker
    timeLimits?: Partial<TimeLimits>
    sizeLimits?: Partial<SizeLimits>
  }

/** Responses are searched for both keys. */
export type KeyedUpstream = Upstream & {
  /** Throws AppError `internal` and keeps the previous key. */
  changeKey(key: string): Promise<void>
}

/** Throws AppError `internal`. */
export function createUpstream(deps: UpstreamDeps): KeyedUpstream {
  const { baseUrl, key, keyIn, kind, invented = false, ledger, limits } = deps
  const { breaker = createCircuitBreaker(deps) } = deps
  const access = { baseUrl: toPlainUrl(baseUrl), key, keyIn }
  assertSendable(access)
  const timeLimits = { ...TIME_LIMITS, ...deps.timeLimits }
  const sizeLimits = { ...SIZE_LIMITS, ...deps.sizeLimits }
  const reading = { ...deps, timeLimits, sizeLimits, key: createKeyFinder(key) }
  const calls = createCalls({ ...deps, access, breaker, timeLimits }, reading)
  return {
    ...calls,
    async changeKey(next) {
      assertSendable({ ...access, key: next })
      reading.key = joinKeyFinders(createKeyFinder(next), createKeyFinder(access.key))
      access.key = next
      await breaker.changeKey(next)
    },
    budget: () => ({
      ...ledger.budget(limits, breaker.clock.clocks()),
      pausedUntil: breaker.pausedUntil(),
      clockSkewSeconds: breaker.clock.skewSeconds(),
    }),
    allowProbe: breaker.allowProbe,
    service: { kind, address: toAddress(access.baseUrl, kind), invented },
  }
}

function toAddress(baseUrl: URL, kind: 'embedded' | 'remote'): string {
  return kind === 'embedded' ? baseUrl.pathname : baseUrl.href
}

const HIGHEST_PAGE = 9_999_999

export type Calls = Omit<Upstream, 'budget' | 'allowProbe' | 'service'>

function createCalls(deps: CallDeps, reading: AnswerOptions): Calls {
  const fetchPage: Calls['fetchPage'] = async (page, { signal, purpose = 'follow' } = {}) => {
    const endpoint = toPageEndpoint(page)
    return await callService(deps, { endpoint, purpose, signal, take: takingPage(page, reading) })
  }
  const fetchWhole: Calls['fetchDump'] = async (dump, { signal, purpose = 'dump' } = {}) => {
    const endpoint = { kind: 'dump' as const, dump }
    return await callService(deps, { endpoint, purpose, signal, take: takingDump(reading) })
  }
  return {
    fetchPage,
    async fetchPageIfChanged(page, held, options = {}) {
      const { signal, purpose = 'follow' } = options
      const endpoint = toPageEndpoint(page)
      const take = unlessUnchanged(held, takingPage(page, reading))
      const headers = toConditions(held)
      const answer = await callService(deps, { endpoint, purpose, headers, signal, take })
      return answer === AGAIN ? await fetchPage(page, options) : answer
    },
    async fetchDump(dump, options = {}) {
      const { part, signal, purpose = 'dump' } = options
      const endpoint = { kind: 'dump' as const, dump }
      const { headers, take } = toPartial(part, reading)
      const answer = await callService(deps, { endpoint, purpose, headers, signal, take })
      return answer === AGAIN ? await fetchWhole(dump, options) : answer
    },
    async fetchDumpIfChanged(dump, held, options = {}) {
      const { part, signal, purpose = 'dump' } = options
      const endpoint = { kind: 'dump' as const, dump }
      const partial = toPartial(part, reading)
      const take = unlessUnchanged(held, partial.take)
      const headers = { ...toConditions(held), ...partial.headers }
      const answer = await callService(deps, { endpoint, purpose, headers, signal, take })
      return answer === AGAIN ? await fetchWhole(dump, options) : answer
    },
  }
}

const takingPage =
  (page: number, reading: AnswerOptions): Take<ServicePage> =>
  (response, watch) =>
    takePage(page, { response, watch }, reading)

const takingDump =
  (reading: AnswerOptions): Take<DumpDownload> =>
  (response, watch) =>
    takeDump({ response, watch }, reading)

type RequestOptions = { headers: Record<string, string>; take: Take<DumpDownload | typeof AGAIN> }

function toPartial(part: Part | undefined, reading: AnswerOptions): RequestOptions {
  const headers = toRange(part)
  if (!part || !headers) return { headers: {}, take: takingDump(reading) }
  return { headers, take: (response, watch) => takeRest(part, { response, watch }, reading) }
}

function toPageEndpoint(page: number): Endpoint {
  const isPage = Number.isInteger(page) && page >= 0 && page <= HIGHEST_PAGE
  if (isPage) return { kind: 'page', page }
  throw new AppError('internal', 'A page is a whole number from 0 to 9999999.')
}

/** A cache may send a 304 about a different version. */
function unlessUnchanged<T>(held: Validators, take: Take<T>): Take<T | null | typeof AGAIN> {
  const isConditional = Object.keys(toConditions(held)).length > 0
  return async (response, watch) => {
    if (!isConditional || response.status !== 304) return await take(response, watch)
    cancelBody(response)
    watch.close()
    return isAbout(held, response.headers) ? null : AGAIN
  }
}

type CallDeps = {
  access: Access
  transport: Transport
  ledger: Ledger
  limits: RequestLimits
  breaker: CircuitBreaker
  /** Monotonic milliseconds. */
  nowMs: () => number
  sleep: (ms: number, signal: AbortSignal) => Promise<void>
  /** In [0, 1). */
  random: () => number
  log?: (message: string, fields: RequestReport) => void
  timeLimits: TimeLimits
}

export type Call<T> = {
  endpoint: Endpoint
  purpose: Purpose
  headers?: Record<string, string>
  signal: AbortSignal | undefined
  take: Take<T>
}

/**
 * Each request is charged and admitted first. Throws AppError or the abort reason. On success the
 * caller must close the watch.
 */
async function callService<T>(deps: CallDeps, call: Call<T>): Promise<T> {
  const whole = createDeadlines(call.signal)
  whole.limit('call', deps.timeLimits.callMs, () =>
    timeoutFailure('The service did not answer in time.'),
  )
  let admission: Admission | null = null
  let failure: AttemptFailure | null = null
  let key = ''
  try {
    for (let attempt = 1; ; attempt += 1) {
      whole.signal.throwIfAborted()
      // Turned away after an attempt: what the service answered says more.
      admission = await deps.breaker.admit().catch((error: unknown) => {
        throw failure ?? error
      })
      key = deps.access.key
      const result = await attemptOnce(deps, call, { attempt, whole, admission })
      if (result.ok) return result.value
      failure = result.failure
      await deps.sleep(result.waitMs, whole.signal)
      whole.signal.throwIfAborted()
    }
  } catch (error) {
    const thrown: unknown = whole.signal.aborted ? whole.signal.reason : error
    // Results about the previous key say nothing about the current one.
    const isAboutKey = key === deps.access.key
    if (admission && isAboutKey && thrown instanceof AttemptFailure) {
      await note(deps.breaker, thrown, admission)
    }
    throw toThrown(thrown)
  } finally {
    whole.end()
  }
}

async function note(
  breaker: CircuitBreaker,
  failure: AttemptFailure,
  admission: Admission,
): Promise<void> {
  if (failure.error.fault === 'upstream_refused') await breaker.refuse()
  else if (failure.isOutage) await breaker.fail(failure.error, admission)
  else await breaker.hear()
}

type Attempt = { attempt: number; whole: Deadlines; admission: Admission }
type Attempted<T> = { ok: true; value: T } | { ok: false; waitMs: number; failure: AttemptFailure }

async function attemptOnce<T>(
  deps: CallDeps,
  call: Call<T>,
  { attempt, whole, admission }: Attempt,
): Promise<Attempted<T>> {
  const { breaker } = deps
  const watch = createDeadlines(call.signal, whole.signal)
  const startMs = deps.nowMs()
  let status: number | undefined
  const report = (outcome: string, said = status) => {
    const elapsedMs = deps.nowMs() - startMs
    const { endpoint, purpose } = call
    const reported = { purpose, attempt, outcome, status: said, elapsedMs }
    deps.log?.('a request to the service', toRequestReport(endpoint, reported))
  }
  let response: Response | null = null
  try {
    const request = toRequest(call, deps.access, watch.signal)
    await charge(deps, call.purpose, admission)
    response = await send(request, watch, deps)
    status = response.status
    breaker.noteDate(response.headers)
    const value = await call.take(response, watch)
    await breaker.accept()
    report('ok')
    return { ok: true, value }
  } catch (thrown) {
    if (response) cancelBody(response)
    const error: unknown = response && watch.signal.aborted ? watch.signal.reason : thrown
    watch.close()
    if (!(error instanceof AttemptFailure)) throw error
    report(error.message, error.status)
    if (error.error.retryAfterSeconds !== undefined)
      await breaker.pause(error.error.retryAfterSeconds)
    const attemptsSoFar = admission.isProbe ? Number.POSITIVE_INFINITY : attempt
    const waitMs = whole.signal.aborted ? null : toWaitMs(error, deps, attemptsSoFar)
    if (waitMs === null) throw error
    return { ok: false, waitMs, failure: error }
  }
}

async function charge(
  { ledger, limits, breaker }: CallDeps,
  purpose: Purpose,
  admission: Admission,
) {
  try {
    await ledger.charge(limits, purpose, breaker.clock.clocks())
  } catch (error) {
    admission.withdraw()
    throw error
  }
}

function toWaitMs(failure: AttemptFailure, deps: CallDeps, attempt: number): number | null {
  if (!failure.isWorthRetrying || attempt >= RETRY_RULES.attempts) return null
  const asked = failure.error.retryAfterSeconds ?? 0
  if (asked > RETRY_RULES.patienceSeconds) return null
  return Math.max(asked * 1000, backoffMs(attempt, deps.random))
}

type Take<T> = (response: Response, watch: Deadlines) => Promise<T>

async function send(
  request: Request,
  watch: Deadlines,
  { transport, timeLimits }: CallDeps,
): Promise<Response> {
  const { signal } = watch
  watch.limit('headers', timeLimits.headersMs, () =>
    timeoutFailure('The service did not answer in time.'),
  )
  signal.throwIfAborted()
  const answer = (async () => await transport(request))()
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  try {
    return await Promise.race([answer, aborted])
  } catch (error) {
    answer.then(cancelBody, () => {})
    throw signal.aborted ? signal.reason : toAttemptFailure(error)
  } finally {
    watch.lift('headers')
  }
}

function cancelBody(response: Response): void {
  void response.body?.cancel().catch(() => {})
}

/** Contains no external text. */
export type RequestReport = {
  endpoint: 'page' | 'posts' | 'lookups'
  page: number | null
  purpose: Purpose
  attempt: number
  elapsedMs: number
  outcome: string
  status: number | null
}

type Reported = {
  purpose: Purpose
  attempt: number
  outcome: string
  status: number | undefined
  elapsedMs: number
}

function toRequestReport(endpoint: Endpoint, reported: Reported): RequestReport {
  const { purpose, attempt, outcome, status, elapsedMs } = reported
  const isPage = endpoint.kind === 'page'
  return {
    endpoint: isPage ? 'page' : endpoint.dump,
    page: isPage ? endpoint.page : null,
    purpose,
    attempt,
    elapsedMs: Math.round(elapsedMs),
    outcome,
    status: status ?? null,
  }
}
