import { randomBytes, scryptSync } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import * as z from 'zod/mini'
import { createSharedTurns } from '#lib/async/serial-queue.ts'
import { AppError, type Fault } from '#lib/contract/faults.ts'
import { toPlainUrl } from './access.ts'
import { createServiceClock, type ServiceClock } from './answer-headers.ts'
import { RETRY_RULES } from './failures.ts'
import { type KeptText, replaceFile } from './replace-file.ts'

/** `withdraw`: the request is not sent, so a probe remains available. */
export type Admission = { isProbe: boolean; withdraw(): void }

/** Changes are on disk when a call resolves. */
export type CircuitBreaker = {
  /** Throws AppError with retryAfterSeconds. */
  admit(): Promise<Admission>
  accept(): Promise<void>
  /** Afterwards, one probe per hour until the key changes. */
  refuse(): Promise<void>
  changeKey(key: string): Promise<void>
  /** As of `Upstream`. */
  allowProbe(): boolean
  keepIn(kept: KeptText): Promise<void>
  pause(seconds: number): Promise<void>
  hear(): Promise<void>
  /** After three failures in a row, only occasional probes are sent. */
  fail(error: AppError, admission: Admission): Promise<void>
  /** Unix seconds. */
  pausedUntil(): number | null
  noteDate(headers: Headers): void
  clock: Pick<ServiceClock, 'clocks' | 'skewSeconds'>
  close(): Promise<void>
}

export async function openCircuitBreaker({
  file,
  ...deps
}: CircuitBreakerDeps & { file: string }): Promise<CircuitBreaker> {
  await mkdir(dirname(file), { recursive: true })
  const breaker = createCircuitBreaker(deps)
  await breaker.keepIn(createStateFile(file))
  return breaker
}

export function createCircuitBreaker(deps: CircuitBreakerDeps): CircuitBreaker {
  const { nowMs } = deps
  let { key } = deps
  let mark: KeyMark | null = null
  const toMark = () => {
    mark ??= markKey(key)
    return mark
  }
  const memory = createCircuitBreakerMemory(deps)
  const { bars, change } = memory

  return {
    async admit() {
      const standing = memory.standing()
      if (standing[0]) throw toTurnedAway(standing[0], toLatest(standing) - nowMs())
      const before = bars()
      const isProbe =
        before.refused !== null || isBreakerOpen(before) || before.paused?.probe === 'allowed'
      if (!isProbe) return { isProbe, withdraw: () => {} }
      const probing = toProbing(before, nowMs())
      await change(probing)
      const withdraw = () => {
        const { breaker, refused, paused } = bars()
        if (breaker !== probing.breaker || refused !== probing.refused) return
        if (paused === probing.paused) void change(before)
      }
      return { isProbe, withdraw }
    },
    async accept() {
      const isOver = bars().paused?.probe === 'sent'
      if (bars().refused || bars().breaker || isOver) {
        await change({ refused: null, breaker: null, ...(isOver ? { paused: null } : {}) })
      }
    },
    async refuse() {
      const refused = { atMs: toRefusedAtMs(nowMs()), ...toMark() }
      await change({ refused, breaker: null })
    },
    async changeKey(next) {
      key = next
      mark = null
      if (bars().refused || bars().paused) await change({ refused: null, paused: null })
    },
    allowProbe() {
      const { paused } = bars()
      const isLong = paused !== null && paused.atMs - nowMs() >= PROBED_MS
      if (!isLong || paused.probe !== 'unsent' || memory.standing().length > 1) return false
      void change({ paused: { ...paused, probe: 'allowed' } })
      return true
    },
    keepIn: async (kept) => await memory.keepIn(kept, key),
    async pause(seconds) {
      // Slow: the pause begins afterwards.
      const ofKey = toMark()
      const { paused } = bars()
      const isOver = paused === null || paused.atMs <= nowMs()
      const atMs = Math.max(isOver ? 0 : paused.atMs, nowMs() + seconds * 1000)
      const probe = isOver ? 'unsent' : paused.probe
      await change({ paused: { atMs, probe, ...ofKey } })
    },
    async hear() {
      if (bars().breaker) await change({ breaker: null })
    },
    async fail(error, { isProbe }) {
      if (isBreakerOpen(bars()) && !isProbe) return
      await change({ breaker: addFailure(bars(), error, nowMs()) })
    },
    pausedUntil() {
      const standing = memory.standing()
      return standing.length === 0 ? null : memory.toSeconds(toLatest(standing))
    },
    noteDate: memory.noteDate,
    clock: memory.clock,
    close: memory.keep,
  }
}

function toTurnedAway({ fault, message, cause }: ActiveBlock, waitMs: number): AppError {
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000))
  return new AppError(fault, message, { retryAfterSeconds, cause })
}

const toLatest = (standing: ActiveBlock[]) => Math.max(...standing.map(({ atMs }) => atMs))

