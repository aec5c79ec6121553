import type { Timeline } from '#lib/timeline/timeline.ts'
import type { UserTimeline } from '#lib/timeline/user.ts'
import type { Engine } from './engine/duckdb-engine.ts'
import type { ExportFolder } from './export-file.ts'
import type { LookupsState } from './lookups/lookups.ts'
import type { PricesState } from './prices/prices.ts'
import type { ArchiveState, KnownState } from './query/archive-state.ts'
import type { KeptRows } from './query/kept-rows.ts'
import type { KeptValues } from './query/kept-values.ts'
import type { Scores } from './record/scores.ts'
import type { Timelines } from './timelines/timelines.ts'

/**
 * What queries read from: each is a function of it. There is one per archive, and all that queries keep in memory is kept in it: the
 * framework loads the module of a query several times into one process.
 */
export type ArchiveReader = Pick<Engine, 'read' | 'openSnapshot'> & {
  /** Seconds since 1970. */
  now(): number
  state(): ArchiveState
  /** Changes with ratings, prices and look-ups: the key of what is kept for them. */
  version(): string
  prices(): PricesState
  lookups(): LookupsState
  /** The labels of codes and the edges of histograms, as of the last commit. */
  known(): Pick<KnownState, 'labels' | 'edges'>
  keptRows: KeptRows
  keptValues: KeptValues
  symbolTimelines: Timelines<Timeline>
  userTimelines: Timelines<UserTimeline>
  /** What became of ratings by prices. */
  scores: Scores
  exportFolder: ExportFolder
}

/**
 * `at` (seconds since 1970) is the instant that *active* is judged at, where the query itself names none. Summaries of symbols and
 * users cover the ratings that existed at it. An aborted `signal` ends a read with AppError('busy').
 */
export type ReadOptions = { at: number; signal?: AbortSignal }

/** How a read is ended that does not depend on an instant. */
export type SignalOptions = Pick<ReadOptions, 'signal'>

/** Rows of a page, and how many there are on all pages. */
export type Rows<T> = { rows: T[]; total: number }
