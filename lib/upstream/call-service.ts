import type { AppError } from '#lib/contract/faults.ts'
import { AttemptFailure, timeoutFailure, toAttemptFailure, toThrown } from './attempt-failure.ts'
import type { Gate } from './gate.ts'
import type { Ledger, RequestLimits } from './ledger.ts'
import { backoffMs, RETRY_RULES } from './retry-rules.ts'
import { type Access, type Endpoint, toRequest } from './service-request.ts'
import { createWatch, type TimeLimits, type Watch } from './time-limits.ts'
import type { Transport } from './upstream.ts'

/** What a log is told of each attempt: nothing in it came from outside. */
export type AttemptReport = {
  endpoint: 'page' | 'posts' | 'lookups'
  page: number | null
  attempt: number
  elapsedMs: number
  /** `ok`, or the message of the failure. */
  outcome: string
  status: number | null
}

export type CallDeps = {
  access: Access
  transport: Transport
  ledger: Ledger
  limits: RequestLimits
  gate: Gate
  /** Milliseconds by a clock that never jumps. */
  nowMs: () => number
  /** Waits; rejects or resolves at once where the signal fires. */
  sleep: (ms: number, signal: AbortSignal) => Promise<void>
  /** [0, 1) */
  random: () => number
  log?: (message: string, fields: AttemptReport) => void
  timeLimits: TimeLimits
}

/** What is done with an answer while its attempt lasts. Throws `AttemptFailure` where it is none to use. */
type Take<T> = (response: Response, watch: Watch) => Promise<T>

type Call<T> = { endpoint: Endpoint; signal: AbortSignal | undefined; take: Take<T> }

/**
 * Sends the request of an endpoint until `take` takes an answer: at most `RETRY_RULES.attempts` times, each charged
 * before it is sent. Throws AppError, or the reason of `signal` where the caller gave up. On success the watch that
 * `take` was given stays open, without limits, and is the caller's to close.
 */
export async function callService<T>(deps: CallDeps, call: Call<T>): Promise<T> {
  const whole = createWatch(call.signal)
  whole.limit('call', deps.timeLimits.callMs, () =>
    timeoutFailure('The service did not answer in time.'),
  )
  try {
    for (let attempt = 1; ; attempt += 1) {
      const result = await attemptOnce(deps, call, { attempt, whole })
      if (result.ok) return result.value
      await deps.sleep(result.waitMs, whole.signal)
      whole.signal.throwIfAborted()
    }
  } catch (error) {
    throw toThrown(whole.signal.aborted ? whole.signal.reason : error)
  } finally {
    whole.end()
  }
}

type Attempt = { attempt: number; whole: Watch }
type Attempted<T> = { ok: true; value: T } | { ok: false; waitMs: number }

async function attemptOnce<T>(
  deps: CallDeps,
  call: Call<T>,
  { attempt, whole }: Attempt,
): Promise<Attempted<T>> {
  whole.signal.throwIfAborted()
  const isProbe = deps.gate.admit() === 'probe'
  const watch = createWatch(call.signal, whole.signal)
  const startMs = deps.nowMs()
  const report = (outcome: string, status: number | undefined) =>
    deps.log?.(
      'a request to the service',
      toReport(call.endpoint, { attempt, outcome, status, startMs, nowMs: deps.nowMs() }),
    )
  try {
    const request = toRequest(call.endpoint, deps.access, watch.signal)
    await deps.ledger.charge(deps.limits)
    const value = await exchange(deps, request, { watch, take: call.take })
    deps.gate.accept()
    report('ok', 200)
    return { ok: true, value }
  } catch (error) {
    watch.close()
    if (!(error instanceof AttemptFailure)) throw error
    report(error.message, error.status)
    if (error.error.fault === 'upstream_refused') deps.gate.refuse()
    const waitMs = whole.signal.aborted ? null : toWaitMs(error, deps, isProbe ? Infinity : attempt)
    if (waitMs !== null) return { ok: false, waitMs }
    throw pausing(error.error, deps.gate)
  }
}

/** How long to wait before another attempt, or null where there is none to be. */
function toWaitMs(failure: AttemptFailure, deps: CallDeps, attempt: number): number | null {
  if (!failure.isWorthRetrying || attempt >= RETRY_RULES.attempts) return null
  const asked = failure.error.retryAfterSeconds
  if (asked === undefined) return backoffMs(attempt, deps.random)
  return asked <= RETRY_RULES.patienceSeconds ? asked * 1000 : null
}

/** Whoever calls next is held to the pause as well. */
function pausing(error: AppError, gate: Gate): AppError {
  if (error.retryAfterSeconds !== undefined) gate.pause(error.retryAfterSeconds)
  return error
}

type Exchange<T> = { watch: Watch; take: Take<T> }

async function exchange<T>(deps: CallDeps, request: Request, { watch, take }: Exchange<T>) {
  watch.limit('headers', deps.timeLimits.headersMs, () =>
    timeoutFailure('The service did not answer in time.'),
  )
  const response = await send(deps.transport, request, watch.signal)
  watch.lift('headers')
  try {
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

type Reported = {
  attempt: number
  outcome: string
  status: number | undefined
  startMs: number
  nowMs: number
}

function toReport(endpoint: Endpoint, reported: Reported): AttemptReport {
  const { attempt, outcome, status, startMs, nowMs } = reported
  const isPage = endpoint.kind === 'page'
  return {
    endpoint: isPage ? 'page' : endpoint.dump,
    page: isPage ? endpoint.page : null,
    attempt,
    elapsedMs: Math.round(nowMs - startMs),
    outcome,
    status: status ?? null,
  }
}
