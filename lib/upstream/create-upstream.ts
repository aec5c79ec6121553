import { AppError } from '#lib/contract/faults.ts'
import {
  type Access,
  assertSendable,
  createEchoWatches,
  type Endpoint,
  toPlainUrl,
} from './access.ts'
import {
  type CallDeps,
  callService,
  type Take,
  TIME_LIMITS,
  type TimeLimits,
} from './call-service.ts'
import { type CircuitBreaker, createCircuitBreaker } from './circuit-breaker.ts'
import { type Part, takeDump, takeRest, toRange } from './dump-download.ts'
import { AGAIN, type Reading, type SizeLimits } from './read-answer.ts'
import { takePage } from './service-page.ts'
import type { DumpDownload, ServicePage, Upstream, Validators } from './upstream.ts'
import { isAbout, toConditions } from './validators.ts'

const MEBIBYTE = 1024 * 1024

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
    /** One that knows nothing after a restart where it is not given. */
    gate?: CircuitBreaker
    timeLimits?: Partial<TimeLimits>
    sizeLimits?: Partial<SizeLimits>
  }

/** The client of a service. Throws AppError `internal` for a key that cannot be sent. */
export function createUpstream(deps: UpstreamDeps): Upstream {
  const { baseUrl, key, keyIn, kind, ledger, limits, gate = createCircuitBreaker(deps) } = deps
  const access = { baseUrl: toPlainUrl(baseUrl), key, keyIn }
  assertSendable(access)
  const timeLimits = { ...TIME_LIMITS, ...deps.timeLimits }
  const sizeLimits = { ...SIZE_LIMITS, ...deps.sizeLimits }
  const reading = { ...deps, timeLimits, sizeLimits, watchForKey: createEchoWatches(key) }
  const calls = createCalls({ ...deps, access, gate, timeLimits }, reading)
  return {
    ...calls,
    budget: () => ({
      ...ledger.budget(limits, gate.clock.clocks()),
      pausedUntil: gate.pausedUntil(),
      clockSkewSeconds: gate.clock.skewSeconds(),
    }),
    service: { kind, address: toAddress(access.baseUrl, kind) },
  }
}

/** A service of ours has no address that anybody could open: its path says enough. */
function toAddress(baseUrl: URL, kind: 'embedded' | 'remote'): string {
  return kind === 'embedded' ? baseUrl.pathname : baseUrl.href
}

const HIGHEST_PAGE = 9_999_999

/** The four calls of a client; each asks again where an answer to a condition or a range is of no use. */
export type Calls = Omit<Upstream, 'budget' | 'service'>

function createCalls(deps: CallDeps, reading: Reading): Calls {
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
  (page: number | 'default', reading: Reading): Take<ServicePage> =>
  (response, watch) =>
    takePage(page, { response, watch }, reading)

const takingDump =
  (reading: Reading): Take<DumpDownload> =>
  (response, watch) =>
    takeDump({ response, watch }, reading)

type Asking = { headers: Record<string, string>; take: Take<DumpDownload | typeof AGAIN> }

/** How to ask for the rest behind a part, or for the whole where that cannot be had for certain. */
function toPartial(part: Part | undefined, reading: Reading): Asking {
  const headers = toRange(part)
  if (!part || !headers) return { headers: {}, take: takingDump(reading) }
  return { headers, take: (response, watch) => takeRest(part, { response, watch }, reading) }
}

function toPageEndpoint(page: number | 'default'): Endpoint {
  const isPage = page === 'default' || (Number.isInteger(page) && page >= 1 && page <= HIGHEST_PAGE)
  if (isPage) return { kind: 'page', page }
  throw new AppError('internal', 'A page is a whole number from 1 to 9999999.')
}

/**
 * Takes null of an answer that says that nothing changed since `held`. One that says so of another version, which a
 * cache on the way may do, is of no use.
 */
function unlessUnchanged<T>(held: Validators, take: Take<T>): Take<T | null | typeof AGAIN> {
  const isConditional = Object.keys(toConditions(held)).length > 0
  return async (response, watch) => {
    if (!isConditional || response.status !== 304) return await take(response, watch)
    void response.body?.cancel().catch(() => {})
    watch.close()
    return isAbout(held, response.headers) ? null : AGAIN
  }
}
