import { type Expression, expressionBuilder, type Kysely, type SqlBool, sql } from 'kysely'
import type { Tables } from '#lib/archive/engine/tables.ts'
import { EVERY_ROW, type GivenRows } from '#lib/archive/lists/given-rows.ts'
import { type SymbolSums, selectSymbolSums, shrunkChange } from '#lib/archive/query/consensus.ts'
import { isActive } from '#lib/archive/query/rating-conditions.ts'
import { deviation, rankingBound, roundedMean, shrunkMean } from '#lib/archive/query/statistics.ts'
import type { ArchiveReader, ReadOptions, Rows } from '#lib/archive/reader.ts'
import { CONSENSUS_MIN, SPARK_POINTS, SPARK_STEP_SECONDS } from '#lib/contract/answers/limits.ts'
import type { UnnamedSymbolRow } from '#lib/contract/answers/symbols.ts'
import type { NearSymbolsQuery, SymbolsQuery } from '#lib/contract/lists/symbols.ts'
import { EXTREME_PERCENT } from '#lib/contract/quality.ts'
import { toSearchKey, toSymbolKey } from '#lib/contract/rating-fields.ts'
import { toDeviation, toMean, toRankingBounds, toShrunkMean } from '#lib/statistics/exact.ts'
import { toChange, toShrunkChange } from '#lib/timeline/standing.ts'

/**
 * `like` sorts by edit distance. Then exact matches of `q`, then prefixes. Nulls last, ties by
 * symbol.
 */
export async function selectSymbols(
  reader: ArchiveReader,
  query: SymbolQuery,
  { at, signal }: ReadOptions,
): Promise<Rows<UnnamedSymbolRow>> {
  const lookupsEnd = toLookupsEnd(reader, at)
  const { lines, total } = await selectLines(reader, { ...query, lookupsEnd }, { at, signal })
  const keys = lines.map((line) => line.symbol_key)
  const sparks = await selectSparks(reader, keys, { at, signal })
  const rows = lines.map((line) => ({
    ...toSymbolFigures(line),
    spark: sparks(line.symbol_key),
    lookups_30d: lookupsEnd === null ? null : (line.lookups ?? 0),
  }))
  return { rows, total }
}

export async function selectSymbolFigures(
  reader: Pick<ArchiveReader, 'read'>,
  query: SymbolSearch,
  options: ReadOptions,
): Promise<Rows<SymbolFigures>> {
  const { lines, total } = await selectLines(reader, query, options)
  return { rows: lines.map(toSymbolFigures), total }
}

export function symbolRows(
  reader: ArchiveReader,
  query: SymbolsQuery & NameMatches,
  options: ReadOptions,
): GivenRows {
  const whole = { ...query, ...EVERY_ROW, lookupsEnd: toLookupsEnd(reader, options.at) }
  return { select: async (snapshot) => await selectSymbolFigures(snapshot, whole, options) }
}

/** Exclusive; null if no look-ups were known at `at`. */
function toLookupsEnd(reader: ArchiveReader, at: number): number | null {
  const { firstCreatedAt, knownTo } = reader.lookups()
  if (firstCreatedAt === null || knownTo === null) return null
  const end = Math.min(knownTo, at + 1)
  return firstCreatedAt < end ? end : null
}

async function selectLines(
  reader: Pick<ArchiveReader, 'read'>,
  query: SymbolSearch,
  { at, signal }: ReadOptions,
): Promise<{ lines: LeagueLine[]; total: number }> {
  const lines = await reader.read((db) => selectPage(db, query, at), signal)
  // A page past the end has no row with the total.
  const total =
    lines[0]?.total ??
    (query.page === 1 ? 0 : await reader.read((db) => countSymbols(db, query, at), signal))
  return { lines, total }
}

type NameMatches = { named?: readonly string[] }

type SymbolQuery = NearSymbolsQuery & NameMatches

type SymbolSearch = SymbolQuery & { lookupsEnd?: number | null }

type SymbolFigures = Omit<UnnamedSymbolRow, 'spark' | 'lookups_30d'>

const eb = expressionBuilder<
  { tally: { symbol_key: string }; symbol: Tables['symbol'] },
  'tally' | 'symbol'
>()

const positionOf = (q: string) =>
  sql<number>`position(cast(${toSearchKey(q)} as text) in ${eb.ref('symbol.search_key')})`

const contains = ({ q, named = [] }: SymbolSearch): Expression<SqlBool> => {
  if (q === '') return eb.lit(true)
  const isSpelled = eb(positionOf(q), '>', 0)
  return named.length === 0 ? isSpelled : eb.or([isSpelled, eb('tally.symbol_key', 'in', named)])
}

const distanceTo = (text: string) =>
  sql<number>`damerau_levenshtein(cast(${toSearchKey(text)} as text), ${eb.ref('symbol.search_key')})`

