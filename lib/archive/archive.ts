import type { Opinion } from '#lib/contract/answers/opinion.ts'
import type { Overview } from '#lib/contract/answers/overview.ts'
import type { RatingDetail, RatingHistory } from '#lib/contract/answers/rating-detail.ts'
import type { Facets, RatingRow } from '#lib/contract/answers/ratings.ts'
import type { Calls, MemberRecord } from '#lib/contract/answers/record.ts'
import type { Comparison, Series } from '#lib/contract/answers/series.ts'
import type { Aggregate, SymbolRow } from '#lib/contract/answers/symbols.ts'
import type { User, UserRow } from '#lib/contract/answers/users.ts'
import type { ExportColumn } from '#lib/contract/export-choice.ts'
import type { IncomingRating, RejectedRow } from '#lib/contract/incoming-rating.ts'
import type {
  CompareQuery,
  SeriesQuery,
  SymbolsQuery,
  UsersQuery,
} from '#lib/contract/other-queries.ts'
import type { RatingsQuery } from '#lib/contract/ratings-query.ts'
import type { LineForm } from './export-text.ts'
import type { ShelfFile } from './file-shelf.ts'

/** Where rows come from: a dump's edition (`2026-11-15`) or pages of the service. */
export type ImportSource = { kind: 'dump' | 'pages'; name: string }

export type ImportOutcome = {
  inserted: number
  updated: number
  unchanged: number
  /** Rejected rows that the same kind of source had not given before. */
  quarantined: number
  /** The generation after the commit: higher than before only if a row was inserted or updated. */
  generation: number
}

/**
 * Rows on their way in. They are staged where no reader sees them, each `append` in a transaction of its own, and
 * become visible all at once. An id that comes twice in a run keeps its last row.
 */
export type ImportRun = {
  append(rows: readonly IncomingRating[], rejected: readonly RejectedRow[]): Promise<void>
  /**
   * Merges the staged rows, derives columns, bumps the generation: one transaction. `completeTo` never goes back.
   * Where it fails nothing has changed, and the run has ended.
   */
  commit(result: { completeTo: number | null }): Promise<ImportOutcome>
  abort(): Promise<void>
}

/** What is known without asking the database. `completeTo` is seconds since 1970. */
export type ArchiveState = {
  ratings: number
  generation: number
  completeTo: number | null
  quarantined: number
}

export type QuarantinedRow = RejectedRow & { at: number }

/** Rows and how many there are in all. */
export type Rows<T> = { rows: T[]; total: number }

export type SymbolSummary = {
  aggregate: Aggregate
  ratings: number
  users: number
  firstCreatedAt: number
  lastCreatedAt: number
}

/**
 * How a read is asked: `at` (seconds) is the instant that *active* is judged at, where the query of ratings names none.
 * Whatever is summed up about symbols and members is so over the ratings that existed at it.
 */
export type ReadOptions = { at: number; signal?: AbortSignal }

/** All rows of a query, counted and written from one snapshot, so that the count is the truth about what is written. */
export type RatingsExport = {
  rows: number
  generation: number
  completeTo: number | null
  /** One text a row, without its line end, in batches of at most 2,048. */
  lines(form: LineForm, columns: readonly ExportColumn[]): AsyncGenerator<string[], void, undefined>
  /** Throws AppError('busy') where the disk has no room for the file. Close the file as well. */
  writeParquet(columns: readonly ExportColumn[]): Promise<ShelfFile>
  /** Gives the snapshot back, breaking off what still runs. May be called again. */
  close(): Promise<void>
}

/**
 * Every rating ever posted, in one file. Reads see the last commit; writes are one at a time.
 * Methods of reading throw AppError('busy') when aborted and whatever the engine throws otherwise.
 */
export type Archive = {
  state(): ArchiveState
  beginImport(source: ImportSource): Promise<ImportRun>
  /** Which of these ids the archive already holds with the same content is not asked: only whether it holds them. */
  selectKnownIds(ids: readonly number[]): Promise<Set<number>>
  selectQuarantine(limit: number): Promise<QuarantinedRow[]>
  selectRatings(query: RatingsQuery, options: ReadOptions): Promise<Rows<RatingRow>>
  /**
   * One rating and the member's ratings on the symbol, at most 200 of them around this one; null where no rating has
   * the id. `asof` (seconds) leaves only what existed then, judged as of then.
   */
  selectRating(
    id: number,
    asof: number | null,
    options: ReadOptions,
  ): Promise<{ rating: RatingDetail; history: RatingHistory } | null>
  /** Every row of the query in its order, page and per_page ignored. Whoever opens it closes it. */
  openExport(query: RatingsQuery, options: ReadOptions): Promise<RatingsExport>
  selectFacets(query: RatingsQuery, options: ReadOptions): Promise<Facets>
  selectSymbols(query: SymbolsQuery, options: ReadOptions): Promise<Rows<SymbolRow>>
  /** null where nobody ever rated the symbol. `day` (YYYY-MM-DD) null means at `options.at`. */
  selectAggregate(
    symbol: string,
    day: string | null,
    options: ReadOptions,
  ): Promise<SymbolSummary | null>
  /** null where nobody had rated the symbol. */
  selectOpinion(symbol: string, options: ReadOptions): Promise<Opinion | null>
  selectOverview(options: ReadOptions): Promise<Overview>
  /** null where nobody had rated the symbol. `query.asof` is not read: `at` is where the series ends. */
  selectSeries(symbol: string, query: SeriesQuery, options: ReadOptions): Promise<Series | null>
  selectComparison(query: CompareQuery, options: ReadOptions): Promise<Comparison>
  selectUsers(query: UsersQuery, options: ReadOptions): Promise<Rows<UserRow>>
  /** null where the member had not rated. */
  selectUser(userId: number, options: ReadOptions): Promise<User | null>
  /** null where the member had not rated. */
  selectCalls(userId: number, options: ReadOptions): Promise<Calls | null>
  /** null where the member had not rated. */
  selectRecord(userId: number, options: ReadOptions): Promise<MemberRecord | null>
  close(): Promise<void>
}
