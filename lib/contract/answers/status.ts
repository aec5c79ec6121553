import * as z from 'zod/mini'
import type { RowOf } from '#lib/contract/lists/define-list.ts'
import { quarantineList } from '#lib/contract/lists/quarantine.ts'
import { envelope, seconds } from './envelope.ts'
import { toFacetsAnswer, toPageAnswer } from './lists.ts'

const MOVES = ['bootstrap', 'follow', 'reconcile', 'lookups', 'discover'] as const
export const move = z.enum(MOVES)
export type Move = z.infer<typeof move>

export const syncRun = z.object({
  move,
  started_at: seconds,
  ended_at: seconds,
  outcome: z.enum(['done', 'failed', 'interrupted']),
  requests: z.int(),
  rows: z.nullable(
    z.object({ inserted: z.int(), updated: z.int(), vanished: z.int(), quarantined: z.int() }),
  ),
  reason: z.nullable(z.string()),
})
export type SyncRun = z.infer<typeof syncRun>

export const SYNC_DAYS_MAX = 90

/** `day`: ISO date in UTC. Interrupted runs are not counted. */
export const syncDay = z.object({ day: z.iso.date(), done: z.int(), failed: z.int() })
export type SyncDay = z.infer<typeof syncDay>

const plannedMove = z.object({
  move,
  at: z.nullable(seconds),
  cost: z.int(),
  why: z.string(),
})
export type PlannedMove = z.infer<typeof plannedMove>

export const logEvent = z.object({
  id: z.int(),
  at: seconds,
  level: z.enum(['info', 'warning', 'error']),
  kind: z.enum(['process', 'sync', 'dump', 'service', 'alarm', 'archive']),
  message: z.string(),
  fields: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
})
export type LogEvent = z.infer<typeof logEvent>

/** Null while unknown. */
const progress = z.object({
  step: z.enum(['fetching', 'verifying', 'importing', 'deriving', 'reading', 'discovering']),
  done: z.number(),
  total: z.nullable(z.number()),
  unit: z.enum(['bytes', 'rows', 'pages']),
  since: seconds,
  per_second: z.nullable(z.number()),
  remaining_seconds: z.nullable(z.int()),
})
export type Progress = z.infer<typeof progress>

export type StepProgress = Pick<Progress, 'step' | 'done' | 'total' | 'unit'>

export const discovery = z.object({
  page_size: z.nullable(z.int()),
  first_page: z.nullable(z.int()),
  order: z.nullable(z.enum(['newest', 'oldest', 'none'])),
  order_key: z.nullable(z.string()),
  /** The key changes, so ratings move between pages during a listing. */
  order_key_moves: z.nullable(z.boolean()),
  /** `repeats`: the last page again. */
  past_end: z.nullable(z.enum(['empty', 'not_found', 'error', 'repeats'])),
  page_validators: z.nullable(z.boolean()),
  dump_validators: z.nullable(z.boolean()),
  /** Positive if the service's clock is ahead. */
  clock_skew_seconds: z.nullable(z.int()),
  checked_at: z.nullable(seconds),
})
export type Discovery = z.infer<typeof discovery>

/**
 * `edition_unchanged`: the dump lacks ratings posted before it was made. `edition_aside`: a
 * shrunken dump awaits confirmation. `silent`: no ratings for unusually long. `falling`: each
 * edition is smaller than the last.
 */
export const ALARM_KINDS = [
  'refused',
  'unreachable',
  'disk',
  'budget',
  'edition_late',
  'edition_unchanged',
  'edition_aside',
  'silent',
  'falling',
  'vanished',
  'clock',
  'archive_rebuilt',
  'stalled',
  'store',
  'backup',
  'import_empty',
] as const
export type AlarmKind = (typeof ALARM_KINDS)[number]

const alarm = z.object({
  kind: z.enum(ALARM_KINDS),
  since: seconds,
  message: z.string(),
})
export type Alarm = z.infer<typeof alarm>

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

/** `every_hours` is null if manual. */
export const backups = z.object({
  folder: z.string(),
  every_hours: z.nullable(z.int()),
  keep: z.int(),
  is_running: z.boolean(),
  next_at: z.nullable(seconds),
  kept: z.array(z.object({ name: z.string(), made_at: seconds, files: z.int(), bytes: z.int() })),
  failure: z.nullable(z.object({ at: seconds, reason: z.string() })),
  failures: z.int(),
})
export type BackupsReport = z.infer<typeof backups>