const toSlips = (name: string) => (name.length < 6 ? 1 : name.length < 9 ? 2 : 3)

const isFound = (query: SymbolSearch): Expression<SqlBool> => {
  const { like = '' } = query
  if (like === '') return contains(query)
  return eb.and([contains(query), eb(distanceTo(like), '<=', toSlips(like))])
}

async function countSymbols(db: Kysely<Tables>, query: SymbolSearch, at: number): Promise<number> {
  const row = await fromLeague(db, at)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where(isFound(query))
    .executeTakeFirstOrThrow()
  return row.total
}

async function selectPage(
  db: Kysely<Tables>,
  query: SymbolSearch,
  at: number,
): Promise<(LeagueLine & { total: number })[]> {
  const { q, like = '', sort, page, per_page: perPage, lookupsEnd = null } = query
  return await fromLeague(db, at)
    .leftJoin(countLookups(lookupsEnd).as('looked_up'), 'looked_up.key', 'tally.symbol_key')
    .selectAll(['tally', 'community'])
    .select(['symbol.symbol', 'looked_up.lookups', sql<number>`count(*) over ()`.as('total')])
    .where(isFound(query))
    .$if(like !== '', (found) => found.orderBy(distanceTo(like)))
    .$if(q !== '', (found) =>
      found
        .orderBy(eb('tally.symbol_key', '=', toSymbolKey(q)), 'desc')
        .orderBy(eb('symbol.search_key', '=', toSearchKey(q)), 'desc')
        .orderBy(eb(positionOf(q), '=', 1), 'desc'),
    )
    .orderBy(rankBy(query), (item) =>
      (sort.direction === 'desc' ? item.desc() : item.asc()).nullsLast(),
    )
    .orderBy('symbol.symbol')
    .limit(perPage)
    .offset((page - 1) * perPage)
    .execute()
}

const LOOKUPS_SECONDS = 30 * 86_400

type LookupCount = { key: string; lookups: number }

const countLookups = (end: number | null) =>
  end === null
    ? sql<LookupCount>`(select null as key, null as lookups where false)`
    : sql<LookupCount>`(
        select symbol as key, count(*) as lookups
        from lookups.lookup join lookups.symbol using (symbol_no)
        where created_at >= ${sql.lit(end - LOOKUPS_SECONDS)} and created_at < ${sql.lit(end)}
        group by symbol
      )`

const CHANGE_SECONDS = 30 * 86_400

type SymbolTally = SymbolSums & {
  last_created_at: number
  square_sum: number | null
  prediction_sum: string | null
  /** Sum of the predictions, each at most EXTREME_PERCENT up or down. */
  limited_sum: string | null
}

type Community = { community_active: number; community_limited: string | null }

type LeagueLine = SymbolTally & Community & { symbol: string; lookups: number | null }

const fromLeague = (db: Kysely<Tables>, at: number) =>
  db
    .with(
      (cte) => cte('tally').materialized(),
      () => selectTally(db, at),
    )
    .with('community', (db) =>
      db
        .selectFrom('tally')
        .select((eb) => [
          eb.fn.sum<number>('active').as('community_active'),
          eb.fn.sum<string | null>('limited_sum').as('community_limited'),
        ]),
    )
    .selectFrom('tally')
    .innerJoin('symbol', 'symbol.symbol_key', 'tally.symbol_key')
    .crossJoin('community')

const selectTally = (db: Kysely<Tables>, at: number) =>
  selectSymbolSums(db, { at, before: at - CHANGE_SECONDS }).select((eb) => [
    eb.fn.max('created_at').as('last_created_at'),
    eb.fn
      .sum<number | null>(sql`cast(rating as integer) * rating`)
      .filterWhere(isActive(at))
      .as('square_sum'),
    eb.fn.sum<string | null>('prediction_value').filterWhere(isActive(at)).as('prediction_sum'),
    eb.fn
      .sum<string | null>(
        sql`cast(greatest(${sql.lit(-EXTREME_PERCENT)}, least(${sql.lit(EXTREME_PERCENT)}, prediction_value)) as decimal(18, 6))`,
      )
      .filterWhere(isActive(at))
      .as('limited_sum'),
  ])

const leagueExpression = expressionBuilder<
  {
    tally: SymbolTally
    community: Community
    symbol: Tables['symbol']
  },
  'tally' | 'community' | 'symbol'
>()

const SUMS = {
  count: leagueExpression.ref('active'),
  sum: leagueExpression.ref('rating_sum'),
  squares: leagueExpression.ref('square_sum'),
}

const SHRUNK_PREDICTION = shrunkMean(
  { sum: leagueExpression.ref('limited_sum'), count: leagueExpression.ref('active') },
  roundedMean(leagueExpression.ref('community_limited'), leagueExpression.ref('community_active')),
)

