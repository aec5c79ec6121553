import type {
  DumpsAnswer,
  Edition,
  EditionsAnswer,
  HealthAnswer,
  Status,
  StatusAnswer,
} from '#lib/contract/answers/status.ts'
import { healthQuery, noQuery } from '#lib/contract/api-queries.ts'
import { AppError } from '#lib/contract/faults.ts'
import type { DumpKind } from '#lib/contract/weekly-clock.ts'
import { readParameters } from './respond.ts'
import type { ApiDeps, Route } from './route.ts'

export type StatusDeps = Pick<ApiDeps, 'archive' | 'sync' | 'upstream' | 'editions' | 'now'>

const QUARANTINE_SHOWN = 10
const EVENTS_SHOWN = 50

/** The state of archive and sync, for `/api/status` and for whoever listens to it. */
export async function toStatus(deps: StatusDeps): Promise<Status> {
  const { archive, sync, upstream } = deps
  const latest =
    archive.state().quarantined === 0 ? [] : await archive.selectQuarantine(QUARANTINE_SHOWN)
  // From here on nothing is waited for: all of it is of one moment.
  const { ratings, generation, completeTo, quarantined, vanished, gaps } = archive.state()
  return {
    archive: { ratings, generation, complete_to: completeTo, vanished, gaps },
    sync: sync.state(),
    plan: sync.plan(),
    runs: sync.runs(),
    budget: sync.budget(),
    editions: { posts: toEdition(deps, 'posts'), lookups: toEdition(deps, 'lookups') },
    discovery: sync.discovery(),
    alarms: sync.alarms(),
    quarantine: {
      rows: quarantined,
      latest: latest.map(({ reason, raw, at }) => ({ reason, raw, at })),
    },
    events: sync.events(EVENTS_SHOWN),
    service: upstream.service,
    now: deps.now(),
  }
}

const toEdition = ({ editions }: StatusDeps, kind: DumpKind): Edition | null =>
  editions.card(kind).edition

export const statusRoute: Route = {
  kind: 'now',
  method: 'GET',
  pattern: '/api/status',
  handle: async ({ deps, params }): Promise<StatusAnswer> => {
    readParameters(noQuery, params)
    return { success: true, code: 200, data: await toStatus(deps) }
  },
}

/** A sync that was begun anew so often is not mended by beginning it anew. */
const RESTARTS_MAX = 3

const stoodStill = () =>
  new AppError('not_ready', 'The sync stood still three times: restart the process.')

/** That this answers at all means that the archive is open: before, the mount says 503 with the reason. */
export const healthRoute: Route = {
  kind: 'now',
  method: 'GET',
  pattern: '/api/health',
  handle: async ({ deps, params }): Promise<HealthAnswer> => {
    const { probe } = readParameters(healthQuery, params)
    if (probe === 'live' && deps.sync.heartbeat().restarts >= RESTARTS_MAX) throw stoodStill()
    const alarms = deps.sync.alarms()
    return {
      success: true,
      code: 200,
      data: { live: true, ready: true, degraded: alarms.length > 0, alarms },
    }
  },
}

export const metricsRoute: Route = {
  kind: 'raw',
  method: 'GET',
  pattern: '/api/metrics',
  handle: async ({ deps, params }) => {
    readParameters(noQuery, params)
    const body = await deps.metrics.render(await toStatus(deps), deps.events.readers())
    const headers = { 'content-type': deps.metrics.contentType, 'cache-control': 'no-store' }
    return new Response(body, { headers })
  },
}

/**
 * Asks for a sync now. Only a page of ours may: a form or a script of another site can send a POST too, but not with
 * this content type without a preflight that nobody answers, and browsers say where it came from.
 */
export const syncRoute: Route = {
  kind: 'now',
  method: 'POST',
  pattern: '/api/sync',
  handle: async ({ deps, params, request }) => {
    readParameters(noQuery, params)
    const json = request.headers.get('content-type')?.split(';')[0]?.trim() === 'application/json'
    if (!json || !isOurs(request.headers)) {
      throw new AppError('forbidden', 'Only a page of this dashboard may ask for a sync.')
    }
    const { at, cost } = deps.sync.requestRun()
    return { success: true, code: 202, data: { ...deps.sync.state(), run: { at, cost } } }
  },
}

/** Over plain HTTP from another machine browsers leave Sec-Fetch-Site out; there the origin has to be our own host. */
function isOurs(headers: Headers): boolean {
  const site = headers.get('sec-fetch-site')
  if (site !== null) return site === 'same-origin'
  const origin = headers.get('origin') ?? ''
  return URL.canParse(origin) && new URL(origin).host === headers.get('host')
}

export const dumpsRoute: Route = {
  kind: 'now',
  method: 'GET',
  pattern: '/api/dumps',
  handle: async ({ deps, params }): Promise<DumpsAnswer> => {
    readParameters(noQuery, params)
    const posts = deps.editions.card('posts')
    const lookups = deps.editions.card('lookups')
    return { success: true, code: 200, data: { posts, lookups } }
  },
}

export const editionsRoute: Route = {
  kind: 'now',
  method: 'GET',
  pattern: '/api/editions',
  handle: async ({ deps, params }): Promise<EditionsAnswer> => {
    readParameters(noQuery, params)
    const posts = deps.editions.list('posts')
    const lookups = deps.editions.list('lookups')
    return { success: true, code: 200, data: { posts, lookups } }
  },
}

/** Nobody on the way may keep it, compress it (which would hold it back), or gather it up. */
const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
}

export const eventsRoute: Route = {
  kind: 'raw',
  method: 'GET',
  pattern: '/api/events',
  handle: async ({ deps, params, request }) => {
    readParameters(noQuery, params)
    if (request.method === 'HEAD') return new Response(null, { headers: HEADERS })
    const body = await deps.events.open(request.headers.get('last-event-id'))
    return new Response(body, { headers: HEADERS })
  },
}
