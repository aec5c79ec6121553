import type { Status } from '#lib/contract/answers/status.ts'

/** An archive of ten ratings, and a sync that has nothing to do. */
export const CALM_STATUS: Status = {
  archive: {
    ratings: 10,
    generation: 1,
    complete_to: null,
    newest_created_at: null,
    quiet_after_seconds: 90 * 86_400,
    vanished: 0,
    gaps: { ids: 0, unexplained: 0, listed: [] },
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
  backups: null,
  service: { kind: 'embedded', address: '/service', invented: false },
  now: 1000,
}
