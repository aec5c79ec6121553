import type { Archive } from '#lib/archive/archive.ts'
import type { Dump, Edition, Status } from '#lib/contract/answers/state.ts'
import type { AppError } from '#lib/contract/faults.ts'
import type { DumpKind } from '#lib/contract/weekly-clock.ts'

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
}

/** The weekly dumps: each fetched once, verified, hashed, kept in a folder, and served from there. */
export type Editions = {
  current(kind: DumpKind): KeptEdition | null
  /**
   * The edition that is current by the weekly clock; fetched if need be, by one fetch however many ask. Where the
   * fetch fails and an older edition is kept, that one. Throws AppError otherwise.
   */
  ensure(kind: DumpKind, options?: { signal?: AbortSignal }): Promise<KeptEdition>
  /** The card of `/downloads`. */
  card(kind: DumpKind): Dump
}

/** Which edition the archive was last made equal to: its SHA-256, and the archive's generation after that. */
export type Imported = { sha256: string; generation: number }

/** The editions as the sync needs them. */
export type EditionStore = Editions & {
  /** `pressing`: the caller paces itself and asks although a failure is remembered, unless the service said when. */
  ensure(
    kind: DumpKind,
    options?: { signal?: AbortSignal; pressing?: boolean },
  ): Promise<KeptEdition>
  /** Why the last fetch failed; null where it did not. */
  failure(kind: DumpKind): AppError | null
  imported(): Imported | null
  markImported(imported: Imported): Promise<void>
  /** Ends the fetches in progress and waits for them. */
  close(): Promise<void>
}

/** The archive as the sync needs it. */
export type SyncArchive = Pick<
  Archive,
  'state' | 'beginImport' | 'selectKnownIds' | 'selectQuarantine'
>

export type LogFields = Record<string, string | number | boolean | null>
export type Log = (message: string, fields?: LogFields) => void

export type SyncState = Status['sync']

/** Keeps the archive equal to the service: one run at a time, from the dump first, then from the newest pages. */
export type Sync = {
  start(): void
  /** Ends the run in progress and waits for it; the archive is left as of its last commit. */
  stop(): Promise<void>
  /** Asks for a run as soon as the budget allows. */
  requestRun(): void
  state(): SyncState
}
