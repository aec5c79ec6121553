import type { AttentionOverview } from '#lib/contract/answers/attention.ts'
import type { Changes } from '#lib/contract/answers/changes.ts'
import type { DifferenceFacets, DifferenceRow } from '#lib/contract/answers/edition-differences.ts'
import type { Attention, LookupFacets, LookupRow } from '#lib/contract/answers/lookups.ts'
import type { Moves } from '#lib/contract/answers/moves.ts'
import type { Comparison, Opinion, Series } from '#lib/contract/answers/opinion.ts'
import type { Followed, PriceSeries } from '#lib/contract/answers/prices.ts'
import type {
  Facets,
  RatingDetail,
  RatingHistory,
  RatingRow,
} from '#lib/contract/answers/ratings.ts'
import type { Gaps, QuarantinedRow } from '#lib/contract/answers/status.ts'
import type {
  LeagueAttention,
  Overview,
  UnnamedAggregate,
  UnnamedSymbolRow,
} from '#lib/contract/answers/symbols.ts'
import type { Call, CommunityRecord, Priced, Track } from '#lib/contract/answers/track.ts'
import type {
  Standing,
  User,
  UserRatings,
  UserRecord,
  UserRow,
} from '#lib/contract/answers/users.ts'
import type { UnnamedWatching } from '#lib/contract/answers/watching.ts'
import type {
  CallSort,
  CompareQuery,
  NearSymbolsQuery,
  NearUsersQuery,
  SeriesQuery,
  SymbolsQuery,
} from '#lib/contract/api-queries.ts'
import type { DifferenceColumn, DifferencesQuery } from '#lib/contract/edition-differences.ts'
import type { CallColumn, ExportColumn, LeagueColumn } from '#lib/contract/export-choice.ts'
import type { Horizon } from '#lib/contract/horizons.ts'
import type { IdRange } from '#lib/contract/id-ranges.ts'
import type { LookupField, LookupsQuery } from '#lib/contract/lookups-query.ts'
import type { Sort } from '#lib/contract/query-parameters.ts'
import type { IncomingRating, RejectedRow } from '#lib/contract/rating.ts'
import type { RatingsQuery } from '#lib/contract/ratings-query.ts'
import type { WatchingQuery } from '#lib/contract/watching-query.ts'
import type { ExportFile } from './export-file.ts'
import type { Lookups } from './lookups/lookups.ts'
import type { Prices } from './prices/prices.ts'

/** A row as one line of text. `csv` guards what a spreadsheet would take for a formula, `csv-exact` does not. */
export type LineForm = 'csv' | 'csv-exact' | 'json'

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

/** From which id on, and how many of them are summed up together. */
export type ChecksumRanges = { from: number; width: number }

/** What was summed up: `range` 0 begins at `from`; -1 is what lies below it, and {@link Checksums} name no empty one. */
export type RangeChecksum = { range: number; ratings: number; sum: string }

export type Checksums = { applied: Applied | null; ranges: RangeChecksum[] }

/** What is known without asking the database. `completeTo` is seconds since 1970. */
export type ArchiveState = {
  ratings: number
  generation: number
  /**
   * Another text for other ratings, prices or look-ups: what is kept of them is kept under it. The generation alone does not tell, where
   * a shared database lost commits and numbers others alike.
   */
  version: string
  completeTo: number | null
  /** Rejected rows that ever came, each once: those in quarantine, and those that had no room there any more. */
  quarantined: number
  vanished: number
  gaps: Gaps
  /** When the newest rating was posted, and after how long without another the community is quiet; both seconds. */
  newestCreatedAt: number | null
  quietAfterSeconds: number
}

/**
 * How often the community rates: over the four weeks before its newest rating, how many there were (that one among
 * them) and the longest time (seconds) from one to the next; all four weeks where there was but one. Ratings of the
 * future do not count. null where there is no other.
 */
export type PostingRate = { newestCreatedAt: number; ratings: number; longestGapSeconds: number }

export type QuarantineQuery = { reason: string | null; page: number; perPage: number }

/** `total` of the query; `reasons` of all rows, most frequent first, at most 100. */
export type QuarantinePage = Rows<QuarantinedRow> & {
  reasons: { reason: string; count: number }[]
}

/** All rows in quarantine, newest first, from one snapshot: one JSON text a row, without its line end. */
export type QuarantineExport = {
  rows: number
  lines(): AsyncGenerator<string[], void, undefined>
  /** Gives the snapshot back. May be called again. */
  close(): Promise<void>
}

/** Does a piece of work while something stands still, and gives what it gives. */
export type Freeze = <T>(work: () => Promise<T>) => Promise<T>

