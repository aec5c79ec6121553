import { type Access, type Endpoint, toRequest } from './access.ts'
import type { Admission, CircuitBreaker } from './circuit-breaker.ts'
import {
  AttemptFailure,
  backoffMs,
  RETRY_RULES,
  timeoutFailure,
  toAttemptFailure,
  toThrown,
} from './failures.ts'
import type { Ledger, RequestLimits } from './ledger.ts'
import type { Purpose, Transport } from './upstream.ts'

export type CallDeps = {
  access: Access
  transport: Transport
  ledger: Ledger
  limits: RequestLimits
  gate: CircuitBreaker
  /** Milliseconds by a clock that never jumps. */
  nowMs: () => number
  /** Waits; rejects or resolves at once where the signal fires. */
  sleep: (ms: number, signal: AbortSignal) => Promise<void>
  /** [0, 1) */
  random: () => number
  log?: (message: string, fields: RequestReport) => void
  timeLimits: TimeLimits
}

export type Call<T> = {
  endpoint: Endpoint
  purpose: Purpose
  /** Sent beside those of every request: conditions, a range. */
  headers?: Record<string, string>
  signal: AbortSignal | undefined
  take: Take<T>
}

/**
 * Sends the request of an endpoint until `take` takes an answer: at most `RETRY_RULES.attempts` times, each charged
 * before it is sent, and none that the gate does not admit. Throws AppError, or the reason of `signal` where the caller
 * gave up. On success the watch that `take` was given stays open, without limits, and is the caller's to close.
 */
export async function callService<T>(deps: CallDeps, call: Call<T>): Promise<T> {
  const whole = createWatch(call.signal)
  whole.limit('call', deps.timeLimits.callMs, () =>
    timeoutFailure('The service did not answer in time.'),
  )
  let admission: Admission | null = null
  try {
    for (let attempt = 1; ; attempt += 1) {
      whole.signal.throwIfAborted()
      admission = await deps.gate.admit()
      const result = await attemptOnce(deps, call, { attempt, whole, admission })
      if (result.ok) return result.value
      await deps.sleep(result.waitMs, whole.signal)
      whole.signal.throwIfAborted()
    }
  } catch (error) {
    const thrown: unknown = whole.signal.aborted ? whole.signal.reason : error
    if (admission && thrown instanceof AttemptFailure) await note(deps.gate, thrown, admission)
    throw toThrown(thrown)
  } finally {
    whole.end()
  }
}

/** What a call that came to nothing says of the service. */
async function note(
  gate: CircuitBreaker,
  failure: AttemptFailure,
  admission: Admission,
): Promise<void> {
  if (failure.error.fault === 'upstream_refused') await gate.refuse()
  else if (failure.isOutage) await gate.fail(failure.error, admission)
  else await gate.hear()
}

type Attempt = { attempt: number; whole: Watch; admission: Admission }
type Attempted<T> = { ok: true; value: T } | { ok: false; waitMs: number }

async function attemptOnce<T>(
  deps: CallDeps,
  call: Call<T>,
  { attempt, whole, admission }: Attempt,
): Promise<Attempted<T>> {
  const { gate, timeLimits } = deps
  const watch = createWatch(call.signal, whole.signal)
  const startMs = deps.nowMs()
  let status: number | undefined
  const report = (outcome: string, said = status) => {
    const elapsedMs = deps.nowMs() - startMs
    const { endpoint, purpose } = call
    const reported = { purpose, attempt, outcome, status: said, elapsedMs }
    deps.log?.('a request to the service', toRequestReport(endpoint, reported))
  }
  const onAnswer = (response: Response) => {
    status = response.status
    gate.noteDate(response.headers)
  }
  try {
    const request = toRequest(call, deps.access, watch.signal)
    await charge(deps, call.purpose, admission)
    const { headersMs } = timeLimits
    const how = { transport: deps.transport, watch, headersMs, onAnswer, take: call.take }
    const value = await exchange(request, how)
    await gate.accept()
    report('ok')
    return { ok: true, value }
  } catch (error) {
    watch.close()
    if (!(error instanceof AttemptFailure)) throw error
    report(error.message, error.status)
    // Whoever calls next is held to the pause as well, and so is this call after a restart.
    if (error.error.retryAfterSeconds !== undefined) await gate.pause(error.error.retryAfterSeconds)
    const attemptsSoFar = admission.isProbe ? Number.POSITIVE_INFINITY : attempt
    const waitMs = whole.signal.aborted ? null : toWaitMs(error, deps, attemptsSoFar)
    if (waitMs === null) throw error
    return { ok: false, waitMs }
  }
}

async function charge({ ledger, limits, gate }: CallDeps, purpose: Purpose, admission: Admission) {
  try {
    await ledger.charge(limits, purpose, gate.clock.clocks())
  } catch (error) {
    admission.withdraw()
    throw error
  }
}

