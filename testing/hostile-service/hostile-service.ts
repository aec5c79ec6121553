import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { Rating } from '#lib/contract/rating.ts'
import type { DumpKind } from '#lib/contract/weekly-clock.ts'
import {
  type Delivery,
  type Fault,
  type FaultScope,
  type Pause,
  PLAINLY,
  type PlainAnswer,
  selectKey,
  toAnswer,
  toFailureAnswer,
  toJsonAnswer,
  toPieces,
  withBody,
  withHeaders,
} from './faults.ts'
import {
  createScript,
  type ServiceEndpoint,
  type ServiceScript,
  type ValidatorKind,
} from './service-script.ts'

export type Planned = { answer: PlainAnswer; delivery: Delivery; done: () => void }

export type HostileDeps = {
  /** Seconds since 1970. */
  now: () => number
  wait?: Pause
  /** The error of a broken connection. */
  toBreak?: () => unknown
}

export type HostileService = ServiceScript &
  Pick<RequestLog, 'requests' | 'count' | 'mostWithin'> & {
    handle(request: Request): Promise<Response>
    plan(request: Request): Planned
    /** Newer faults take precedence. Returns a function that ends it. */
    misbehave(fault: Fault, scope?: FaultScope): () => void
    behave(): void
  }

type Queued = { fault: Fault; scope: FaultScope; left: number }

export function createHostileService(
  deps: HostileDeps,
  change: Partial<ServiceScript> = {},
): HostileService {
  const seen = createRequestLog(deps.now)
  let queue: Queued[] = []
  const take = (endpoint: ServiceEndpoint): Fault | null => {
    const found = queue.find(({ scope }) => scope.on?.includes(endpoint) ?? true)
    if (!found) return null
    found.left -= 1
    if (found.left <= 0) queue = queue.filter((one) => one !== found)
    return found.fault
  }
  const service: HostileService = {
    ...createScript(change),
    ...seen,
    handle: (request) => deliver(service.plan(request), request, deps),
    plan(request) {
      const endpoint = toEndpoint(request)
      const { isOver, retryAfter } = selectOverrun(service, seen)
      const noted = seen.note(request, endpoint)
      const honest = isOver ? toOverrun(retryAfter) : toHonest(request, endpoint, service)
      const fault = endpoint && take(endpoint)
      const answer = fault?.change?.(honest, request) ?? honest
      noted.status = answer.status
      const delivery = { ...PLAINLY, ...fault?.delivery }
      return { answer: dated(answer, service), delivery, done: () => fault?.afterwards?.() }
    },
    misbehave(fault, scope = {}) {
      const queued = { fault, scope, left: scope.times ?? Number.POSITIVE_INFINITY }
      queue = [queued, ...queue]
      return () => {
        queue = queue.filter((one) => one !== queued)
      }
    },
    behave() {
      queue = []
    },
  }
  return service
}

const ENDPOINTS: readonly [suffix: string, endpoint: ServiceEndpoint][] = [
  ['/api/v1/posts', 'page'],
  ['/api/v1/posts/dumps', 'posts'],
  ['/api/v1/lookups/dumps', 'lookups'],
]

function toEndpoint({ url }: Request): ServiceEndpoint | null {
  const { pathname } = new URL(url)
  return ENDPOINTS.find(([suffix]) => pathname.endsWith(suffix))?.[1] ?? null
}

function toHonest(request: Request, endpoint: ServiceEndpoint | null, script: ServiceScript) {
  if (endpoint === null) return toFailureAnswer(404, 'no such address')
  const key = selectKey(request)
  if (script.key !== null && key !== script.key) return toFailureAnswer(401, `unknown key ${key}`)
  const answer =
    endpoint === 'page' ? toPageAnswer(request, script) : toDumpAnswer(endpoint, request, script)
  return script.gzip && answer.status === 200 ? packed(answer, request) : answer
}

function packed(answer: PlainAnswer, request: Request): PlainAnswer {
  if (!request.headers.get('accept-encoding')?.includes('gzip')) return answer
  return withHeaders(withBody(answer, gzipSync(answer.body)), { 'content-encoding': 'gzip' })
}

const MINUTE_SECONDS = 60
const MONTH_SECONDS = 31 * 86_400