const toProbing = ({ refused, breaker, paused }: Blocks, nowMs: number): Blocks => ({
  paused: paused?.probe === 'allowed' ? { ...paused, probe: 'sent' } : paused,
  refused: refused && { ...refused, atMs: toRefusedAtMs(nowMs) },
  breaker: breaker && { ...breaker, atMs: toProbeAtMs(breaker.failures, nowMs) },
})

type CircuitBreakerDeps = {
  baseUrl: URL
  key: string
  /** Unix seconds; may be adjusted. */
  now: () => number
  /** Monotonic milliseconds. */
  nowMs: () => number
}

type CircuitBreakerMemory = {
  bars(): Blocks
  keepIn(kept: KeptText, key: string): Promise<void>
  change(next: Partial<Blocks>): Promise<void>
  standing(): ActiveBlock[]
  toSeconds(atMs: number): number
  noteDate(headers: Headers): void
  clock: ServiceClock
  keep(): Promise<void>
}

const SLACK_MS = 50
const SET_SECONDS = 5
const SKEW_NOTED_SECONDS = 60

/** Waits use the monotonic clock; the wall clock counts only across restarts. */
function createCircuitBreakerMemory(deps: Omit<CircuitBreakerDeps, 'key'>): CircuitBreakerMemory {
  const { now, nowMs } = deps
  const service = toPlainUrl(deps.baseUrl).href
  const both = () => ({ now: now(), nowMs: nowMs() })
  let kept: KeptText | null = null
  let clock = createServiceClock({ now, nowMs })
  let bars = NO_BLOCKS
  let noted: number | null = null
  let anchor = both()

  const keep = createSharedTurns(async () => {
    noted = clock.skewSeconds()
    const state = { service, skew_seconds: noted, ...toState(bars, both()) }
    // A full disk must not stop requests here: the ledger does that.
    await kept?.save(`${JSON.stringify(state)}\n`).catch(() => {})
  })

  return {
    bars: () => bars,
    async keepIn(next, key) {
      const state = parseCircuitState(await next.load())
      kept = next
      if (state?.service !== service) return
      const theirs = toBlocks(state, { ...both(), key })
      bars = { ...theirs, paused: toLater(bars.paused, theirs.paused) }
      const skewSeconds = clock.skewSeconds() ?? state.skew_seconds
      if (clock.skewSeconds() === null) clock = createServiceClock({ now, nowMs, skewSeconds })
      noted = skewSeconds
      void keep()
    },
    async change(next) {
      bars = { ...bars, ...next }
      await keep()
    },
    standing() {
      const drift = now() - anchor.now - (nowMs() - anchor.nowMs) / 1000
      if (Math.abs(drift) >= SET_SECONDS) {
        anchor = both()
        void keep()
      }
      return selectActiveBlocks(bars, nowMs() + SLACK_MS)
    },
    toSeconds: (atMs) => Math.round(anchor.now + (atMs - anchor.nowMs) / 1000),
    noteDate(headers) {
      clock.note(headers)
      const moved = Math.abs((clock.skewSeconds() ?? 0) - (noted ?? 0))
      if (moved >= SKEW_NOTED_SECONDS) void keep()
    },
    clock: {
      note: (headers) => clock.note(headers),
      skewSeconds: () => clock.skewSeconds(),
      clocks: () => clock.clocks(),
    },
    keep,
  }
}

const toLater = (a: Blocks['paused'], b: Blocks['paused']) =>
  a !== null && a.atMs > (b?.atMs ?? 0) ? a : b

const SECOND_MS = 1000
const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
const FAILURES_TO_OPEN = 3
/** Shorter pauses are waited out. */
const PROBED_MS = MINUTE_MS

/** `atMs` is monotonic. */
type Blocks = {
  paused: (KeyMark & { atMs: number; probe: PauseProbe }) | null
  refused: (KeyMark & { atMs: number }) | null
  breaker: (Failing & { atMs: number }) | null
}

type KeyMark = { salt: string; mark: string }
type PauseProbe = z.infer<typeof probe>
type Failing = { failures: number; fault: BreakerFault; reason: string }
type BreakerFault = 'upstream_unavailable' | 'upstream_timeout'

/** `cause` tells our own delay from one that the service asked for. */
type ActiveBlock = { atMs: number; fault: Fault; message: string; cause?: string }

const NO_BLOCKS: Blocks = { paused: null, refused: null, breaker: null }

const isBreakerOpen = ({ breaker }: Blocks): boolean =>
  breaker !== null && breaker.failures >= FAILURES_TO_OPEN

