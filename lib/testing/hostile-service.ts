import { gzipSync } from 'node:zlib'
import { type Delivery, type Pause, PLAINLY, toPieces } from './delivery.ts'
import { toDumpAnswer } from './dump-answer.ts'
import { type Fault, type FaultScope, selectKey } from './faults.ts'
import { toPageAnswer } from './page-answer.ts'
import { type PlainAnswer, toFailureAnswer, withBody, withHeaders } from './plain-answer.ts'
import { createSeen, type Seen } from './seen-requests.ts'
import { createScript, type ServiceEndpoint, type ServiceScript } from './service-script.ts'

/** An answer, and how it is to leave. `done` is called when it has, or cannot any more. */
export type Planned = { answer: PlainAnswer; delivery: Delivery; done: () => void }

export type HostileDeps = {
  /** Seconds since 1970. */
  now: () => number
  /** For deliveries that take their time; without it they take none. */
  wait?: Pause
  /** What a transport is to throw where the connection breaks. */
  toBreak?: () => unknown
}

/** A service that speaks the specification, and beside it does what a test tells it. */
export type HostileService = ServiceScript &
  Pick<Seen, 'requests' | 'count' | 'mostWithin'> & {
    /** A transport, with no socket in between. */
    handle(request: Request): Promise<Response>
    /** What a request is answered with, for whoever sends it. */
    plan(request: Request): Planned
    /** Misbehaves from now on, before what it was told earlier. Gives what ends it. */
    misbehave(fault: Fault, scope?: FaultScope): () => void
    /** Forgets all faults. */
    behave(): void
  }

type Queued = { fault: Fault; scope: FaultScope; left: number }

export function createHostileService(
  deps: HostileDeps,
  change: Partial<ServiceScript> = {},
): HostileService {
  const seen = createSeen(deps.now)
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

function selectOverrun({ limits, toRetryAfter }: ServiceScript, seen: Seen) {
  const { perMinute, perMonth } = limits
  const isSpent = (limit: number | null, seconds: number) =>
    limit !== null && seen.countWithin(seconds) >= limit
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
  const { wait = noWait, toBreak = () => new Error('The connection broke.') } = deps
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