function selectOverrun({ limits, toRetryAfter }: ServiceScript, log: RequestLog) {
  const { perMinute, perMonth } = limits
  const isSpent = (limit: number | null, seconds: number) =>
    limit !== null && log.countWithin(seconds) >= limit
  const isMonth = isSpent(perMonth, MONTH_SECONDS)
  const isOver = isMonth || isSpent(perMinute, MINUTE_SECONDS)
  return { isOver, retryAfter: toRetryAfter(isMonth ? MONTH_SECONDS : MINUTE_SECONDS) }
}

const toOverrun = (retryAfter: string | null): PlainAnswer =>
  withHeaders(
    toFailureAnswer(429, 'too many'),
    retryAfter === null ? {} : { 'retry-after': retryAfter },
  )

const dated = (answer: PlainAnswer, { saysTime }: ServiceScript): PlainAnswer =>
  saysTime === null
    ? answer
    : withHeaders(answer, { date: new Date(saysTime() * 1000).toUTCString() })

const WITHOUT_BODY = [204, 304]
const noWait: Pause = async () => undefined

async function deliver(planned: Planned, request: Request, deps: HostileDeps): Promise<Response> {
  const { answer, delivery, done } = planned
  const { wait = noWait, toBreak = () => new Error('The connection was lost.') } = deps
  const { signal } = request
  if (delivery.start !== 'now') {
    if (delivery.start === 'never') await untilAborted(signal)
    done()
    throw delivery.start === 'never' ? signal.reason : toBreak()
  }
  const { status, headers } = answer
  if (WITHOUT_BODY.includes(status) || request.method === 'HEAD') {
    done()
    return new Response(null, { status, headers })
  }
  const pieces = toPieces(answer.body, delivery, { wait, signal })
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done: isOver, value } = await pieces.next()
        if (!isOver) return controller.enqueue(value)
        if (value === 'hold') await untilAborted(signal)
        done()
        if (value === 'reset') controller.error(toBreak())
        else controller.close()
      },
      cancel: () => done(),
    },
    { highWaterMark: 0 },
  )
  return new Response(body, { status, headers })
}

const untilAborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })

function toPageAnswer(request: Request, script: ServiceScript): PlainAnswer {
  const asked = new URL(request.url).searchParams.get('page')
  if (asked !== null && !/^\d{1,7}$/.test(asked)) return toFailureAnswer(400, 'page: not a number')
  const number = asked === null ? script.firstPage : Number(asked)
  const rows = [...script.broken, ...sortRows(script)]
  const pages = Math.max(1, Math.ceil(rows.length / script.pageSize))
  const index = number < script.firstPage ? toIndexOfZero(script, pages) : number - script.firstPage
  if (typeof index !== 'number') return index
  if (index >= pages && script.pastEnd === 'not_found') return toFailureAnswer(404, 'no such page')
  if (index >= pages && script.pastEnd === 'error') return toFailureAnswer(400, 'page: too large')
  const shown = script.pastEnd === 'repeats' ? Math.min(index, pages - 1) : index
  const data = rows.slice(shown * script.pageSize, (shown + 1) * script.pageSize)
  const answer = toJsonAnswer(200, { success: true, code: 200, data })
  const said = toValidators(answer.body, script.pageValidators, script.dumpsMadeAt)
  return conditional(answer, request, said)
}

function toIndexOfZero({ pageZero }: ServiceScript, pages: number): number | PlainAnswer {
  if (pageZero === 'error') return toFailureAnswer(400, 'page: too small')
  if (pageZero === 'unauthorized') return toFailureAnswer(401, 'no such page')
  if (pageZero === 'forbidden') return toFailureAnswer(403, 'no such page')
  if (pageZero === 'not_found') return toFailureAnswer(404, 'no such page')
  if (pageZero === 'fails') return toFailureAnswer(500, 'OFFSET must not be negative')
  if (pageZero === 'empty') return toJsonAnswer(200, { success: true, code: 200, data: [] })
  return pageZero === 'first' ? 0 : pages - 1
}

function sortRows({ ratings, order }: ServiceScript): Rating[] {
  if (typeof order === 'function') return ratings.toSorted(order)
  if (order === 'shuffled') return ratings.toSorted((a, b) => toHash(a.id) - toHash(b.id))
  const sign = order === 'oldest' ? 1 : -1
  return ratings.toSorted((a, b) => sign * (a.id - b.id))
}

const toHash = (id: number) => (id * 7919) % 1009

