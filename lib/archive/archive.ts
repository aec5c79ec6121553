import type { IncomingRating, RejectedRow } from '#lib/contract/rating.ts'
import type { Lookups } from './lookups/lookups.ts'
import type { Prices } from './prices/prices.ts'
import type { ArchiveState } from './query/archive-state.ts'
import type { ArchiveReader } from './reader.ts'

/** Where rows come from: a dump's edition (`2026-11-15`) or pages of the service. */
export type ImportSource = { kind: 'dump' | 'pages'; name: string }

export type ImportOutcome = {
  inserted: number
  updated: number
  unchanged: number
  /** Rejected rows that the same kind of source had not given before, as far as they are remembered. */
  quarantined: number
  /** Ratings marked as vanished, and of those so marked before, the ones that came again. */
  vanished: number
  returned: number
  /** The generation after the commit: higher than before only if a row was inserted, updated or marked. */
  generation: number
}

/** Says of a run that its rows are all there were: which instant (seconds) they are of. */
export type WholeImport = { at: number }

/** A file of so many records, and what breaks off its reading. */
export type CsvImport = { path: string; rows: number; signal: AbortSignal }

/**
 * Rows on their way in. They are staged where no reader sees them, each `append` in a transaction of its own, and
 * become visible all at once when the import is committed. An id that comes twice keeps its last row.
 */
export type ImportRun = {
  append(rows: readonly IncomingRating[], rejected: readonly RejectedRow[]): Promise<void>
  /**
   * Takes a CSV in the dump layout of so many records as a whole, read by the database itself: some times as fast. True
   * only where that is certain to be the same as appending what `parseCsvRating` says of each record, none of them rejected;
   * false, and nothing is staged, otherwise: then they are appended. The first of a run and its last; the file stays as it
   * is until the commit. Throws AppError('busy') when aborted.
   */
  appendCsv(file: CsvImport): Promise<boolean>
  /**
   * How many ratings a commit with `whole` would mark as vanished, of how many that the rows should hold: those of the
   * archive that are neither newer than the newest row (nor than the instant of `whole`) nor marked already. A rejected
   * row from which an id can be read still stands for its rating.
   */
  countVanished(whole?: WholeImport): Promise<{ vanished: number; expected: number }>
}

/**
 * What the rows of an import say of the archive. `completeTo` never goes back, but from an instant that
 * has not come yet; null leaves it as it is. With `whole`,
 * ratings that the rows should hold and do not are marked as vanished at its instant; they stay, and end there. A row that
 * comes, from whatever source, is not vanished any more.
 */
export type ImportResult = { completeTo: number | null; whole?: WholeImport }

/** Appends the rows of an import and says what they are. To throw is to take all of them back. */
export type FillImport = (run: ImportRun) => Promise<ImportResult>

/** What a store of several nodes holds of an archive beside its rows; seconds since 1970 where they are instants. */
export type SharedState = {
  generation: number
  completeTo: number | null
  /** The highest id of the last whole import, and the instant that it was of. */
  coveredToId: number | null
  coveredAt: number | null
  /** Rows in quarantine, the newest that came, and how many more were only counted. */
  quarantined: number
  quarantineDropped: number
}

/** Which state of a store an archive holds. `mark` is another for every commit to every store, `revision` counts them. */
export type Applied = { generation: number; mark: string; revision: number; quarantineSeq: number }

/** CSV files of `shared-rows.ts`, whose texts are as `shared-csv.ts` writes them; null where there is no row. */
export type SharedFiles = { rows: string | null; quarantine: string | null }

/**
 * What an import is about to commit: the ratings that are another than before, each with the new generation behind its
 * columns, and the rows that are new in quarantine, oldest first. With `before` of a store that nobody ever wrote to it is
 * all that the archive holds. The files are there until the promise is settled.
 */
export type Commit = {
  before: Applied
  state: SharedState
  files: SharedFiles
  /** How many ratings are in their file. */
  changedRows: number
}

/** Writes a commit into a store, where it is there or not as a whole. To throw is to take the import back. */
export type ShareCommit = (commit: Commit) => Promise<Applied>

/** What a store holds that a replica does not: all that was committed between two states of it. */
export type Change = {
  /** What the replica held when the store was asked. */
  over: Applied | null
  /** The files hold everything: what the replica holds beside it goes. */
  isWhole: boolean
  state: SharedState
  files: SharedFiles
  applied: Applied
}

/** Does a piece of work while something stands still, and gives what it gives. */
export type Freeze = <T>(work: () => Promise<T>) => Promise<T>

/** What opening an archive did with the file that it found. */
export type Opened = {
  /** The version that it was brought over from; null where it was of this one, or was made anew. */
  migratedFrom: number | null
  /**
   * A damaged file that was set aside and is still kept, by its name in the folder, and since when (seconds since 1970);
   * the newest where there are more. What it held is filled in again from the kept dump and the service.
   */
  damagedFile: { file: string; at: number } | null
}

/** Every rating ever posted, in one file. Reads see the last commit; writes are one at a time. */
export type Archive = {
  opened: Opened
  /**
   * Calls the listener once, when a read finds the file damaged or a write fails so that the engine stops answering. The archive
   * must then be closed and opened again, which sets a damaged file aside. There is one listener.
   */
  onBroken(listener: (cause: unknown) => void): void
  state(): ArchiveState
  /** Queries are functions of it. */
  reader: ArchiveReader
  prices: Prices
  lookups: Lookups
  /**
   * Merges what `fill` appends, derives columns, bumps the generation: one transaction. One import at a time, the others
   * wait. Where it fails nothing has changed. Throws what `fill` throws, or what the engine says.
   */
  import(source: ImportSource, fill: FillImport): Promise<ImportOutcome>
  /** Which state of a store it holds; null where it is nobody's replica. */
  applied(): Applied | null
  /**
   * Makes it hold what the store does, derived columns worked out as an import does: one transaction, in turn with imports.
   * False, and nothing has changed, where it holds something else by now than the change is over.
   */
  apply(change: Change): Promise<boolean>
  /** Forgets the store that it was a replica of: it keeps all it holds, and brings it with its next commit. */
  leave(): Promise<void>
  /**
   * Does `work` while nothing is written to the archive's file, nor to the log beside it: both may be copied meanwhile, though
   * not by this process, which would give the engine's lock away. Reads go on; an import waits where it would commit.
   */
  freeze: Freeze
  close(): Promise<void>
}
