import type {
  Alarm,
  BudgetReport,
  Discovery,
  Dump,
  Edition,
  EditionEntry,
  LogEvent,
  PlannedMove,
  Status,
  StepProgress,
  SyncDay,
  SyncRun,
} from '#lib/contract/answers/status.ts'
import type { AppError } from '#lib/contract/faults.ts'
import type { DumpKind } from '#lib/contract/weekly-clock.ts'
import type { Purpose, Validators } from '#lib/upstream/upstream.ts'

export type KeptEdition = Edition & {
  kind: DumpKind
  path: string
  /** `posts-2026-11-15.csv` */
  fileName: string
  columns: Dump['columns']
  /** The first 20 records. */
  firstRows: string[][]
  validators: Validators
  unchanged: boolean
  /** Unix seconds, ignoring future values. */
  newestCreatedAt: number | null
  /** Null if `id` has no integers. */
  ids: { lowest: number; highest: number } | null
  confirms: boolean
  /** Why it is held back; null if served. */
  reason: string | null
}

export type Editions = {
  current(kind: DumpKind): KeptEdition | null
  /**
   * If the fetch fails, returns an older edition, else throws AppError. For `people`, fetches only
   * if none is kept.
   */
  ensure(kind: DumpKind, options?: EnsureOptions): Promise<KeptEdition>
  card(kind: DumpKind): Dump
  /** Newest first, including the edition held back. */
  list(kind: DumpKind): EditionEntry[]
  file(fileName: string): Promise<{ path: string; sha256: string; fetchedAt: number } | null>
}

export type EnsureOptions = { signal?: AbortSignal; purpose?: Purpose }

/** `edition`: null if unknown. */
export type Imported = { sha256: string; edition: string | null; generation: number }

export type EditionStore = Editions & {
  /**
   * `pressing`: ignores a remembered failure, unless the service set the delay. `again`: checks for
   * a newer dump of the same week.
   */
  ensure(
    kind: DumpKind,
    options?: EnsureOptions & { pressing?: boolean; again?: boolean },
  ): Promise<KeptEdition>
  failure(kind: DumpKind): AppError | null
  forgetFailures(): void
  fetching(kind: DumpKind): StepProgress | null
  /** The previous edition is current until a second one confirms this one. */
  holdBack(kind: DumpKind, reason: string): Promise<void>
  isConfirmed(kind: DumpKind): boolean
  accept(kind: DumpKind): Promise<KeptEdition | null>
  imported(): Imported | null
  markImported(imported: Imported): Promise<void>
  close(): Promise<void>
}

export type LogFields = Record<string, string | number | boolean | null>
export type Log = (message: string, fields?: LogFields) => void

export type SyncState = Status['sync']

export type DiscoveryStore = {
  read(): Discovery
  /** On disk before it resolves. */
  note(found: Partial<Discovery>): Promise<void>
}

export type EventLog = {
  append(event: Omit<LogEvent, 'id' | 'at'>): void
  /** Newest first. */
  latest(count: number): LogEvent[]
  onAppend(listener: (event: LogEvent) => void): () => void
  close(): Promise<void>
}

/** `at` in Unix seconds, null if not this month; `cost` in requests. */
type RequestedRun = { at: number | null; cost: number }

export type Heartbeat = { at: number; stalled: boolean; restarts: number }

export type Sync = {
  start(): void
  stop(): Promise<void>
  requestRun(): RequestedRun
  /** Ends the wait after a failure, for example because the key was changed. */
  retry(): void
  state(): SyncState
  heartbeat(): Heartbeat
  /** Soonest first. */
  plan(): PlannedMove[]
  /** Newest first. */
  runs(): SyncRun[]
  /** Oldest first. */
  days(): SyncDay[]
  budget(): BudgetReport
  discovery(): Discovery
  alarms(): Alarm[]
  /** Newest first. */
  events(count: number): LogEvent[]
  /** Returns the unsubscribe function. */
  onChange(listener: () => void): () => void
  onEvent(listener: (event: LogEvent) => void): () => void
}