function selectActiveBlocks(bars: Blocks, nowMs: number): ActiveBlock[] {
  const { paused, refused, breaker } = bars
  const standing: ActiveBlock[] = []
  if (refused) {
    const message = 'The service does not accept the key.'
    standing.push({ atMs: refused.atMs, fault: 'upstream_refused', message })
  }
  if (paused && paused.probe !== 'allowed') {
    const message = 'The service asked for a pause.'
    standing.push({ atMs: paused.atMs, fault: 'upstream_unavailable', message })
  }
  if (breaker && isBreakerOpen(bars)) {
    const { atMs, fault, reason } = breaker
    const message = `The service failed repeatedly. Requests are paused. ${reason}`
    standing.push({ atMs, fault, message, cause: 'breaker' })
  }
  return standing.filter(({ atMs }) => atMs > nowMs)
}

const toRefusedAtMs = (nowMs: number): number => nowMs + HOUR_MS

/** Pauses for a minute after the third failure, doubling to an hour. */
function addFailure({ breaker }: Blocks, error: AppError, nowMs: number): Blocks['breaker'] {
  const failures = (breaker?.failures ?? 0) + 1
  const fault = error.fault === 'upstream_timeout' ? error.fault : 'upstream_unavailable'
  return { failures, fault, reason: error.message, atMs: toProbeAtMs(failures, nowMs) }
}

function toProbeAtMs(failures: number, nowMs: number): number {
  if (failures < FAILURES_TO_OPEN) return nowMs
  return nowMs + Math.min(MINUTE_MS * 2 ** (failures - FAILURES_TO_OPEN), HOUR_MS)
}

type TimeReading = { now: number; nowMs: number }

function toState(
  bars: Blocks,
  { now, nowMs }: TimeReading,
): Omit<CircuitState, 'service' | 'skew_seconds'> {
  const toSpan = (atMs: number): Span => {
    const left = Math.ceil((atMs - nowMs) / SECOND_MS)
    return { from: now, until: left > 0 ? now + left + 1 : now }
  }
  const { paused, refused, breaker } = bars
  return {
    paused:
      paused && paused.atMs > nowMs
        ? { ...toSpan(paused.atMs), probe: paused.probe, salt: paused.salt, mark: paused.mark }
        : null,
    refused: refused && { ...toSpan(refused.atMs), salt: refused.salt, mark: refused.mark },
    breaker: breaker && {
      ...toSpan(breaker.atMs),
      failures: breaker.failures,
      fault: breaker.fault,
      reason: breaker.reason,
    },
  }
}

function toBlocks(state: CircuitState, { now, nowMs, key }: TimeReading & { key: string }): Blocks {
  const toAtMs = (span: Span) => nowMs + toSecondsLeft(span, now) * SECOND_MS
  const { paused, refused, breaker } = state
  const isOfKey = ({ salt, mark }: KeyMark) => markKey(key, salt).mark === mark
  return {
    paused:
      paused && isOfKey(paused)
        ? { atMs: toAtMs(paused), probe: paused.probe, salt: paused.salt, mark: paused.mark }
        : null,
    refused:
      refused && isOfKey(refused)
        ? { atMs: toAtMs(refused), salt: refused.salt, mark: refused.mark }
        : null,
    breaker: breaker && {
      atMs: toAtMs(breaker),
      failures: breaker.failures,
      fault: breaker.fault,
      reason: breaker.reason,
    },
  }
}

const count = z.int().check(z.nonnegative())

/** Unix seconds. */
const span = z.object({ from: count, until: count })
type Span = z.infer<typeof span>

const ofKey = z.extend(span, { salt: z.string(), mark: z.string() })
const probe = z.enum(['unsent', 'allowed', 'sent'])

const circuitState = z.object({
  service: z.string(),
  skew_seconds: z.nullable(z.int()),
  // Earlier versions did not keep the key: such a pause is forgotten.
  paused: z.catch(z.nullable(z.extend(ofKey, { probe })), null),
  refused: z.nullable(ofKey),
  breaker: z.nullable(
    z.extend(span, {
      failures: count,
      fault: z.enum(['upstream_unavailable', 'upstream_timeout']),
      reason: z.string().check(z.maxLength(200)),
    }),
  ),
})

type CircuitState = z.infer<typeof circuitState>

const createStateFile = (file: string): KeptText => ({
  load: () =>
    readFile(file, 'utf8').catch((error: unknown) => {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
      throw error
    }),
  async save(text) {
    const handle = await replaceFile(file, text)
    await handle.close()
  },
})

/** Null if missing or unreadable. */
function parseCircuitState(text: string | null): CircuitState | null {
  try {
    const parsed = circuitState.safeParse(JSON.parse(text ?? ''))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}

function toSecondsLeft({ from, until }: Span, now: number): number {
  const left = Math.min(until - now, until - from, RETRY_RULES.longestSeconds)
  return Math.max(0, left)
}

/** Slow on purpose: protects guessable keys. */
function markKey(key: string, salt = randomBytes(16).toString('hex')) {
  return { salt, mark: scryptSync(key, salt, 32).toString('hex') }
}
