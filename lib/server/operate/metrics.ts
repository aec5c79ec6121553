import 'server-only'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { LiveFigures, Metrics } from '#lib/api/endpoint.ts'
import { ALARM_KINDS, type Status, SYNC_STATES } from '#lib/contract/answers/status.ts'
import { selectLiveNodes } from '#lib/contract/live-nodes.ts'
import { selectAddress } from '#lib/contract/operations/operations.ts'
import { singleton } from '#lib/server/environment/singleton.ts'
import type { Answered } from '#lib/server/gate/traffic.ts'

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

export type ProcessMetrics = Metrics & {
  observeRequest(answered: Answered): void
  observeAttempt(attempt: { endpoint: string; outcome: 'ok' | 'failed'; seconds: number }): void
}

export const processMetrics = (): ProcessMetrics => singleton('metrics', createMetrics)

export function createMetrics(): ProcessMetrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'bellwether_http_request_duration_seconds',
    help: 'Requests to this dashboard, from first byte to end of response.',
    labelNames: ['route', 'method', 'status'],
    buckets: SECONDS,
    registers: [registry],
  })
  const attempts = new Histogram({
    name: 'bellwether_service_attempt_duration_seconds',
    help: 'Attempts to reach the ratings service; each uses one request.',
    labelNames: ['endpoint', 'outcome'],
    buckets: SECONDS,
    registers: [registry],
  })
  const set = createGauges(registry)
  return {
    contentType: registry.contentType,
    observeRequest({ url, method, status, seconds }) {
      const label = status === 0 ? 'broken off' : `${Math.floor(status / 100)}xx`
      requests.observe({ route: toRouteLabel(url), method, status: label }, seconds)
    },
    observeAttempt({ endpoint, outcome, seconds }) {
      attempts.observe({ endpoint, outcome }, seconds)
    },
    async render(status, live) {
      set(status, live)
      return await registry.metrics()
    },
  }
}

function createGauges(registry: Registry) {
  const gauge = <L extends string>(name: string, help: string, labelNames: L[] = []) =>
    new Gauge({ name: `bellwether_${name}`, help, labelNames, registers: [registry] })
  const ratings = gauge('ratings', 'Ratings in the archive.')
  const vanished = gauge('ratings_vanished', 'Ratings that the service no longer lists.')
  const gaps = gauge('unexplained_ids', 'Missing ids without an explanation.')
  const quarantine = gauge('quarantined_rows', 'Rows that could not be read as ratings.')
  const generation = gauge('generation', 'Increases whenever the archive changes.')
  const complete = gauge(
    'complete_to_seconds',
    'Time up to which the archive is known to be complete.',
  )
  const checked = gauge('checked_at_seconds', 'Time of the last check for new ratings.')
  const state = gauge('sync_state', '1 for the current state of the sync.', ['state'])
  const alarms = gauge('alarm', '1 for each active alarm.', ['kind'])
  const used = gauge('budget_used', 'Requests used.', ['period'])
  const limit = gauge('budget_limit', 'Requests allowed; absent without a limit.', ['period'])
  const edition = gauge('edition_fetched_at_seconds', 'Time when the current dump was fetched.', [
    'dump',
  ])
  const readers = gauge('event_streams', 'Clients of /api/events.')
  const timelines = gauge(
    'timelines_bytes',
    'Memory used by cached timelines of symbols and users.',
  )
  const setNodes = createNodeGauges(registry)
  const setBackups = createBackupGauges(registry)

  return (status: Status, live: LiveFigures) => {
    const { archive, sync, budget, editions } = status
    ratings.set(archive.ratings)
    vanished.set(archive.vanished)
    gaps.set(archive.gaps.unexplained)
    quarantine.set(status.quarantine.rows)
    generation.set(archive.generation)
    readers.set(live.streams)
    timelines.set(live.timelineBytes)
    setBackups(status.backups)
    setKnown(complete, archive.complete_to)
    setKnown(checked, sync.checked_at)
    for (const name of SYNC_STATES) state.set({ state: name }, name === sync.state ? 1 : 0)
    for (const kind of ALARM_KINDS) {
      alarms.set({ kind }, status.alarms.some((raised) => raised.kind === kind) ? 1 : 0)
    }
    for (const period of ['minute', 'month'] as const) {
      used.set({ period }, budget[period].used)
      if (budget[period].limit !== null) limit.set({ period }, budget[period].limit)
    }
    for (const dump of ['posts', 'lookups'] as const) {
      const kept = editions[dump]
      if (kept) edition.set({ dump }, kept.fetched_at)
      else edition.remove({ dump })
    }
    setNodes(status)
  }
}

function createNodeGauges(registry: Registry) {
  const gauge = (name: string, help: string) =>
    new Gauge({ name: `bellwether_${name}`, help, registers: [registry] })
  const heard = gauge('nodes', 'Nodes seen recently, as of the last answer of the database.')
  const leads = gauge('node_leads', '1 if this node syncs.')
  const behind = gauge('node_behind_generations', 'Generations that this node is behind.')
  const reachable = gauge('store_reachable', '1 if the shared database answers this node.')
  const away = gauge('store_away_seconds', 'Seconds since the shared database last answered.')

  return ({ nodes, now }: Status) => {
    const awaySince = nodes?.away_since ?? null
    const isReachable = nodes !== null && awaySince === null
    const own = nodes?.list.find(({ name }) => name === nodes.me)
    setKnown(heard, nodes && selectLiveNodes(nodes.list).length)
    setKnown(leads, nodes && Number(isReachable && own?.leads === true))
    setKnown(behind, isReachable && own ? own.behind : null)
    setKnown(reachable, nodes && Number(isReachable))
    setKnown(away, nodes && (awaySince === null ? 0 : Math.max(0, now - awaySince)))
  }
}

function createBackupGauges(registers: Registry) {
  const gauge = (name: string, help: string) =>
    new Gauge({ name: `bellwether_backup_${name}`, help, registers: [registers] })
  const at = gauge('made_at_seconds', 'Time of the newest backup that this process keeps.')
  const bytes = gauge('bytes', 'Size of the newest backup.')
  const failures = gauge('failures', 'Failed backups since the process started.')
  return (backups: Status['backups']) => {
    const last = backups?.kept[0]
    setKnown(at, last?.made_at ?? null)
    setKnown(bytes, last?.bytes ?? null)
    setKnown(failures, backups?.failures ?? null)
  }
}

/** Unknown values are absent, not 0. */
function setKnown(gauge: Gauge, value: number | null): void {
  if (value === null) gauge.remove()
  else gauge.set(value)
}

/** Few labels, whatever addresses clients invent. */
function toRouteLabel(url: string | undefined): string {
  const path = (url ?? '/').split('?')[0] ?? '/'
  if (path.startsWith('/api/')) {
    return selectAddress(path)?.address ?? '/api/*'
  }
  if (path.startsWith('/service/')) return '/service/*'
  if (path.startsWith('/_next/')) return '/_next/*'
  return 'page'
}
