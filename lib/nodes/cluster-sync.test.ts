import { expect, it, vi } from 'vitest'
import { createEventMemory } from '#lib/sync/running/event-log.ts'
import type { Sync } from '#lib/sync/sync.ts'
import { CALM_STATUS } from '#testing/contract/status.ts'
import { createClusterSync } from './cluster-sync.ts'
import { type PublishedStatus, parsePublished } from './published-status.ts'

const { sync, plan, runs, budget, alarms } = CALM_STATUS
const card = (kind: 'posts' | 'lookups') => ({
  kind,
  state: 'absent' as const,
  reason: null,
  progress: null,
  file_name: null,
  edition: null,
  columns: [],
  first_rows: [],
  next_due_at: 1,
  aside: null,
  cost: 1,
})

const PUBLISHED: PublishedStatus = {
  sync: { ...sync, state: 'following' },
  plan,
  runs,
  days: [],
  alarms,
  budget: {
    ...budget,
    follow_seconds: 60,
    paused_until: null,
    costs: { sync: 2, dump: 1, page: 1 },
  },
  discovery: null,
  cards: { posts: card('posts'), lookups: card('lookups') },
}

function setUp() {
  const world = {
    led: null as Sync | null,
    published: null as PublishedStatus | null,
    isAway: false,
  }
  const wish = vi.fn()
  const cluster = createClusterSync({
    led: () => world.led,
    published: () => world.published,
    isAway: () => world.isAway,
    ownAlarms: () => (world.isAway ? [{ kind: 'store', since: 1, message: 'away' }] : []),
    wish,
    eventLog: createEventMemory(() => 1000),
    now: () => 1000,
    start: () => undefined,
    stop: async () => undefined,
  })
  return { world, wish, cluster }
}

it('a node that follows shows what the one says that syncs', () => {
  const { world, cluster } = setUp()
  expect(cluster.state().state).toBe('starting')
  world.published = PUBLISHED
  expect(cluster.state()).toEqual(PUBLISHED.sync)
  expect(cluster.budget()).toEqual(PUBLISHED.budget)
})

it('while the shared database is unreachable nobody is said to be up to date', () => {
  const { world, cluster } = setUp()
  world.published = PUBLISHED
  world.isAway = true
  expect(cluster.state()).toMatchObject({ state: 'waiting', next_at: null })
  expect(cluster.alarms().map(({ kind }) => kind)).toEqual(['store'])
})

it('what a program of another version published is not misread', () => {
  expect(parsePublished(JSON.stringify(PUBLISHED))).toEqual(PUBLISHED)
  expect(parsePublished('{')).toBeNull()
  expect(parsePublished(JSON.stringify({ ...PUBLISHED, sync: { state: 'new' } }))).toBeNull()
})
