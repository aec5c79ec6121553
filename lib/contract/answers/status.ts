import * as z from 'zod/mini'
import type { RowOf } from '#lib/contract/lists/define-list.ts'
import { quarantineList } from '#lib/contract/lists/quarantine.ts'
import { envelope, seconds } from './envelope.ts'
import { toFacetsAnswer, toPageAnswer } from './lists.ts'

/** The moves of a sync, and what it fetches beside them. */
const MOVES = ['bootstrap', 'follow', 'reconcile', 'lookups', 'discover'] as const
export const move = z.enum(MOVES)
export type Move = z.infer<typeof move>

/** A run that has ended. Rows are null where it imported nothing. */
export const syncRun = z.object({
  move,
  started_at: seconds,
  ended_at: seconds,
  outcome: z.enum(['done', 'failed', 'interrupted']),
  /** Requests that were sent for it. */
  requests: z.int(),
  rows: z.nullable(
    z.object({ inserted: z.int(), updated: z.int(), vanished: z.int(), quarantined: z.int() }),
  ),
  /** Why it failed, or what it could not do; null where there is nothing to say. */
  reason: z.nullable(z.string()),
})
export type SyncRun = z.infer<typeof syncRun>

/** What is to come: when (null: not this month), at what cost in requests, and why then, in a sentence. */
const plannedMove = z.object({
  move,
  at: z.nullable(seconds),
  cost: z.int(),
  why: z.string(),
})
export type PlannedMove = z.infer<typeof plannedMove>

/** One entry of the event log, for people: ids rise, and go on rising after a restart. */
export const logEvent = z.object({
  id: z.int(),
  at: seconds,
  level: z.enum(['info', 'warning', 'error']),
  kind: z.enum(['process', 'sync', 'dump', 'service', 'alarm', 'archive']),
  message: z.string(),
  fields: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
})
export type LogEvent = z.infer<typeof logEvent>

/**
 * How far a running step is: `total` is null where nobody knows it yet. `since` is when the step began, `per_second` how
 * many units came in a second lately, `remaining_seconds` what is left at that pace; null where nothing can be said.
 */
const progress = z.object({
  step: z.enum([
    'fetching',
    'verifying',
    'comparing',
    'importing',
    'deriving',
    'reading',
    'discovering',
  ]),
  done: z.number(),
  total: z.nullable(z.number()),
  unit: z.enum(['bytes', 'rows', 'pages']),
  since: seconds,
  per_second: z.nullable(z.number()),
  remaining_seconds: z.nullable(z.int()),
})
export type Progress = z.infer<typeof progress>

/** What whoever does a step says of it; the pace is worked out by whoever listens. */
export type StepProgress = Pick<Progress, 'step' | 'done' | 'total' | 'unit'>

/**
 * How the service lists its ratings, which the specification leaves open: found out by reading, kept, looked at again.
 * Each is null while it is not known.
 */
export const discovery = z.object({
  /** Rows on a full page. */
  page_size: z.nullable(z.int()),
  /** The number of the first page: whether an address without `page` shows page 1 or one before it. */
  first_page: z.nullable(z.int()),
  /** What stands first. `none`: no order of time or number. */
  order: z.nullable(z.enum(['newest', 'oldest', 'none'])),
  /** The field that the rows are in order of. */
  order_key: z.nullable(z.string()),
  /** Whether that field changes, so that a rating moves from page to page while it is listed. */
  order_key_moves: z.nullable(z.boolean()),
  /** What a page behind the last one is. `repeats`: the last page again. */
  past_end: z.nullable(z.enum(['empty', 'not_found', 'error', 'repeats'])),
  /** Whether a page or a dump names its version, so that an unchanged one need not be sent again. */
  page_validators: z.nullable(z.boolean()),
  dump_validators: z.nullable(z.boolean()),
  /** How far the service's clock is ahead of ours, in seconds. */
  clock_skew_seconds: z.nullable(z.int()),
  /** When it was last looked at; null before the first time. */
  checked_at: z.nullable(seconds),
})
export type Discovery = z.infer<typeof discovery>

/**
 * What may be wrong although every request succeeds, and what is wrong plainly. `edition_late`: the week's dump is not
 * here hours after it was due. `edition_unchanged`: what came lacks ratings that were posted before it was made.
 * `edition_aside`: one that shrank waits for a second that confirms it. `silent`: nobody has rated for longer than the
 * community ever is silent. `falling`: each edition holds fewer rows than the one before. `archive_rebuilt`: the archive
 * file was damaged, set aside, and filled again. `stalled`: the sync gives no sign of life. `store`: the database that
 * several nodes share cannot be reached, or this node cannot use it.
 * `backup`: the last one failed, though backups are made by themselves.
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

/** `since` is when it was first seen; `message` is a sentence or two for people. */
const alarm = z.object({
  kind: z.enum(ALARM_KINDS),
  since: seconds,
  message: z.string(),
})
export type Alarm = z.infer<typeof alarm>

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

