import type { Timeline } from '#lib/timeline/timeline.ts'
import type { UserTimeline } from '#lib/timeline/user.ts'
import type { Engine } from './engine/duckdb-engine.ts'
import type { ExportFolder } from './export-file.ts'
import type { LookupsState } from './lookups/lookups.ts'
import type { PricesState } from './prices/prices.ts'
import type { ArchiveState, KnownState } from './query/archive-state.ts'
import type { KeptRows, KeptValue } from './query/kept-rows.ts'
import type { Scores } from './record/scores.ts'
import type { Timelines } from './timelines/timelines.ts'

/** Holds all query caches: the framework loads query modules several times per process. */
export type ArchiveReader = Pick<Engine, 'read' | 'openSnapshot'> & {
  /** Seconds since 1970. */
  now(): number
  state(): ArchiveState
  version(): string
  prices(): PricesState
  lookups(): LookupsState
  known(): Pick<KnownState, 'labels' | 'edges'>
  keptRows: KeptRows
  keptTotals: KeptValue
  symbolTimelines: Timelines<Timeline>
  userTimelines: Timelines<UserTimeline>
  scores: Scores
  exportFolder: ExportFolder
}

/** Seconds since 1970. Aborting throws AppError('busy'). */
export type ReadOptions = { at: number; signal?: AbortSignal }

export type SignalOptions = Pick<ReadOptions, 'signal'>

export type Rows<T> = { rows: T[]; total: number }