const limit = z.object({ limit: z.nullable(z.int()), used: z.int() })

const gaps = z.object({
  ids: z.int(),
  unexplained: z.int(),
  /** `to` is inclusive. */
  listed: z.array(
    z.object({
      from: z.int(),
      to: z.int(),
      reason: z.enum(['dump', 'quarantine', 'unknown']),
    }),
  ),
})
export type Gaps = z.infer<typeof gaps>

/** `runs_out_at` is null if the budget suffices. */
const budget = z.object({
  minute: limit,
  month: limit,
  spent: z.object({ dump: z.int(), follow: z.int(), people: z.int() }),
  reserved: z.int(),
  resets_at: seconds,
  runs_out_at: z.nullable(seconds),
  paused_until: z.nullable(seconds),
  /** Null if no request is left. */
  follow_seconds: z.nullable(z.int()),
  costs: z.object({ sync: z.int(), dump: z.int(), page: z.int() }),
})
export type BudgetReport = z.infer<typeof budget>

/** `behind`: missing generations. */
const node = z.object({
  name: z.string(),
  version: z.string(),
  generation: z.int(),
  behind: z.int(),
  started_at: seconds,
  seen_at: seconds,
  leads: z.boolean(),
  note: z.nullable(z.string()),
})
export type Node = z.infer<typeof node>

const nodes = z.object({
  me: z.string(),
  store: z.string(),
  away_since: z.nullable(seconds),
  list: z.array(node),
})
export type Nodes = z.infer<typeof nodes>

const day = z.nullable(z.string())

/** `line` is 1-based; `column` is null if the whole record is invalid. */
const rejectedLine = z.object({
  file: z.string(),
  line: z.int(),
  column: z.nullable(z.string()),
  value: z.string(),
  reason: z.string(),
})

export const rejectedLines = z.object({
  set_aside: z.int(),
  reasons: z.array(z.object({ reason: z.string(), rows: z.int() })),
  examples: z.array(rejectedLine),
})
export type RejectedLines = z.infer<typeof rejectedLines>

const priceFile = z.object({
  file: z.string(),
  is_dropped: z.boolean(),
  rows: z.int(),
  set_aside: z.int(),
  problem: z.nullable(z.string()),
})
export type PriceFile = z.infer<typeof priceFile>

const priceFlag = z.object({ symbol: z.string(), date: z.string(), factor: z.string() })

/**
 * `unrated`: priced symbols without ratings. `jumps`: likely unadjusted splits. `benchmark` null:
 * mean of all symbols.
 */
const pricesReport = z.object({
  is_configured: z.boolean(),
  invented: z.boolean(),
  prices: z.int(),
  symbols: z.int(),
  first_day: day,
  last_day: day,
  benchmark: z.nullable(z.string()),
  read_at: z.nullable(seconds),
  /** Why the files found last were not read; the prices read earlier are in use. */
  problem: z.nullable(z.string()),
  files: z.array(priceFile),
  ...rejectedLines.shape,
  doubled: z.int(),
  unrated: z.object({
    symbols: z.int(),
    examples: z.array(z.object({ symbol: z.string(), similar: z.nullable(z.string()) })),
  }),
  /** Closes that are not used. */
  spikes: z.array(priceFlag),
  jumps: z.array(priceFlag),
})
export type PricesReport = z.infer<typeof pricesReport>

const namesReport = z.object({
  is_configured: z.boolean(),
  file: z.nullable(z.string()),
  names: z.int(),
  read_at: z.nullable(seconds),
  problem: z.nullable(z.string()),
  ...rejectedLines.shape,
})
export type NamesReport = z.infer<typeof namesReport>

const postsImport = z.object({
  file: z.string(),
  read_at: seconds,
  ratings: z.int(),
  doubled: z.int(),
  ...rejectedLines.shape,
})
export type PostsImport = z.infer<typeof postsImport>

