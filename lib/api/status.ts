import { selectQuarantine } from '#lib/archive/quarantine/quarantine.ts'
import type { Edition, HealthAnswer, Status } from '#lib/contract/answers/status.ts'
import { healthQuery, noQuery, postsQuery } from '#lib/contract/api-queries.ts'
import { toStamp } from '#lib/contract/export-name.ts'
import { AppError } from '#lib/contract/faults.ts'
import { toOpenApi } from '#lib/contract/openapi/openapi-document.ts'
import type { processOperations } from '#lib/contract/operations/commands.ts'
import type { stateQuestions } from '#lib/contract/operations/state.ts'
import type { DumpKind } from '#lib/contract/weekly-clock.ts'
import packageFile from '../../package.json' with { type: 'json' }
import {
  type AnswersTo,
  type ApiDeps,
  mayInspect,
  type RespondersTo,
  type Sender,
} from './endpoint.ts'
import {
  isFromUs,
  type Prepared,
  prepare,
  readParameters,
  sendNow,
  sendPrepared,
  toAnswer,
} from './respond.ts'

export type StatusDeps = Pick<
  ApiDeps,
  | 'archive'
  | 'sync'
  | 'upstream'
  | 'editions'
  | 'nodes'
  | 'backups'
  | 'prices'
  | 'names'
  | 'postsImport'
  | 'now'
>

const QUARANTINE_SHOWN = 10
const EVENTS_SHOWN = 50

export async function toStatus(deps: StatusDeps): Promise<Status> {
  const { archive, sync, upstream } = deps
  const latest =
    archive.state().quarantined === 0
      ? []
      : await selectQuarantine(archive.reader, QUARANTINE_SHOWN)
  // Synchronous from here: all values are of one moment.
  const { completeTo, quarantined, newestCreatedAt, quietAfterSeconds, ...held } = archive.state()
  return {
    archive: {
      ratings: held.ratings,
      generation: held.generation,
      complete_to: completeTo,
      newest_created_at: newestCreatedAt,
      quiet_after_seconds: quietAfterSeconds,
      vanished: held.vanished,
      gaps: held.gaps,
      shared: deps.nodes !== undefined,
    },
    sync: sync.state(),
    plan: sync.plan(),
    runs: sync.runs(),
    days: sync.days(),
    budget: sync.budget(),
    editions: { posts: toEdition(deps, 'posts'), lookups: toEdition(deps, 'lookups') },
    discovery: sync.discovery(),
    alarms: sync.alarms(),
    quarantine: {
      rows: quarantined,
      latest: latest.map(({ reason, raw, at }) => ({ reason, raw, at })),
    },
    events: sync.events(EVENTS_SHOWN),
    nodes: deps.nodes?.() ?? null,
    backups: deps.backups.report(),
    prices: deps.prices.report(),
    names: deps.names.report(),
    posts_import: deps.postsImport()?.report ?? null,
    service: upstream.service,
    now: deps.now(),
  }
}

const toEdition = ({ editions }: StatusDeps, kind: DumpKind): Edition | null =>
  editions.card(kind).edition

export const toOutline = (status: Status): Status => ({
  ...status,
  plan: [],
  runs: [],
  discovery: null,
  quarantine: { ...status.quarantine, latest: [] },
  events: [],
  nodes: null,
  backups: null,
  prices: null,
  names: null,
  posts_import: null,
  service: { ...status.service, address: '' },
})

export const stateAnswers: AnswersTo<typeof stateQuestions> = {
  status: async (deps, { caller = null }) => {
    const status = await toStatus(deps)
    return toAnswer(mayInspect({ caller }) ? status : toOutline(status))
  },
}

const RESTARTS_MAX = 3

const stoodStill = () =>
  new AppError('not_ready', 'The sync has stalled three times. Restart the process.')