function toDumpAnswer(kind: DumpKind, request: Request, script: ServiceScript): PlainAnswer {
  const text = script.dumps[kind](script)
  const body = typeof text === 'string' ? Buffer.from(text) : text
  const said = toValidators(body, script.dumpValidators, script.dumpsMadeAt)
  const whole = conditional(toAnswer(200, 'text/csv; charset=utf-8', body), request, said)
  if (whole.status !== 200 || script.ranges === 'none') return whole
  const ranged = withHeaders(whole, { 'accept-ranges': 'bytes' })
  const from = parseFrom(request.headers.get('range'))
  if (from === null) return ranged
  if (script.ranges !== 'blind' && !isSameForRange(request, said)) return ranged
  return toPart(ranged, from, script.ranges)
}

function parseFrom(range: string | null): number | null {
  const found = /^bytes=(\d{1,15})-$/.exec(range ?? '')
  return found ? Number(found[1]) : null
}

function toPart(whole: PlainAnswer, from: number, ranges: ServiceScript['ranges']): PlainAnswer {
  const size = whole.body.byteLength
  if (ranges === 'refused' || from >= size) {
    const headers = { 'content-range': `bytes */${size}`, 'content-length': '0' }
    return { status: 416, headers, body: new Uint8Array() }
  }
  const start = ranges === 'shifted' ? Math.max(0, from - 1) : from
  const part = withBody({ ...whole, status: 206 }, whole.body.subarray(start))
  return withHeaders(part, { 'content-range': `bytes ${start}-${size - 1}/${size}` })
}

type SentValidators = { etag: string | null; lastModified: string | null }

/** `madeAt` in seconds since 1970. */
function toValidators(body: Uint8Array, said: ValidatorKind, madeAt: number): SentValidators {
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 16)
  const etags = { etag: `"${hash}"`, both: `"${hash}"`, weak_etag: `W/"${hash}"` }
  const isDated = said === 'last_modified' || said === 'both'
  return {
    etag: said === 'none' || said === 'last_modified' ? null : etags[said],
    lastModified: isDated ? new Date(madeAt * 1000).toUTCString() : null,
  }
}

function conditional(
  answer: PlainAnswer,
  request: Request,
  validators: SentValidators,
): PlainAnswer {
  const headers = {
    ...(validators.etag === null ? {} : { etag: validators.etag }),
    ...(validators.lastModified === null ? {} : { 'last-modified': validators.lastModified }),
  }
  const held = request.headers.get('if-none-match')
  const since = request.headers.get('if-modified-since')
  const isHeld = held !== null && held === validators.etag
  const isOld = held === null && since !== null && since === validators.lastModified
  if (isHeld || isOld) return { status: 304, headers, body: new Uint8Array() }
  return withHeaders(answer, headers)
}

/** A weak tag does not identify bytes. */
function isSameForRange(request: Request, { etag, lastModified }: SentValidators): boolean {
  const asked = request.headers.get('if-range')
  if (asked === null) return true
  return (asked === etag && !asked.startsWith('W/')) || asked === lastModified
}

/** `at` in seconds since 1970. */
export type SeenRequest = {
  /** Null for unknown addresses. */
  endpoint: ServiceEndpoint | null
  page: number | null
  method: string
  headers: Headers
  at: number
  status: number
}

type RequestLog = {
  requests: SeenRequest[]
  count(endpoint?: ServiceEndpoint): number
  countWithin(seconds: number): number
  /** In any window of this length. */
  mostWithin(seconds: number): number
  note(request: Request, endpoint: ServiceEndpoint | null): SeenRequest
}

/** `now` in seconds since 1970. */
function createRequestLog(now: () => number): RequestLog {
  const requests: SeenRequest[] = []
  return {
    requests,
    count: (endpoint) =>
      requests.filter((one) => endpoint === undefined || one.endpoint === endpoint).length,
    countWithin: (seconds) => requests.filter(({ at }) => at > now() - seconds).length,
    mostWithin: (seconds) =>
      Math.max(
        0,
        ...requests.map(
          (first, index) =>
            requests.slice(index).filter(({ at }) => at < first.at + seconds).length,
        ),
      ),
    note(request, endpoint) {
      const page = new URL(request.url).searchParams.get('page')
      const noted: SeenRequest = {
        endpoint,
        page: page === null ? null : Number(page),
        method: request.method,
        headers: new Headers(request.headers),
        at: now(),
        status: 0,
      }
      requests.push(noted)
      return noted
    },
  }
}
