import type { Node, Nodes, Status } from '#lib/contract/answers/status.ts'

export const CALM_STATUS: Status = {
  archive: {
    ratings: 10,
    generation: 1,
    complete_to: null,
    newest_created_at: null,
    quiet_after_seconds: 90 * 86_400,
    vanished: 0,
    gaps: { ids: 0, unexplained: 0, listed: [] },
    shared: false,
  },
  sync: {
    state: 'idle',
    reason: null,
    move: null,
    progress: null,
    checked_at: null,
    next_at: null,
  },
  plan: [],
  runs: [],
  days: [],
  budget: {
    minute: { limit: null, used: 0 },
    month: { limit: null, used: 0 },
    spent: { dump: 0, follow: 0, people: 0 },
    reserved: 0,
    resets_at: 0,
    runs_out_at: null,
    paused_until: null,
    follow_seconds: null,
    costs: { sync: 1, dump: 1, page: 1 },
  },
  editions: { posts: null, lookups: null },
  discovery: null,
  alarms: [],
  quarantine: { rows: 0, latest: [] },
  events: [],
  nodes: null,
  backups: null,
  prices: null,
  names: null,
  posts_import: null,
  service: { kind: 'embedded', address: '/service', invented: false },
  now: 1000,
}

export const THREE_NODES: Nodes = {
  me: 'ratings-a:3000',
  store: 'db-1.example:5432, db-2.example:5432, database bellwether',
  away_since: null,
  list: [
    toNode('ratings-a:3000', {}),
    toNode('ratings-b:3000', { leads: true, version: '0.2.0' }),
    toNode('ratings-c:3000', { behind: 2, generation: 1202, note: 'The disk is full.' }),
  ],
}

function toNode(name: string, change: Partial<Node>): Node {
  const known = { version: '0.1.0', generation: 1204, behind: 0, leads: false, note: null }
  return { name, ...known, started_at: CALM_STATUS.now - 900, seen_at: CALM_STATUS.now, ...change }
}