export const processResponders: RespondersTo<typeof processOperations> = {
  getHealth: async ({ sync }, { params, sender }) => {
    const { probe } = readParameters(healthQuery, params)
    if (probe === 'live' && sync.heartbeat().restarts >= RESTARTS_MAX) throw stoodStill()
    if (sender.caller?.permissions.length === 0) {
      return sendNow({ success: true, code: 200, data: { live: true } } satisfies HealthAnswer)
    }
    const alarms = sync.alarms()
    const data = { live: true, ready: true, degraded: alarms.length > 0, alarms } as const
    return sendNow({ success: true, code: 200, data } satisfies HealthAnswer)
  },

  getMetrics: async (deps, { params }) => {
    readParameters(noQuery, params)
    const { inspectors, readers } = deps.events
    const streams = inspectors.readers() + readers.readers()
    const { symbolTimelines, userTimelines } = deps.archive.reader
    const timelineBytes = symbolTimelines.bytes() + userTimelines.bytes()
    const body = await deps.metrics.render(await toStatus(deps), { streams, timelineBytes })
    const headers = { 'content-type': deps.metrics.contentType, 'cache-control': 'no-store' }
    return new Response(body, { headers })
  },

  requestSync: async ({ sync }, { params, request }) => {
    readParameters(noQuery, params)
    requireOurs(request, 'a sync')
    const { at, cost } = sync.requestRun()
    return sendNow({ success: true, code: 202, data: { ...sync.state(), run: { at, cost } } })
  },

  requestBackup: async ({ backups }, { params, request }) => {
    readParameters(noQuery, params)
    requireOurs(request, 'a backup')
    backups.request()
    return sendNow({ success: true, code: 202, data: backups.report() })
  },

  putPriceFile: async ({ prices }, { params, parts, request, sender: { client } }) => {
    requirePriceFilesOurs(request, params)
    const bytes = Number(request.headers.get('content-length') ?? 0)
    const body = toPieces(request)
    await prices.drop({ name: parts.file ?? '', bytes, body, signal: request.signal, client })
    return sendNow({ success: true, code: 200, data: prices.report() })
  },

  removePriceFile: async ({ prices }, { params, parts, request }) => {
    requirePriceFilesOurs(request, params)
    await prices.remove(parts.file ?? '')
    return sendNow({ success: true, code: 200, data: prices.report() })
  },

  listen: async ({ events }, { params, request, sender }) => {
    readParameters(noQuery, params)
    if (request.method === 'HEAD') return new Response(null, { headers: HEADERS })
    const hub = mayInspect(sender) ? events.inspectors : events.readers
    const body = await hub.open({
      client: toStreamClient(sender),
      lastEventId: request.headers.get('last-event-id'),
    })
    return new Response(body, { headers: HEADERS })
  },

  /** At most 10,000 lines per kind of file. */
  exportRejects: async (deps, { params }) => {
    readParameters(noQuery, params)
    const rejects = [
      ...(deps.postsImport()?.rejects.kept ?? []),
      ...deps.prices.rejects().kept,
      ...deps.names.rejects().kept,
    ]
    const name = `rejects_${rejects.length}-lines_as-of-${toStamp(deps.now())}_UTC.ndjson`
    const lines = rejects.map((reject) => `${JSON.stringify(reject)}\n`).join('')
    return new Response(lines, {
      headers: {
        'content-length': String(Buffer.byteLength(lines)),
        'content-type': 'application/x-ndjson; charset=utf-8',
        'content-disposition': `attachment; filename="${name}"`,
        'cache-control': 'private, no-store, no-transform',
        'bellwether-rows': String(rejects.length),
      },
    })
  },

  getOpenApi: async (_deps, { request, params }) => {
    readParameters(noQuery, params)
    const made = description ?? prepare(await toOpenApi(packageFile.version))
    description = made
    return sendPrepared(request, made)
  },

  getPostsPage: async ({ loadPage }, { params, request }) => {
    const others = new URLSearchParams(params)
    // A key in the address is ignored, and never forwarded.
    others.delete('api_key')
    const { page } = readParameters(postsQuery, others)
    return sendPrepared(request, await loadPage(page))
  },
}

let description: Prepared | null = null

function requirePriceFilesOurs({ headers }: Request, params: URLSearchParams): void {
  readParameters(noQuery, params)
  if (isFromUs(headers)) return
  throw new AppError('forbidden', 'Only a page of this dashboard may change price files.')
}

/**
 * CSRF check: other sites cannot send this content type without a preflight, which is not answered.
 */
function requireOurs({ headers }: Request, what: string): void {
  const json = headers.get('content-type')?.split(';')[0]?.trim() === 'application/json'
  if (json && isFromUs(headers)) return
  throw new AppError('forbidden', `Only a page of this dashboard may start ${what}.`)
}

async function* toPieces({ body }: Request): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    if (body !== null) yield* body
  } catch (cause) {
    throw new AppError('bad_request', 'The upload was incomplete. Nothing was changed.', {
      cause,
    })
  }
}

/** Keeps proxies from caching, compressing or buffering the stream. */
const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
}

const toStreamClient = ({ caller, client }: Sender): string =>
  caller?.name ? `account ${caller.name}` : `address ${client}`