/** Rows and how many there are in all. */
export type Rows<T> = { rows: T[]; total: number }

/**
 * What is asked of ratings that nobody has looked at yet. `known`: the ids that were looked at, in order and apart. Of lower ids
 * than the highest of them only those are looked for that were posted from `lateFrom` on. Each query counts what was posted
 * from its `from` on; of what passes it, the newest `examples` are named. `symbols` are keys. All in seconds since 1970.
 */
export type NewsQuery = {
  known: readonly IdRange[]
  lateFrom: number
  queries: readonly { query: RatingsQuery; from: number }[]
  examples: number
  symbols: readonly { symbol: string; before: number }[]
}

/** What is told of a rating that is new. */
export type NewRating = Pick<
  RatingRow,
  | 'id'
  | 'user_id'
  | 'symbol'
  | 'rating'
  | 'rating_label'
  | 'action'
  | 'action_label'
  | 'prediction'
  | 'created_at'
  | 'previous_rating'
  | 'previous_prediction'
>

/** How many ratings are active, and their sum (null over nothing). */
type ActiveRatings = { active: number; sum: number | null }

/** `ids` are all that were not known. `query` is a place among the queries, `sums` has one for each of the symbols. */
export type News = {
  ids: IdRange[]
  matches: { query: number; total: number; ids: number[] }[]
  ratings: ReadonlyMap<number, NewRating>
  sums: { now: ActiveRatings; before: ActiveRatings }[]
}

/** Something with a page of its own, by the name that the page has, and when somebody last rated it, or it last rated. */
export type ListedPage = { name: string; last_created_at: number }

export type SymbolSummary = {
  aggregate: UnnamedAggregate
  ratings: number
  users: number
  firstCreatedAt: number
  lastCreatedAt: number
}

/**
 * How a read is asked: `at` (seconds) is the instant that *active* is judged at, where the query of ratings names none.
 * Whatever is summed up about symbols and users is so over the ratings that existed at it.
 */
export type ReadOptions = { at: number; signal?: AbortSignal }

/** All rows of a query, counted and written from one snapshot, so that the count is the truth about what is written. */
export type RatingsExport = {
  rows: number
  generation: number
  completeTo: number | null
  /** Ids that are missing and that nothing explains. */
  gaps: number
  /** One text a row, without its line end, in batches of at most 2,048. */
  lines(form: LineForm, columns: readonly ExportColumn[]): AsyncGenerator<string[], void, undefined>
  /**
   * `facts` are written into the file beside the rows, by name. Throws AppError('busy') where the disk has no room for
   * the file. Close the file as well.
   */
  writeParquet(
    columns: readonly ExportColumn[],
    facts: Readonly<Record<string, string>>,
  ): Promise<ExportFile>
  /** Gives the snapshot back, breaking off what still runs. May be called again. */
  close(): Promise<void>
}

/** Every row of a league, of one state of the archive. */
export type LeagueExport = Pick<
  RatingsExport,
  'rows' | 'generation' | 'completeTo' | 'gaps' | 'close'
> & {
  lines(form: LineForm, columns: readonly LeagueColumn[]): AsyncGenerator<string[], void, undefined>
}

/** Which calls are meant: of these users and on these symbols (upper case), of all where there are none; in seconds since 1970. */
export type AskedCalls = {
  horizon: Horizon
  users?: readonly number[]
  symbols?: readonly string[]
  /** Posted from then on, and before then. */
  from?: number | null
  to?: number | null
  /** What has no value comes last; of equal ones the earlier first. Left out: in order of time. */
  sort?: Sort<CallSort>
}

/** Those of them that existed at `at`, judged by the prices that were known then. */
export type CallSet = AskedCalls & { at: number }

/** Rows with such columns, of one state of the archive, in the order that was asked for. */
export type PlacedExport<C extends string> = Pick<
  RatingsExport,
  'rows' | 'generation' | 'completeTo' | 'gaps' | 'close'
> & {
  lines(form: LineForm, columns: readonly C[]): AsyncGenerator<string[], void, undefined>
  writeParquet(
    columns: readonly C[],
    facts: Readonly<Record<string, string>>,
  ): ReturnType<RatingsExport['writeParquet']>
}

/** Every call of a set, of one state of ratings and prices. */
export type CallsExport = PlacedExport<CallColumn>

/** Every look-up of a query. */
export type LookupsExport = PlacedExport<LookupField>

/** Every change of the ratings of a query. */
export type DifferencesExport = PlacedExport<DifferenceColumn>

