import type { IncomingRating, RejectedRow } from '#lib/contract/rating.ts'
import type { Lookups } from './lookups/lookups.ts'
import type { Prices } from './prices/prices.ts'
import type { ArchiveState } from './query/archive-state.ts'
import type { ArchiveReader } from './reader.ts'

export type ImportSource = { kind: 'dump' | 'pages'; name: string }

export type ImportOutcome = {
  inserted: number
  updated: number
  unchanged: number
  quarantined: number
  vanished: number
  returned: number
  generation: number
}

/** As of `at`, in seconds. */
export type WholeImport = { at: number }

export type CsvImport = { path: string; rows: number; signal: AbortSignal }

/** Rows become visible together at commit. Of rows with one id, the last wins. */
export type ImportRun = {
  append(rows: readonly IncomingRating[], rejected: readonly RejectedRow[]): Promise<void>
  /**
   * Returns false and stages nothing if DuckDB might parse the file differently. Call it first;
   * after true, append nothing else. Throws AppError('busy') when aborted.
   */
  appendCsv(file: CsvImport): Promise<boolean>
  /**
   * `expected`: unmarked ratings up to the newest staged row. Rejected rows with a readable id
   * count as present.
   */
  countVanished(whole?: WholeImport): Promise<{ vanished: number; expected: number }>
}

/** `completeTo` null: unchanged. With `whole`, missing ratings are marked as vanished. */
export type ImportResult = { completeTo: number | null; whole?: WholeImport }

/** Throwing rolls the import back. */
type FillImport = (run: ImportRun) => Promise<ImportResult>

export type SharedState = {
  generation: number
  completeTo: number | null
  /** Null before the first whole import. */
  coveredToId: number | null
  coveredAt: number | null
  quarantined: number
  quarantineDropped: number
}

export type Applied = { generation: number; mark: string; revision: number; quarantineSeq: number }

export type SharedFiles = { rows: string | null; quarantine: string | null }

/** Files exist until the promise settles. */
export type Commit = {
  before: Applied
  state: SharedState
  files: SharedFiles
  changedRows: number
}

/** Atomic. Throwing rolls the import back. */
export type ShareCommit = (commit: Commit) => Promise<Applied>

export type Change = {
  over: Applied | null
  isWhole: boolean
  state: SharedState
  files: SharedFiles
  applied: Applied
}

export type Freeze = <T>(work: () => Promise<T>) => Promise<T>

export type Opened = {
  /** Null if the file is current or new. */
  migratedFrom: number | null
  /** `at`: seconds since 1970. */
  damagedFile: { file: string; at: number } | null
}

export type Archive = {
  opened: Opened
  /** Called once; the archive must then be reopened. Supports one listener. */
  onBroken(listener: (cause: unknown) => void): void
  state(): ArchiveState
  reader: ArchiveReader
  prices: Prices
  lookups: Lookups
  /** One transaction. Throws what `fill` or the engine throws, with nothing changed. */
  import(source: ImportSource, fill: FillImport): Promise<ImportOutcome>
  /** Null if not a replica. */
  applied(): Applied | null
  /** Returns false, with nothing changed, if the archive's state is not `over`. */
  apply(change: Change): Promise<boolean>
  leave(): Promise<void>
  /**
   * Blocks commits, so that another process can copy the files. Opening them in this process would
   * release the engine's lock.
   */
  freeze: Freeze
  close(): Promise<void>
}
