import type { Dump, Edition, Status } from '#lib/contract/answers/state.ts'
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