export const status = z.object({
  archive: z.object({
    ratings: z.int(),
    generation: z.int(),
    complete_to: z.nullable(seconds),
    newest_created_at: z.nullable(seconds),
    quiet_after_seconds: z.int(),
    vanished: z.int(),
    gaps,
    shared: z.boolean(),
  }),
  sync: z.object({
    state: z.enum(SYNC_STATES),
    reason: z.nullable(z.string()),
    move: z.nullable(move),
    progress: z.nullable(progress),
    checked_at: z.nullable(seconds),
    next_at: z.nullable(seconds),
  }),
  plan: z.array(plannedMove),
  runs: z.array(syncRun),
  /** Oldest first; days without a run are left out. */
  days: z.array(syncDay),
  budget,
  editions: z.object({ posts: z.nullable(edition), lookups: z.nullable(edition) }),
  discovery: z.nullable(discovery),
  alarms: z.array(alarm),
  quarantine: z.object({
    rows: z.int(),
    latest: z.array(z.object({ reason: z.string(), raw: z.string(), at: seconds })),
  }),
  events: z.array(logEvent),
  /** Null on a single node, or without the `inspect` permission. */
  nodes: z.nullable(nodes),
  backups: z.nullable(backups),
  prices: z.nullable(pricesReport),
  names: z.nullable(namesReport),
  /** Null without the `inspect` permission, as are the reports above. */
  posts_import: z.nullable(postsImport),
  service: z.object({
    kind: z.enum(['embedded', 'remote']),
    address: z.string(),
    invented: z.boolean(),
  }),
  now: seconds,
})
export type Status = z.infer<typeof status>

export type StatusSummary = Pick<Status, 'archive' | 'sync' | 'alarms' | 'service' | 'now'>

export const statusAnswer = envelope(status, {})
export type StatusAnswer = z.infer<typeof statusAnswer>

const column = z.object({ name: z.string(), type: z.enum(['integer', 'decimal', 'text']) })

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
  aside: z.nullable(z.string()),
  cost: z.int(),
})
export type Dump = z.infer<typeof dump>

const lookupsImport = z.object({
  state: z.enum(['none', 'importing', 'imported', 'unreadable', 'failed']),
  edition: z.nullable(z.string()),
  known_to: z.nullable(seconds),
  lookups: z.int(),
  before: z.nullable(z.int()),
  problem: z.nullable(z.string()),
  set_aside: z.int(),
  reasons: z.array(z.object({ reason: z.string(), rows: z.int() })),
  examples: z.array(z.object({ line: z.int(), reason: z.string(), raw: z.string() })),
})
export type LookupsImport = z.infer<typeof lookupsImport>

export const dumpsAnswer = envelope(
  z.object({ posts: dump, lookups: z.extend(dump, { imported: lookupsImport }) }),
  {},
)

/** Anonymous clients receive `live` only. */
export const healthAnswer = envelope(
  z.object({
    live: z.literal(true),
    ready: z.optional(z.boolean()),
    degraded: z.optional(z.boolean()),
    alarms: z.optional(z.array(alarm)),
  }),
  {},
)
export type HealthAnswer = z.infer<typeof healthAnswer>

const editionEntry = z.extend(edition, {
  file_name: z.string(),
  state: z.enum(['current', 'earlier', 'aside']),
  /** Byte-identical to the previous edition. */
  unchanged: z.boolean(),
  reason: z.nullable(z.string()),
})
export type EditionEntry = z.infer<typeof editionEntry>

export const editionsAnswer = envelope(
  z.object({ posts: z.array(editionEntry), lookups: z.array(editionEntry) }),
  {},
)

export type QuarantinedRow = RowOf<typeof quarantineList>

/** `received` includes deleted rows. */
export const quarantinePage = toPageAnswer(quarantineList, { received: z.int() })

export const quarantineFacetsAnswer = toFacetsAnswer(quarantineList, {})

export const liveEvents = {
  status,
  progress: z.object({ sync: status.shape.sync, now: seconds }),
  commit: z.object({
    generation: z.int(),
    ratings: z.int(),
    /** May be negative. */
    added: z.int(),
    complete_to: z.nullable(seconds),
  }),
  event: logEvent,
  beat: z.object({ now: seconds }),
}
export type LiveEventName = keyof typeof liveEvents

const named = <N extends LiveEventName>(name: N) =>
  z.object({ name: z.literal(name), data: liveEvents[name] })

export const liveEvent = z.discriminatedUnion('name', [
  named('status'),
  named('progress'),
  named('commit'),
  named('event'),
  named('beat'),
])
export type LiveEvent = z.infer<typeof liveEvent>

export const backupsAnswer = envelope(backups, {})

export const priceFilesAnswer = envelope(pricesReport, {})

export const syncAnswer = envelope(
  z.extend(status.shape.sync, { run: z.object({ at: z.nullable(z.int()), cost: z.int() }) }),
  {},
)