const BEFORE = {
  active: leagueExpression.ref('active_before'),
  sum: leagueExpression.ref('sum_before'),
}
const AFTER = { active: leagueExpression.ref('active'), sum: leagueExpression.ref('rating_sum') }

function rankBy({ sort }: SymbolSearch): Expression<unknown> {
  const { column, direction } = sort
  switch (column) {
    case 'lookups_30d':
      return sql`coalesce(looked_up.lookups, 0)`
    case 'consensus':
      return rankingBound(direction === 'desc' ? 'low' : 'high', SUMS)
    case 'change_30d':
      return shrunkChange(BEFORE, AFTER)
    case 'avg_prediction':
      return SHRUNK_PREDICTION
    case 'dispersion':
      return deviation(SUMS)
    case 'symbol':
      return leagueExpression.ref('symbol.symbol')
    default:
      return leagueExpression.ref(column)
  }
}

function toSymbolFigures(line: LeagueLine): SymbolFigures {
  const { symbol, ratings, active, first_created_at, last_created_at } = line
  const sums = { count: active, sum: line.rating_sum ?? 0, squares: line.square_sum ?? 0 }
  const bounds = toRankingBounds(sums)
  const before = { active: line.active_before, sum: line.sum_before }
  const after = { active, sum: line.rating_sum }
  return {
    symbol,
    ratings,
    active,
    consensus: toMean(line.rating_sum, active, 4),
    consensus_low: bounds.low,
    consensus_high: bounds.high,
    change_30d: toChange(before, after),
    change_shrunk: toShrunkChange(before, after),
    avg_prediction: toMean(line.prediction_sum, active, 4),
    prediction_shrunk: toShrunkMean(
      { sum: line.limited_sum, count: active },
      toMean(line.community_limited, line.community_active, 4),
    ),
    dispersion: toDeviation(sums),
    first_created_at,
    last_created_at,
  }
}

type Spark = UnnamedSymbolRow['spark']

type Change = { symbol_key: string; step: number; count: number; sum: number }

/** Null if fewer than CONSENSUS_MIN ratings were active. */
async function selectSparks(
  reader: ArchiveReader,
  keys: readonly string[],
  { at, signal }: ReadOptions,
): Promise<(key: string) => Spark> {
  if (keys.length === 0) return () => []
  const asked = { keys, at, first: at - (SPARK_POINTS - 1) * SPARK_STEP_SECONDS }
  const [posted, ended] = await Promise.all([
    reader.read((db) => selectChanges(db, asked, 'posted'), signal),
    reader.read((db) => selectChanges(db, asked, 'ended'), signal),
  ])
  const steps = new Map(keys.map((key) => [key, Array.from({ length: SPARK_POINTS }, nothing)]))
  const add = (changes: readonly Change[], sign: 1 | -1) => {
    for (const { symbol_key, step, count, sum } of changes) {
      const change = steps.get(symbol_key)?.[step]
      if (!change) continue
      change.count += sign * count
      change.sum += sign * sum
    }
  }
  add(posted, 1)
  add(ended, -1)
  return (key) => toSpark(steps.get(key) ?? [])
}

const nothing = () => ({ count: 0, sum: 0 })

function toSpark(steps: readonly { count: number; sum: number }[]): Spark {
  const active = nothing()
  return steps.map(({ count, sum }) => {
    active.count += count
    active.sum += sum
    return active.count < CONSENSUS_MIN ? null : toMean(active.sum, active.count, 4)
  })
}

type SummaryRange = { keys: readonly string[]; at: number; first: number }

/** Ratings that ended before they were posted were never active. */
async function selectChanges(
  db: Kysely<Tables>,
  { keys, at, first }: SummaryRange,
  kind: 'posted' | 'ended',
): Promise<Change[]> {
  return await db
    .selectFrom('rating')
    .select((eb) => [
      'symbol_key',
      toStep(eb.ref(kind === 'posted' ? 'created_at' : 'effective_until'), first).as('step'),
      eb.fn.countAll<number>().as('count'),
      eb.fn.sum<number>('rating').as('sum'),
    ])
    .where('symbol_key', 'in', keys)
    .where('created_at', '<=', at)
    .where('effective_until', '>', first)
    .whereRef('effective_until', '>', 'created_at')
    .$if(kind === 'ended', (ratings) => ratings.where('effective_until', '<=', at))
    .groupBy(['symbol_key', 'step'])
    .execute()
}

const toStep = (instant: Expression<number>, first: number) => {
  const step = sql.lit(SPARK_STEP_SECONDS)
  const past = sql`greatest(${instant} - ${sql.lit(first)}, 0)`
  return sql<number>`cast(floor((${past} + ${step} - 1) / ${step}) as integer)`
}
