import { AppError } from '#lib/contract/faults.ts'
import type { DumpKind } from '#lib/contract/weekly-clock.ts'
import { AttemptFailure, timeoutFailure, toStatusFailure } from './attempt-failure.ts'
import { type CallDeps, callService } from './call-service.ts'
import { openDump } from './dump-download.ts'
import { createGate } from './gate.ts'
import { createEchoWatches, type EchoWatch } from './key-echo.ts'
import { readWhole } from './read-body.ts'
import { parseServicePage } from './service-page.ts'
import { type Access, assertSendable, toPlainUrl } from './service-request.ts'
import { TIME_LIMITS, type TimeLimits, type Watch } from './time-limits.ts'
import type { CallOptions, DumpDownload, ServicePage, Upstream } from './upstream.ts'

const MEBIBYTE = 1024 * 1024

/** Bytes, decoded. */
export type SizeLimits = {
  pageBytes: number
  dumpBytes: number
  /** How much is read of what came where a dump should. */
  errorBytes: number
}

const SIZE_LIMITS: SizeLimits = {
  pageBytes: 8 * MEBIBYTE,
  dumpBytes: 8 * 1024 * MEBIBYTE,
  errorBytes: 65_536,
}

export type UpstreamDeps = Access &
  Omit<CallDeps, 'access' | 'gate' | 'timeLimits'> & {
    kind: 'embedded' | 'remote'
    /** Seconds since 1970. */
    now: () => number
    timeLimits?: Partial<TimeLimits>
    sizeLimits?: Partial<SizeLimits>
  }

const HIGHEST_PAGE = 9_999_999

/**
 * The client of a service. A key that was refused stays refused for its life, but for a probe an hour. Throws AppError
 * `internal` for a key that cannot be sent.
 */
export function createUpstream(deps: UpstreamDeps): Upstream {
  const { baseUrl, key, keyIn, kind } = deps
  const access = { baseUrl: toPlainUrl(baseUrl), key, keyIn }
  assertSendable(access)
  const timeLimits = { ...TIME_LIMITS, ...deps.timeLimits }
  const sizeLimits = { ...SIZE_LIMITS, ...deps.sizeLimits }
  const callDeps: CallDeps = { ...deps, access, gate: createGate(deps.nowMs), timeLimits }
  const shared = { ...deps, timeLimits, sizeLimits, watchForKey: createEchoWatches(key) }

  return {
    async fetchPage(page: number, { signal }: CallOptions = {}): Promise<ServicePage> {
      const take = (response: Response, watch: Watch) =>
        takePage(page, response, { ...shared, watch })
      return await callService(callDeps, {
        endpoint: { kind: 'page', page: toPage(page) },
        signal,
        take,
      })
    },
    async fetchDump(dump: DumpKind, { signal }: CallOptions = {}): Promise<DumpDownload> {
      const take = (response: Response, watch: Watch) => takeDump(response, { ...shared, watch })
      return await callService(callDeps, { endpoint: { kind: 'dump', dump }, signal, take })
    },
    budget: () => deps.ledger.budget(deps.limits),
    service: { kind, address: toAddress(access.baseUrl, kind) },
  }
}

type Taking = {
  watch: Watch
  now: () => number
  nowMs: () => number
  timeLimits: TimeLimits
  sizeLimits: SizeLimits
  watchForKey: () => EchoWatch
}

async function takePage(page: number, response: Response, how: Taking): Promise<ServicePage> {
  const { watch, now, nowMs, timeLimits, sizeLimits, watchForKey } = how
  watch.limit('page', timeLimits.pageMs, () =>
    timeoutFailure('The answer of the service took too long.'),
  )
  try {
    assertOk(response, now())
    const body = await readWhole(response, {
      watch,
      nowMs,
      idleMs: timeLimits.pageIdleMs,
      idleBytes: 1,
      maximumBytes: sizeLimits.pageBytes,
      watchForKey,
    })
    return parseServicePage(page, body, { headers: response.headers, now: now() })
  } catch (error) {
    // Some services say 404 behind the last page, where others say an empty list.
    const isPastTheEnd = error instanceof AttemptFailure && error.status === 404 && page > 1
    if (!isPastTheEnd) throw error
    void response.body?.cancel().catch(() => {})
    return { page, rows: [], data: [] }
  } finally {
    watch.end()
  }
}

async function takeDump(response: Response, how: Taking): Promise<DumpDownload> {
  const { watch, now, nowMs, timeLimits, sizeLimits, watchForKey } = how
  assertOk(response, now())
  return await openDump(response, {
    watch,
    nowMs,
    now: now(),
    idleMs: timeLimits.dumpIdleMs,
    idleBytes: timeLimits.dumpIdleBytes,
    maximumBytes: sizeLimits.dumpBytes,
    watchForKey,
    errorBytes: sizeLimits.errorBytes,
  })
}

function assertOk(response: Response, now: number): void {
  if (response.status !== 200) throw toStatusFailure(response.status, response.headers, now)
}

function toPage(page: number): number {
  if (Number.isInteger(page) && page >= 1 && page <= HIGHEST_PAGE) return page
  throw new AppError('internal', 'A page is a whole number from 1 to 9999999.')
}

/** A service of ours has no address that anybody could open: its path says enough. */
function toAddress(baseUrl: URL, kind: 'embedded' | 'remote'): string {
  return kind === 'embedded' ? baseUrl.pathname : baseUrl.href
}
