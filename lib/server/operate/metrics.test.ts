import { expect, test } from 'vitest'
import type { Status } from '#lib/contract/answers/status.ts'
import { CALM_STATUS, THREE_NODES } from '#testing/contract/status.ts'
import { createMetrics } from './metrics.ts'

const NOW = 1_795_003_200

const status = (change: Partial<Status> = {}): Status => ({
  ...CALM_STATUS,
  archive: { ...CALM_STATUS.archive, ratings: 98_310, complete_to: NOW - 60 },
  budget: { ...CALM_STATUS.budget, minute: { limit: 60, used: 1 } },
  alarms: [{ kind: 'silent', since: NOW - 3600, message: 'Nobody has rated for 9 h.' }],
  now: NOW,
  ...change,
})

const QUIET = { streams: 0, timelineBytes: 0 }

const samples = (text: string, name: string) =>
  text.split('\n').filter((line) => line.startsWith(`bellwether_${name}`))

test('the gauges say what the status says, in the text format of Prometheus', async () => {
  const text = await createMetrics().render(status(), { streams: 3, timelineBytes: 4096 })
  expect(samples(text, 'ratings ')).toEqual(['bellwether_ratings 98310'])
  expect(samples(text, 'sync_state')).toContain('bellwether_sync_state{state="idle"} 1')
  expect(samples(text, 'sync_state')).toContain('bellwether_sync_state{state="stopped"} 0')
  expect(samples(text, 'alarm')).toContain('bellwether_alarm{kind="silent"} 1')
  expect(samples(text, 'alarm')).toContain('bellwether_alarm{kind="refused"} 0')
  expect(samples(text, 'event_streams')).toEqual(['bellwether_event_streams 3'])
  expect(samples(text, 'timelines')).toEqual(['bellwether_timelines_bytes 4096'])
  expect(samples(text, 'budget_limit')).toEqual(['bellwether_budget_limit{period="minute"} 60'])
})

test('what is not known is absent, not 0, also where it was known before', async () => {
  const metrics = createMetrics()
  expect(samples(await metrics.render(status(), QUIET), 'complete_to_seconds')).toHaveLength(1)
  const { archive } = status()
  const text = await metrics.render(status({ archive: { ...archive, complete_to: null } }), QUIET)
  expect(samples(text, 'complete_to_seconds')).toEqual([])
  expect(samples(text, 'edition_fetched_at_seconds')).toEqual([])
})

const NODE_NAMES = ['nodes', 'node_leads', 'node_behind', 'store_reachable', 'store_away']

const nodeSamples = (text: string) =>
  NODE_NAMES.flatMap((name) => samples(text, name)).map((line) => line.replace('bellwether_', ''))

test('the gauges say of several nodes how many there are, who syncs and what this one lacks', async () => {
  const metrics = createMetrics()
  const list = THREE_NODES.list.map((node, index) => ({ ...node, seen_at: NOW - 20 * index }))
  const nodes = { ...THREE_NODES, list }
  expect(nodeSamples(await metrics.render(status({ nodes }), QUIET))).toEqual([
    'nodes 2',
    'node_leads 0',
    'node_behind_generations 0',
    'store_reachable 1',
    'store_away_seconds 0',
  ])
  const led = await metrics.render(status({ nodes: { ...nodes, me: 'ratings-b:3000' } }), QUIET)
  expect(nodeSamples(led)).toContain('node_leads 1')
  const last = await metrics.render(status({ nodes: { ...nodes, me: 'ratings-c:3000' } }), QUIET)
  expect(nodeSamples(last)).toContain('node_behind_generations 2')
})

test('while the shared database is unreachable nobody syncs, and what is lacked is absent', async () => {
  const nodes = { ...THREE_NODES, me: 'ratings-b:3000', away_since: NOW - 90 }
  expect(nodeSamples(await createMetrics().render(status({ nodes }), QUIET))).toEqual([
    'nodes 3',
    'node_leads 0',
    'store_reachable 0',
    'store_away_seconds 90',
  ])
})

test('the newest backup is told of by when and how large it is, and those that failed are counted', async () => {
  const metrics = createMetrics()
  const backups = {
    folder: '/b',
    every_hours: 24,
    keep: 7,
    is_running: false,
    next_at: NOW,
    failures: 2,
    kept: [{ name: 'a', made_at: NOW - 60, files: 3, bytes: 4096 }],
    failure: null,
  }
  const text = await metrics.render(status({ backups }), QUIET)
  expect(samples(text, 'backup_')).toEqual([
    `bellwether_backup_made_at_seconds ${NOW - 60}`,
    'bellwether_backup_bytes 4096',
    'bellwether_backup_failures 2',
  ])
  const none = await metrics.render(status({ backups: { ...backups, kept: [] } }), QUIET)
  expect(samples(none, 'backup_')).toEqual(['bellwether_backup_failures 2'])
})

test('requests and attempts are counted under few names, and those that broke off too', async () => {
  const metrics = createMetrics()
  const answered = { id: 'x', client: '127.0.0.1', method: 'GET', seconds: 0.02 }
  metrics.observeRequest({ ...answered, url: '/api/symbols/AAPL', status: 200 })
  metrics.observeRequest({ ...answered, url: '/api/symbols/MSFT', status: 200 })
  metrics.observeRequest({ ...answered, url: '/wp-login.php', status: 0 })
  metrics.observeAttempt({ endpoint: 'page', outcome: 'failed', seconds: 1 })
  const text = await metrics.render(status(), QUIET)
  const counts = samples(text, 'http_request_duration_seconds_count')
  expect(counts).toEqual([
    'bellwether_http_request_duration_seconds_count{route="/api/symbols/{symbol}",method="GET",status="2xx"} 2',
    'bellwether_http_request_duration_seconds_count{route="page",method="GET",status="broken off"} 1',
  ])
  expect(samples(text, 'service_attempt_duration_seconds_count')).toEqual([
    'bellwether_service_attempt_duration_seconds_count{endpoint="page",outcome="failed"} 1',
  ])
})
