import 'server-only'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { LiveFigures, Metrics } from '#lib/api/endpoint.ts'
import { ALARM_KINDS, type Status, SYNC_STATES } from '#lib/contract/answers/status.ts'
import { selectHeard } from '#lib/contract/heard-nodes.ts'
import { selectAddress } from '#lib/contract/operations/operations.ts'
import { once } from '#lib/server/environment/once.ts'
import type { Answered } from '#lib/server/gate/traffic.ts'

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

export type ProcessMetrics = Metrics & {
  observeRequest(answered: Answered): void
  observeAttempt(attempt: { endpoint: string; outcome: 'ok' | 'failed'; seconds: number }): void
}

export const processMetrics = (): ProcessMetrics => once('metrics', createMetrics)

/** Prometheus text format. */
export function createMetrics(): ProcessMetrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'bellwether_http_request_duration_seconds',
    help: 'Requests to this dashboard, from their first byte to the last of their answer.',
    labelNames: ['route', 'method', 'status'],
    buckets: SECONDS,
    registers: [registry],
  })
  const attempts = new Histogram({
    name: 'bellwether_service_attempt_duration_seconds',
    help: 'Attempts at the ratings service, each of which spent a request.',
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

/** Computed on scrape, from the same data as `/status`. */
function createGauges(registry: Registry) {
  const gauge = <L extends string>(name: string, help: string, labelNames: L[] = []) =>
    new Gauge({ name: `bellwether_${name}`, help, labelNames, registers: [registry] })
  const ratings = gauge('ratings', 'Ratings in the archive.')
  const vanished = gauge('ratings_vanished', 'Ratings that the service lists no more.')
  const gaps = gauge('unexplained_ids', 'Ids below the highest that nothing explains the lack of.')
  const quarantine = gauge('quarantined_rows', 'Rows that no rating can be read from.')
  const generation = gauge('generation', 'Rises whenever the archive changes.')
  const complete = gauge('complete_to_seconds', 'Up to when the archive is known to be complete.')
  const checked = gauge('checked_at_seconds', 'When the service was last asked for new ratings.')
  const state = gauge('sync_state', '1 for the state that the sync is in.', ['state'])
  const alarms = gauge('alarm', '1 for each alarm that is raised.', ['kind'])
  const used = gauge('budget_used', 'Requests spent.', ['period'])
  const limit = gauge('budget_limit', 'Requests allowed; absent where nothing limits them.', [
    'period',
  ])
  const edition = gauge('edition_fetched_at_seconds', 'When the current dump was fetched.', [
    'dump',
  ])
  const readers = gauge('event_streams', 'Readers of /api/events.')
  const timelines = gauge(
    'timelines_bytes',
    'Memory of symbols and users that are kept to answer from.',
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

/** Absent on a single node. */
function createNodeGauges(registry: Registry) {
  const gauge = (name: string, help: string) =>
    new Gauge({ name: `bellwether_${name}`, help, registers: [registry] })
  const heard = gauge('nodes', 'Nodes heard of lately, as known when the database last answered.')
  const leads = gauge('node_leads', '1 where this node is the one that syncs.')
  const behind = gauge('node_behind_generations', 'Generations that this node still lacks.')
  const reachable = gauge('store_reachable', '1 where the shared database answers this node.')
  const away = gauge('store_away_seconds', 'For how long the shared database has not answered.')

  return ({ nodes, now }: Status) => {
    const awaySince = nodes?.away_since ?? null
    const isReachable = nodes !== null && awaySince === null
    const own = nodes?.list.find(({ name }) => name === nodes.me)
    setKnown(heard, nodes && selectHeard(nodes.list).length)
    // Unknown without the database.
    setKnown(leads, nodes && Number(isReachable && own?.leads === true))
    setKnown(behind, isReachable && own ? own.behind : null)
    setKnown(reachable, nodes && Number(isReachable))
    setKnown(away, nodes && (awaySince === null ? 0 : Math.max(0, now - awaySince)))
  }
}

function createBackupGauges(registers: Registry) {
  const gauge = (name: string, help: string) =>
    new Gauge({ name: `bellwether_backup_${name}`, help, registers: [registers] })
  const at = gauge('made_at_seconds', 'When the newest backup was made that this process keeps.')
  const bytes = gauge('bytes', 'What that one holds.')
  const failures = gauge('failures', 'Backups that failed since the process began.')
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

/** A small set of labels, whatever addresses clients invent. */
export function toRouteLabel(url: string | undefined): string {
  const path = (url ?? '/').split('?')[0] ?? '/'
  if (path.startsWith('/api/')) {
    return selectAddress(path)?.address ?? '/api/*'
  }
  if (path.startsWith('/service/')) return '/service/*'
  if (path.startsWith('/_next/')) return '/_next/*'
  return 'page'
}
