import * as z from 'zod/mini'
import { envelope } from '../envelope.ts'
import { alarm } from './alarms.ts'
import { discovery } from './discovery.ts'
import { progress } from './progress.ts'
import { seconds } from './shared.ts'
import { logEvent, move, plannedMove, syncRun } from './sync-runs.ts'

/** A dump as it is kept: `edition` its Sunday, `next_due_at` when the service makes the next one. */
export const edition = z.object({
  edition: z.string(),
  rows: z.int(),
  bytes: z.int(),
  sha256: z.string(),
  fetched_at: seconds,
  next_due_at: seconds,
})
export type Edition = z.infer<typeof edition>

export const SYNC_STATES = [
  'starting',
  'bootstrapping',
  'following',
  'reconciling',
  'idle',
  'waiting',
  'stopped',
] as const

const limit = z.object({ limit: z.nullable(z.int()), used: z.int() })

/**
 * Ratings that are missing by their number: ids between the lowest and the highest that the archive holds. A range is
 * explained where the service itself does not list it either: by a whole dump made after it (`dump`), or by a row that
 * was no rating (`quarantine`). `unknown` may be missing; the next edition tells.
 */
export const gaps = z.object({
  /** Ids in all, and those of them that nothing explains. */
  ids: z.int(),
  unexplained: z.int(),
  /** The ranges, unexplained and newest first, at most 20; `to` inclusive. */
  listed: z.array(
    z.object({
      from: z.int(),
      to: z.int(),
      reason: z.enum(['dump', 'quarantine', 'unknown']),
    }),
  ),
})
export type Gaps = z.infer<typeof gaps>

/**
 * Requests spent and to be spent. `spent` splits those of this month; `reserved` are kept back for the dumps that are
 * still to come in it. `runs_out_at`: when the month's are gone at the pace of late, null where they last. `paused_until`:
 * until when the service asked to be left alone, or is left alone since it does not answer.
 */
export const budget = z.object({
  minute: limit,
  month: limit,
  spent: z.object({ dump: z.int(), follow: z.int(), people: z.int() }),
  reserved: z.int(),
  resets_at: seconds,
  runs_out_at: z.nullable(seconds),
  paused_until: z.nullable(seconds),
  /** Seconds from one follow to the next as planned; null where no request is left to follow with. */
  follow_seconds: z.nullable(z.int()),
  /** What an action costs, in requests: a sync now, a dump fetched, a page of the service seen. */
  costs: z.object({ sync: z.int(), dump: z.int(), page: z.int() }),
})
export type BudgetReport = z.infer<typeof budget>

export const status = z.object({
  archive: z.object({
    ratings: z.int(),
    generation: z.int(),
    complete_to: z.nullable(seconds),
    /** Ratings that the service lists no more. */
    vanished: z.int(),
    gaps,
  }),
  sync: z.object({
    state: z.enum(SYNC_STATES),
    /** Why it is in that state, in a sentence for people; null where there is nothing to say. */
    reason: z.nullable(z.string()),
    /** What runs; null between two runs. */
    move: z.nullable(move),
    progress: z.nullable(progress),
    checked_at: z.nullable(seconds),
    next_at: z.nullable(seconds),
  }),
  /** What is to come, soonest first. */
  plan: z.array(plannedMove),
  /** What ran, newest first: a few of each move. */
  runs: z.array(syncRun),
  budget,
  editions: z.object({ posts: z.nullable(edition), lookups: z.nullable(edition) }),
  discovery: z.nullable(discovery),
  alarms: z.array(alarm),
  quarantine: z.object({
    rows: z.int(),
    /** The newest few, for `/status`. */
    latest: z.array(z.object({ reason: z.string(), raw: z.string(), at: seconds })),
  }),
  /** The newest entries of the event log, newest first. */
  events: z.array(logEvent),
  service: z.object({ kind: z.enum(['embedded', 'remote']), address: z.string() }),
  now: seconds,
})
export type Status = z.infer<typeof status>

/** `GET /api/status`. */
export const statusAnswer = envelope(status, {})
export type StatusAnswer = z.infer<typeof statusAnswer>

/** Records of an edition against the one before it, told apart by their `id` where they have one, else by their text. */
export const editionChanges = z.object({
  /** The Sunday of the edition before. */
  against: z.string(),
  added: z.int(),
  changed: z.int(),
  gone: z.int(),
})
export type EditionChanges = z.infer<typeof editionChanges>

const column = z.object({ name: z.string(), type: z.enum(['integer', 'decimal', 'text']) })

/** One dump's card: what is kept, what is being fetched, what went wrong. `first_rows` are at most 20. */
export const dump = z.object({
  kind: z.enum(['posts', 'lookups']),
  state: z.enum(['absent', 'fetching', 'ready', 'stale', 'failed']),
  reason: z.nullable(z.string()),
  progress: z.nullable(progress),
  file_name: z.nullable(z.string()),
  edition: z.nullable(edition),
  columns: z.array(column),
  first_rows: z.array(z.array(z.string())),
  next_due_at: seconds,
  changes: z.nullable(editionChanges),
  /** Why an edition that came was set aside instead of served; null where none is. */
  aside: z.nullable(z.string()),
  /** Requests that a fetch costs. */
  cost: z.int(),
})
export type Dump = z.infer<typeof dump>

/** `GET /api/dumps`. */
export const dumpsAnswer = envelope(z.object({ posts: dump, lookups: dump }), {})
export type DumpsAnswer = z.infer<typeof dumpsAnswer>

/**
 * `GET /api/health`: 200 where it can serve, though `degraded` where `alarms` are raised; a 503 is the failure envelope
 * with the reason. `?probe=live` is 200 as long as the process answers at all.
 */
export const healthAnswer = envelope(
  z.object({
    live: z.literal(true),
    ready: z.boolean(),
    degraded: z.boolean(),
    alarms: z.array(alarm),
  }),
  {},
)
export type HealthAnswer = z.infer<typeof healthAnswer>