/** How long to wait before another attempt, or null where there is none to be. */
function toWaitMs(failure: AttemptFailure, deps: CallDeps, attempt: number): number | null {
  if (!failure.isWorthRetrying || attempt >= RETRY_RULES.attempts) return null
  const asked = failure.error.retryAfterSeconds
  if (asked === undefined) return backoffMs(attempt, deps.random)
  return asked <= RETRY_RULES.patienceSeconds ? asked * 1000 : null
}

/** What is done with an answer while its attempt lasts. Throws `AttemptFailure` where it is none to use. */
export type Take<T> = (response: Response, watch: Watch) => Promise<T>

export type Exchange<T> = {
  transport: Transport
  watch: Watch
  headersMs: number
  /** Hears of any answer, before it is taken. */
  onAnswer: (response: Response) => void
  take: Take<T>
}

/** Sends one request and takes its answer; one that is not taken ends with its connection. */
async function exchange<T>(request: Request, how: Exchange<T>): Promise<T> {
  const { transport, watch, headersMs, onAnswer, take } = how
  watch.limit('headers', headersMs, () => timeoutFailure('The service did not answer in time.'))
  const response = await send(transport, request, watch.signal)
  watch.lift('headers')
  try {
    onAnswer(response)
    return await take(response, watch)
  } catch (error) {
    void response.body?.cancel().catch(() => {})
    throw watch.signal.aborted ? watch.signal.reason : error
  }
}

/** Sends, and does not wait for a transport that is deaf to the signal. */
async function send(transport: Transport, request: Request, signal: AbortSignal) {
  signal.throwIfAborted()
  const answer = (async () => await transport(request))()
  const given = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  try {
    return await Promise.race([answer, given])
  } catch (error) {
    answer.then(
      (late) => void late.body?.cancel().catch(() => {}),
      () => {},
    )
    throw signal.aborted ? signal.reason : toAttemptFailure(error)
  }
}

/** Milliseconds, by a clock that never jumps. */
export type TimeLimits = {
  /** From sending a request to its answer's headers. */
  headersMs: number
  /** A whole attempt at a page. */
  pageMs: number
  /** Between two pieces of a page. */
  pageIdleMs: number
  /** Waited in a dump without `dumpIdleBytes` coming: what drips is as good as what stands still. */
  dumpIdleMs: number
  dumpIdleBytes: number
  /** All attempts at one call, with the waits between them; for a dump until its body begins. */
  callMs: number
}

export const TIME_LIMITS: TimeLimits = {
  headersMs: 10_000,
  pageMs: 60_000,
  pageIdleMs: 15_000,
  dumpIdleMs: 30_000,
  // 50 kB a second.
  dumpIdleBytes: 1_500_000,
  callMs: 180_000,
}

/** A signal that fires when a caller gives up or a limit passes. Its reason is what is to be thrown then. */
export type Watch = {
  signal: AbortSignal
  /** Sets the limit of that name, in place of the one before. */
  limit(name: string, ms: number, toReason: () => unknown): void
  lift(name: string): void
  /** Fires the signal unless it has, and forgets limits and callers. */
  close(): void
  /** Forgets limits and callers, without firing. */
  end(): void
}

/** A watch over some work, fired also by any of `callers`. Must be closed or ended. */
function createWatch(...callers: (AbortSignal | undefined)[]): Watch {
  const controller = new AbortController()
  const timers = new Map<string, NodeJS.Timeout>()
  const links = callers.flatMap((caller) => {
    if (!caller) return []
    const forward = () => controller.abort(caller.reason)
    if (caller.aborted) forward()
    caller.addEventListener('abort', forward, { once: true })
    return [() => caller.removeEventListener('abort', forward)]
  })
  const lift = (name: string) => {
    clearTimeout(timers.get(name))
    timers.delete(name)
  }
  const end = () => {
    for (const name of [...timers.keys()]) lift(name)
    for (const unlink of links) unlink()
  }
  return {
    signal: controller.signal,
    limit(name, ms, toReason) {
      lift(name)
      timers.set(
        name,
        setTimeout(() => controller.abort(toReason()), ms),
      )
    },
    lift,
    close() {
      end()
      controller.abort()
    },
    end,
  }
}

/** What a log is told of each attempt: nothing in it came from outside. */
export type RequestReport = {
  endpoint: 'page' | 'posts' | 'lookups'
  /** null where no page was asked for by number. */
  page: number | null
  purpose: Purpose
  attempt: number
  elapsedMs: number
  /** `ok`, or the message of the failure. */
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
    page: isPage && endpoint.page !== 'default' ? endpoint.page : null,
    purpose,
    attempt,
    elapsedMs: Math.round(elapsedMs),
    outcome,
    status: status ?? null,
  }
}