/** Questions to the file of a difference, as `openDifferenceWriter` writes it. Throw AppError('busy') when aborted. */
export type DifferenceReads = {
  /** `file`: how many rows a file of the query has, and one of everything. */
  select(
    path: string,
    query: DifferencesQuery,
    options: Signalled,
  ): Promise<Rows<DifferenceRow> & { file: { rows: number; all: number } }>
  selectFacets(path: string, query: DifferencesQuery, options: Signalled): Promise<DifferenceFacets>
  /** Every row of the query in its order. `path` null: there is none. Whoever opens it closes it. */
  openExport(
    path: string | null,
    query: DifferencesQuery,
    options: Signalled,
  ): Promise<DifferencesExport>
  /** Which of these ids the archive holds as vanished before an instant, in seconds. */
  selectMarked(ids: readonly number[], before: number): Promise<Set<number>>
}

/** What look-ups say of symbols. Both throw AppError('busy') when aborted. */
export type AttentionReads = {
  selectOverview(options: ReadOptions): Promise<AttentionOverview>
  /** Every symbol that was looked up lately or is rated, by its key; null where nothing is known of look-ups. */
  selectSymbols(options: ReadOptions): Promise<ReadonlyMap<string, LeagueAttention> | null>
}

/** Reads throw AppError('busy') when aborted. Where no edition was imported there is nothing in any answer. */
export type LookupReads = {
  select(query: LookupsQuery, options: Signalled): Promise<Rows<LookupRow>>
  selectFacets(query: LookupsQuery, options: Signalled): Promise<LookupFacets>
  selectAttention(symbol: string, query: SeriesQuery, options: ReadOptions): Promise<Attention>
  /** Every row of the query in its order. Whoever opens it closes it. */
  openExport(query: LookupsQuery, options: Signalled): Promise<LookupsExport>
}

type Signalled = Pick<ReadOptions, 'signal'>
/** How many users are ranked, and what is said of each of them and of all others. */
export type Standings = { ranked: number; of: (userId: number) => Standing }

/** What became of ratings, by the prices there are. Every method throws AppError('busy') when aborted. */
export type Records = {
  /** null where the user had not rated. */
  selectTrack(
    asked: { userId: number; horizon: Horizon },
    options: ReadOptions,
  ): Promise<Track | null>
  selectCommunity(horizon: Horizon, options: ReadOptions): Promise<CommunityRecord>
  /** What leagues say of each user; null where there are no prices. */
  selectStandings(horizon: Horizon, options: ReadOptions): Promise<Standings | null>
  /** By which prices calls are scored now. */
  priced(): Priced
  /** `page` from 1. */
  selectCalls(
    query: AskedCalls & { page: number; perPage: number },
    options: ReadOptions,
  ): Promise<Rows<Call>>
  /** Every call in the same order. Whoever opens it closes it. */
  openCalls(asked: AskedCalls, options: ReadOptions): Promise<CallsExport>
  /** A symbol's closes in the buckets of its series. null where nobody had rated it. */
  selectPrices(
    asked: { symbol: string; query: SeriesQuery },
    options: ReadOptions,
  ): Promise<PriceSeries | null>
  /** What followed the consensus of each month. null where nobody had rated the symbol. */
  selectFollowed(
    asked: { symbol: string; horizon: Horizon },
    options: ReadOptions,
  ): Promise<Followed | null>
}

/** Symbols (as keys) that the text which is looked for names, however they are spelled. */
export type Named = { named?: readonly string[] }

/** How often symbols (by their keys) were looked up, where they are to be in that order. */
export type LookedUp = { lookups?: ReadonlyMap<string, LeagueAttention> | null }

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

/**
 * Every rating ever posted, in one file. Reads see the last commit; writes are one at a time.
 * Methods of reading throw AppError('busy') when aborted and whatever the engine throws otherwise.
 */