/**
 * How the data folder is backed up. `every_hours` null: only when somebody asks. `kept` are those that this process made in
 * the folder, newest first. `failure` is the last one's; null where the last one succeeded. `failures` since the start.
 */
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

/**
 * Ratings that are missing by their number: ids between the lowest and the highest that the archive holds. A range is
 * explained where the service itself does not list it either: by a whole dump made after it (`dump`), or by a row that
 * was no rating (`quarantine`). `unknown` may be missing; the next edition tells.
 */
const gaps = z.object({
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
const budget = z.object({
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

/** A node of several that share a database. `behind`: how many generations of the archive it still lacks. */
const node = z.object({
  name: z.string(),
  version: z.string(),
  generation: z.int(),
  behind: z.int(),
  started_at: seconds,
  /** When it last said that it lives. */
  seen_at: seconds,
  /** Whether it is the one that syncs. */
  leads: z.boolean(),
  /** What is wrong with it, in a sentence; null where nothing is. */
  note: z.nullable(z.string()),
})
export type Node = z.infer<typeof node>

/** The nodes as they were known when the shared database was last reached. */
const nodes = z.object({
  /** The name of the node that answers. */
  me: z.string(),
  /** Where the shared database is, without user and password. */
  store: z.string(),
  /** Since when it cannot be reached; null where it can. */
  away_since: z.nullable(seconds),
  list: z.array(node),
})
export type Nodes = z.infer<typeof nodes>

const day = z.nullable(z.string())

/** A line of an operator's file that was not read. `line` counts from 1; `column` is null if the whole record is wrong; `value` is shortened. */
const rejectedLine = z.object({
  file: z.string(),
  line: z.int(),
  column: z.nullable(z.string()),
  value: z.string(),
  reason: z.string(),
})

/** What was left out of an operator's files: all rejects by reason, and the first ones. `/api/rejects.ndjson` has more of them. */
export const rejectedLines = z.object({
  set_aside: z.int(),
  reasons: z.array(z.object({ reason: z.string(), rows: z.int() })),
  examples: z.array(rejectedLine),
})
export type RejectedLines = z.infer<typeof rejectedLines>

/** A price file: how many prices were read of it and how many records were none, or why it could not be read to its end, as the end of a sentence. */
const priceFile = z.object({
  file: z.string(),
  /** An operator put it here, and may take it away. */
  is_dropped: z.boolean(),
  rows: z.int(),
  set_aside: z.int(),
  problem: z.nullable(z.string()),
})
export type PriceFile = z.infer<typeof priceFile>

/**
 * The prices that ratings are held against. `doubled` days of a symbol had several closes; `unrated` symbols have prices and no rating:
 * `similar` is a rated symbol that may be meant. `jumps` look like splits that are not adjusted, `factor` times the close before. `benchmark` null is the mean of all symbols.
 * `invented` prices are of no file: a program wrote them for the demo community.
 */
export const pricesReport = z.object({
  is_configured: z.boolean(),
  invented: z.boolean(),
  prices: z.int(),
  symbols: z.int(),
  first_day: day,
  last_day: day,
  benchmark: z.nullable(z.string()),
  read_at: z.nullable(seconds),
  files: z.array(priceFile),
  ...rejectedLines.shape,
  doubled: z.int(),
  unrated: z.object({
    symbols: z.int(),
    examples: z.array(z.object({ symbol: z.string(), similar: z.nullable(z.string()) })),
  }),
  jumps: z.array(z.object({ symbol: z.string(), date: z.string(), factor: z.string() })),
})
export type PricesReport = z.infer<typeof pricesReport>

/** What symbols are called: how many names were read, the records that were none, or why none could be read (the end of a sentence). */
const namesReport = z.object({
  is_configured: z.boolean(),
  file: z.nullable(z.string()),
  names: z.int(),
  read_at: z.nullable(seconds),
  problem: z.nullable(z.string()),
  ...rejectedLines.shape,
})
export type NamesReport = z.infer<typeof namesReport>

/** How the file of SERVICE_POSTS_CSV was read into the embedded service. Of rows with one id the last counts; `doubled` counts the others. */
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
    /** When the newest rating was posted, and how long after it the community is quiet, by its own rhythm. */
    newest_created_at: z.nullable(seconds),
    quiet_after_seconds: z.int(),
    /** Ratings that the service lists no more. */
    vanished: z.int(),
    gaps,
    /** Whether several nodes hold these ratings, each as of a generation of its own. */
    shared: z.boolean(),
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
  /** null where one process is all there is. */
  nodes: z.nullable(nodes),
  /** null for whoever may not inspect. */
  backups: z.nullable(backups),
  /** null for whoever may not inspect. */
  prices: z.nullable(pricesReport),
  /** null for whoever may not inspect. */
  names: z.nullable(namesReport),
  /** null unless the embedded service was filled from a file, and for whoever may not inspect. */
  posts_import: z.nullable(postsImport),
  service: z.object({
    kind: z.enum(['embedded', 'remote']),
    address: z.string(),
    /** The community is made up, to try the dashboard with. */
    invented: z.boolean(),
  }),
  now: seconds,
})
export type Status = z.infer<typeof status>

/** What every page knows of it. The lists, the plan and the budget are for `/status` alone. */
export type StatusSummary = Pick<Status, 'archive' | 'sync' | 'alarms' | 'service' | 'now'>

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

/**
 * What was read of the look-ups: of which edition, and up to when they are known (its Sunday). `problem` says in a sentence whose
 * subject is the dump why the newest edition is not among them; `before` is how many there were by the edition before.
 */
const lookupsImport = z.object({
  state: z.enum(['none', 'importing', 'imported', 'unreadable', 'failed']),
  edition: z.nullable(z.string()),
  known_to: z.nullable(seconds),
  lookups: z.int(),
  before: z.nullable(z.int()),
  problem: z.nullable(z.string()),
  set_aside: z.int(),
  reasons: z.array(z.object({ reason: z.string(), rows: z.int() })),
  examples: z.array(z.object({ row: z.int(), reason: z.string(), raw: z.string() })),
})
export type LookupsImport = z.infer<typeof lookupsImport>

/** `GET /api/dumps`. */
export const dumpsAnswer = envelope(
  z.object({ posts: dump, lookups: z.extend(dump, { imported: lookupsImport }) }),
  {},
)
export type DumpsAnswer = z.infer<typeof dumpsAnswer>

/**
 * `GET /api/health`: 200 where it can serve, though `degraded` where `alarms` are raised; a 503 is the failure envelope
 * with the reason. `?probe=live` is 200 as long as the process answers at all. Whoever was not let in is told `live` alone.
 */
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

/**
 * A dump on disk. `current` is what is served under the dump's own address, `earlier` one before it, `aside` one that
 * shrank and waits for a second edition to confirm it (`reason` says so).
 */
const editionEntry = z.extend(edition, {
  file_name: z.string(),
  state: z.enum(['current', 'earlier', 'aside']),
  /** Whether its bytes are those of the edition before. */
  unchanged: z.boolean(),
  /** Against the edition before; null where there is none, or it has not been worked out. */
  changes: z.nullable(editionChanges),
  reason: z.nullable(z.string()),
})
export type EditionEntry = z.infer<typeof editionEntry>

/** `GET /api/editions`: newest first. Each file lies under `/api/editions/{file}`. */
export const editionsAnswer = envelope(
  z.object({ posts: z.array(editionEntry), lookups: z.array(editionEntry) }),
  {},
)
export type EditionsAnswer = z.infer<typeof editionsAnswer>

export type QuarantinedRow = RowOf<typeof quarantineList>

/** `GET /api/quarantine`. `received` is how many rows there ever were: the oldest are deleted when there are too many. */
export const quarantinePage = toPageAnswer(quarantineList, { received: z.int() })

/** `GET /api/quarantine/facets`. */
export const quarantineFacetsAnswer = toFacetsAnswer(quarantineList, {})

/**
 * `GET /api/events`, server-sent events. `status`: all of `/api/status`, first of all and whenever something of it has
 * changed for good. `progress`: the sync alone, a few times a second while a step runs. `commit`: the archive holds
 * something else than before. `event`: an entry of the event log. `beat`: nothing, so that both ends know that the
 * connection stands.
 */
export const liveEvents = {
  status,
  progress: z.object({ sync: status.shape.sync, now: seconds }),
  commit: z.object({
    generation: z.int(),
    ratings: z.int(),
    /** Ratings more than before; may be 0 or less where ratings changed. */
    added: z.int(),
    complete_to: z.nullable(seconds),
  }),
  event: logEvent,
  beat: z.object({ now: seconds }),
}
export type LiveEventName = keyof typeof liveEvents

const named = <N extends LiveEventName>(name: N) =>
  z.object({ name: z.literal(name), data: liveEvents[name] })

/** An event with its name. */
export const liveEvent = z.discriminatedUnion('name', [
  named('status'),
  named('progress'),
  named('commit'),
  named('event'),
  named('beat'),
])
export type LiveEvent = z.infer<typeof liveEvent>

/** `POST /api/backups`. */
export const backupsAnswer = envelope(backups, {})

/** `PUT` and `DELETE /api/prices/{file}`. */
export const priceFilesAnswer = envelope(pricesReport, {})

/** `POST /api/sync`. */
export const syncAnswer = envelope(
  z.extend(status.shape.sync, { run: z.object({ at: z.nullable(z.int()), cost: z.int() }) }),
  {},
)
