import { AttemptFailure, timeoutFailure, toThrown } from './attempt-failure.ts'
import { type AttemptReport, toAttemptReport } from './attempt-report.ts'
import { exchange, type Take } from './exchange.ts'
import type { Admission, Gate } from './gate.ts'
import type { Ledger } from './ledger.ts'
import type { RequestLimits } from './reserve.ts'
import { backoffMs, RETRY_RULES } from './retry-rules.ts'
import { type Access, type Endpoint, toRequest } from './service-request.ts'
import { createWatch, type TimeLimits, type Watch } from './time-limits.ts'
import type { Purpose, Transport } from './upstream.ts'

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
async function note(gate: Gate, failure: AttemptFailure, admission: Admission): Promise<void> {
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
    deps.log?.('a request to the service', toAttemptReport(endpoint, reported))
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