export type Archive = {
  /** What opening it did with the file that it found. */
  opened: Opened
  /**
   * Tells when a read found the file damaged, or a write failed so that the engine answers nobody any more: nothing goes on
   * until the archive is closed and opened again, which sets a damaged file aside. One listener; told once.
   */
  onBroken(listener: (cause: unknown) => void): void
  state(): ArchiveState
  /** What an operator says that symbols cost. */
  prices: Prices
  /** What became of ratings by them. */
  records: Records
  /** Who looked up what, as the last edition that was imported has it. */
  lookups: Lookups & LookupReads
  /** What they say of symbols beside the ratings. */
  attention: AttentionReads
  /** Questions to the kept difference of two editions. */
  differences: DifferenceReads
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
  /** Sums over all that is shared of its ratings, by ranges of ids; of one state. */
  selectChecksums(ranges: ChecksumRanges, signal?: AbortSignal): Promise<Checksums>
  /** Which of these ids the archive already holds with the same content is not asked: only whether it holds them. */
  selectKnownIds(ids: readonly number[]): Promise<Set<number>>
  selectQuarantine(limit: number): Promise<QuarantinedRow[]>
  /** A page of them, newest first, and how many there are of each reason. */
  selectQuarantinePage(query: QuarantineQuery): Promise<QuarantinePage>
  /** Whoever opens it closes it. */
  openQuarantine(signal?: AbortSignal): Promise<QuarantineExport>
  selectPostingRate(): Promise<PostingRate | null>
  selectRatings(query: RatingsQuery, options: ReadOptions): Promise<Rows<RatingRow>>
  /**
   * One rating and the user's ratings on the symbol, at most 200 of them around this one; null where no rating has
   * the id. `asof` (seconds) leaves only what existed then, judged as of then.
   */
  selectRating(
    id: number,
    asof: number | null,
    options: ReadOptions,
  ): Promise<{ rating: RatingDetail; history: RatingHistory } | null>
  /** Every row of the query in its order, page and per_page ignored. Whoever opens it closes it. */
  openExport(query: RatingsQuery, options: ReadOptions): Promise<RatingsExport>
  /** Every row of a league in its order, page and per_page ignored. Whoever opens it closes it. */
  openSymbolsExport(
    query: SymbolsQuery & Named & LookedUp,
    options: ReadOptions,
  ): Promise<LeagueExport>
  openUsersExport(query: NearUsersQuery, options: ReadOptions): Promise<LeagueExport>
  selectFacets(query: RatingsQuery, options: ReadOptions): Promise<Facets>
  /** What many symbols, users and views hold, in the order asked. */
  selectWatching(query: WatchingQuery, options: ReadOptions): Promise<UnnamedWatching>
  /** With `like`, of the symbols that are spelled nearly so, the nearest first. */
  selectSymbols(
    query: NearSymbolsQuery & Named & LookedUp,
    options: ReadOptions,
  ): Promise<Rows<UnnamedSymbolRow>>
  /** null where nobody ever rated the symbol. `day` (YYYY-MM-DD) null means at `options.at`. */
  selectAggregate(
    symbol: string,
    day: string | null,
    options: ReadOptions,
  ): Promise<SymbolSummary | null>
  /** null where nobody had rated the symbol. */
  selectOpinion(symbol: string, options: ReadOptions): Promise<Opinion | null>
  selectOverview(options: ReadOptions): Promise<Overview>
  /** A stretch of all symbols, or of all users, in the order of their names; `total` counts all. */
  selectListed(
    listed: { kind: 'symbol' | 'user'; offset: number; limit: number },
    options: ReadOptions,
  ): Promise<Rows<ListedPage>>
  /** null where nobody had rated the symbol. `query.asof` is not read: `at` is where the series ends. */
  selectSeries(symbol: string, query: SeriesQuery, options: ReadOptions): Promise<Series | null>
  /** Why its consensus moved from one instant to another (seconds). Null where nobody had rated the symbol by `at`. */
  selectMoves(
    asked: { symbol: string; from: number; to: number },
    options: ReadOptions,
  ): Promise<Moves | null>
  /** What changed from `from` on and before `to` (seconds). */
  selectChanges(
    period: { from: number; to: number },
    options: Pick<ReadOptions, 'signal'>,
  ): Promise<Changes>
  /** What is new to whoever knows some ids, for however many queries at once. */
  selectNews(asked: NewsQuery, options: ReadOptions): Promise<News>
  selectComparison(query: CompareQuery, options: ReadOptions): Promise<Comparison>
  /** With `like`, of the users whose number is written nearly so, the nearest first. */
  selectUsers(
    query: NearUsersQuery,
    options: ReadOptions,
  ): Promise<Rows<UserRow> & { ranked: number }>
  /** null where the user had not rated. */
  selectUser(userId: number, options: ReadOptions): Promise<User | null>
  /** null where the user had not rated. */
  selectUserRatings(userId: number, options: ReadOptions): Promise<UserRatings | null>
  /** null where the user had not rated. */
  selectRecord(userId: number, options: ReadOptions): Promise<UserRecord | null>
  /**
   * Does `work` while nothing is written to the archive's file, nor to the log beside it: both may be copied meanwhile, though
   * not by this process, which would give the engine's lock away. Reads go on; an import waits where it would commit.
   */
  freeze: Freeze
  close(): Promise<void>
}
