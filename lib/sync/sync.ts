import type {
  Alarm,
  BudgetReport,
  Discovery,
  Dump,
  Edition,
  EditionChanges,
  EditionEntry,
  LogEvent,
  PlannedMove,
  Status,
  StepProgress,
  SyncRun,
} from '#lib/contract/answers/status.ts'
import type { AppError } from '#lib/contract/faults.ts'
import type { KindCounts } from '#lib/contract/lists/edition-differences.ts'
import type { DumpKind } from '#lib/contract/weekly-clock.ts'
import type { Purpose, Validators } from '#lib/upstream/upstream.ts'

/** A dump that is kept on disk, whole and verified. */
export type KeptEdition = Edition & {
  kind: DumpKind
  /** The file on disk. */
  path: string
  /** `posts-2026-11-15.csv` */
  fileName: string
  columns: Dump['columns']
  /** The first 20 records. */
  firstRows: string[][]
  /** What the service told it apart by when it came. */
  validators: Validators
  /** Whether its bytes are those of the edition before. */
  unchanged: boolean
  changes: EditionChanges | null
  /** The newest `created_at` (seconds) among its rows, but for what lies in the future; null where it has none. */
  newestCreatedAt: number | null
  /** Between which ids its rows lie; null where it has no whole numbers under `id`. */
  ids: { lowest: number; highest: number } | null
  /** Whether it came after one like it had been set aside, so that what that one lost is believed. */
  confirms: boolean
  /** Why it is aside and not served; null where it is not aside. */
  reason: string | null
}

/**
 * What differs between two editions of the posts, as it is kept: a Parquet file, and how many ratings there are of each kind.
 * Columns that only one of both has are named, and not compared.
 */
export type KeptDifference = {
  path: string
  from: KeptEdition
  to: KeptEdition
  kinds: KindCounts
  onlyFrom: readonly string[]
  onlyTo: readonly string[]
}

/** The weekly dumps: each fetched once, verified, hashed, kept in a folder, and served from there. */
export type Editions = {
  current(kind: DumpKind): KeptEdition | null
  /**
   * The edition that is current by the weekly clock; fetched if need be, by one fetch however many ask. Where the
   * fetch fails and an older edition is kept, that one. Throws AppError otherwise. For `people` nothing is fetched as long
   * as any edition is kept: they get that one, or wait for a fetch that runs already.
   */
  ensure(kind: DumpKind, options?: EnsureOptions): Promise<KeptEdition>
  /** The card of `/downloads`. */
  card(kind: DumpKind): Dump
  /** All that is on disk, newest first. */
  list(kind: DumpKind): EditionEntry[]
  /** A file of {@link list} by its name, as it is sent; null where there is none. */
  file(fileName: string): Promise<{ path: string; sha256: string; fetchedAt: number } | null>
  /**
   * What differs between two kept editions of the posts, named by their Sundays; without names between the two newest that are
   * served. null where fewer than two are kept. Made now where it is not kept. Throws AppError `not_found` where an edition is not
   * kept here, `busy` where the signal fires first.
   */
  difference(asked: AskedDifference, signal?: AbortSignal): Promise<KeptDifference | null>
}

export type AskedDifference = { from: string | null; to: string | null }

/** `purpose`: what a fetch is charged to, the dump's own share unless told otherwise; people's, where one of them asks. */
export type EnsureOptions = { signal?: AbortSignal; purpose?: Purpose }

/**
 * Which edition the archive was last made equal to: its SHA-256, its Sunday (null where that was not noted), and the
 * archive's generation after that.
 */
export type Imported = { sha256: string; edition: string | null; generation: number }

/** The editions as the sync needs them. */
export type EditionStore = Editions & {
  /**
   * `pressing`: the caller paces itself and asks although a failure is remembered, unless the service said when. `again`:
   * the edition of the week is here, but may be the wrong one: the service is asked whether it has another by now.
   */
  ensure(
    kind: DumpKind,
    options?: EnsureOptions & { pressing?: boolean; again?: boolean },
  ): Promise<KeptEdition>
  /** Why the last fetch failed; null where it did not. */
  failure(kind: DumpKind): AppError | null
  /** The key was changed: what failed before may be had now. */
  forgetFailures(): void
  /** How far the fetch in progress is. */
  fetching(kind: DumpKind): StepProgress | null
  /**
   * Sets the current edition aside, because the archive would lose too much by it: the one before is current again, and
   * this one waits for a second that confirms it. `reason` is a sentence for people.
   */
  holdBack(kind: DumpKind, reason: string): Promise<void>
  /** Whether an edition like the current one had been set aside before, so that this one confirms it. */
  isConfirmed(kind: DumpKind): boolean
  /** Makes the edition that is aside the current one, as an operator wishes; null where none is. */
  accept(kind: DumpKind): Promise<KeptEdition | null>
  imported(): Imported | null
  markImported(imported: Imported): Promise<void>
  /** Ends the fetches in progress and waits for them. */
  close(): Promise<void>
}

export type LogFields = Record<string, string | number | boolean | null>
export type Log = (message: string, fields?: LogFields) => void

export type SyncState = Status['sync']

/** What is said of how a service lists its ratings, kept over restarts. */
export type DiscoveryStore = {
  read(): Discovery
  /** Notes what was found, on disk before it resolves. */
  note(found: Partial<Discovery>): Promise<void>
}

/** What happened, for people: kept in a file that does not grow without bound, and told to whoever listens. */
export type EventLog = {
  append(event: Omit<LogEvent, 'id' | 'at'>): void
  /** The newest first. */
  latest(count: number): LogEvent[]
  onAppend(listener: (event: LogEvent) => void): () => void
  close(): Promise<void>
}

/** When what was asked for begins (seconds since 1970; null: not this month), and what it costs in requests. */
export type RequestedRun = { at: number | null; cost: number }

/**
 * Whether the sync still turns: `at` is when it last gave a sign of life, `stalled` whether that is longer ago than it
 * ever is while all is well, `restarts` how often it was begun anew for that.
 */
export type Heartbeat = { at: number; stalled: boolean; restarts: number }

/** Keeps the archive equal to the service: one run at a time, from the dump first, then from the newest pages. */
export type Sync = {
  start(): void
  /** Ends the run in progress and waits for it; the archive is left as of its last commit. */
  stop(): Promise<void>
  /** Asks for a run as soon as the budget allows: however often it is asked for, it is one run. */
  requestRun(): RequestedRun
  state(): SyncState
  heartbeat(): Heartbeat
  /** What is to come, soonest first. */
  plan(): PlannedMove[]
  /** What ran, newest first: the last few of each move. */
  runs(): SyncRun[]
  budget(): BudgetReport
  discovery(): Discovery
  alarms(): Alarm[]
  /** The newest entries of the event log, newest first. */
  events(count: number): LogEvent[]
  /** Told of every change of the state, a step's progress included. Gives what ends it. */
  onChange(listener: () => void): () => void
  onEvent(listener: (event: LogEvent) => void): () => void
}
