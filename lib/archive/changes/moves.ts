import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Tables } from '#lib/archive/engine/tables.ts'
import { isActive } from '#lib/archive/query/rating-conditions.ts'
import type { ArchiveReader, ReadOptions } from '#lib/archive/reader.ts'
import type { Moves } from '#lib/contract/answers/moves.ts'
import { MOVES } from '#lib/contract/moves.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import { toDecimalText, toMean, toMillionths, toMillionthsMean } from '#lib/statistics/exact.ts'
import { type Fraction, toParts } from './fractions.ts'
import { moveEvents, type Span } from './move-events.ts'

/** Why a symbol's consensus moved. Null where nobody had rated it by `at`. */
export async function selectMoves(
  reader: ArchiveReader,
  { symbol, ...span }: Span & { symbol: string },
  options: ReadOptions,
): Promise<Moves | null> {
  const [found] = await selectMovesOf(reader, { symbols: [symbol], ...span }, options)
  return found ?? null
}

/** The same of several symbols, in their order; those that nobody had rated by `at` are left out. */
export async function selectMovesOf(
  reader: ArchiveReader,
  { symbols, ...span }: Span & { symbols: readonly string[] },
  { at, signal }: ReadOptions,
): Promise<Moves[]> {
  const keys = symbols.map(toSymbolKey)
  if (keys.length === 0) return []
  return await reader.read(async (db) => {
    const ends = await selectEnds(db, { keys, ...span, at })
    const standing = async (key: string, active: StandingRow, at: number) =>
      active.among > 0 ? toStanding(active) : await selectLastStanding(db, key, at)
    const known: Known[] = []
    for (const { key, symbol, start, end } of ends) {
      known.push({
        ...{ key, symbol },
        start: await standing(key, start, span.from),
        end: await standing(key, end, span.to),
      })
    }
    if (known.length === 0) return []
    const lines = await selectLines(db, { ...span, starts: known })
    const found = new Map(
      known.map(({ key, symbol, ...ends }) => {
        const own = lines.filter(({ symbol_key }) => symbol_key === key)
        return [key, { symbol, ...span, ...toMoves({ ...ends, lines: own }) }]
      }),
    )
    return keys.flatMap((key) => found.get(key) ?? [])
  }, signal)
}

/** The mean that stands: of the ratings that are active, or that were the last to be. Sums are exact; `among` 0 is no mean. */
type Standing = { active: number; among: number; ratings: bigint; predictions: bigint }

type StandingRow = { among: number; ratings: number | null; predictions: string | null }

/** A symbol by its key and as it is written, and what stood at both ends. */
type Known = { key: string; symbol: string; start: Standing; end: Standing }

type EndsAsked = Span & { keys: readonly string[]; at: number }

/** Who was active at both ends, of each symbol that somebody had rated by `at`. */
async function selectEnds(db: Kysely<Tables>, { keys, from, to, at }: EndsAsked) {
  const { rows } = await sql<{ symbol_key: string; symbol: string } & Ends>`
    select symbol_key, min(symbol) as symbol,
      count(*) filter (where ${isActive(from)}) as among_from,
      sum(rating) filter (where ${isActive(from)}) as ratings_from,
      sum(prediction_value) filter (where ${isActive(from)}) as predictions_from,
      count(*) filter (where ${isActive(to)}) as among_to,
      sum(rating) filter (where ${isActive(to)}) as ratings_to,
      sum(prediction_value) filter (where ${isActive(to)}) as predictions_to
    from rating where symbol_key in (${sql.join(keys)}) and created_at <= ${at}
    group by symbol_key`.execute(db)
  return rows.map((row) => ({
    ...{ key: row.symbol_key, symbol: row.symbol },
    start: {
      among: row.among_from,
      ratings: row.ratings_from,
      predictions: row.predictions_from,
    },
    end: { among: row.among_to, ratings: row.ratings_to, predictions: row.predictions_to },
  }))
}

type Ends = Record<'among_from' | 'among_to', number> &
  Record<'ratings_from' | 'ratings_to', number | null> &
  Record<'predictions_from' | 'predictions_to', string | null>

/** Nobody is active: the mean that stood last is found by going through all that happened. */
async function selectLastStanding(db: Kysely<Tables>, key: string, at: number): Promise<Standing> {
  const before = { from: BEGINNING, to: at, starts: [{ key, start: NO_MEAN }] }
  const { rows } = await sql<StandingRow>`
    with ${START(before)}
    select among, ratings, predictions from (${walk(before)}) as walked
    where among > 0 order by place desc limit 1`.execute(db)
  return rows[0] ? { ...toStanding(rows[0]), active: 0 } : NO_MEAN
}

/** Before every instant that a rating can be posted at. */
const BEGINNING = -1
const NO_MEAN: Standing = { active: 0, among: 0, ratings: 0n, predictions: 0n }

const toStanding = ({ among, ratings, predictions }: StandingRow): Standing => ({
  active: among,
  among,
  ratings: BigInt(ratings ?? 0),
  predictions: toMillionths(predictions ?? '0'),
})

type Walk = Span & { starts: readonly Pick<Known, 'key' | 'start'>[] }

/** What stands before the first event of each symbol, as a table `start`. */
const START = ({ starts }: Walk) => sql`
  start (symbol_key, active, among, ratings, predictions) as materialized (
    values ${sql.join(
      starts.map(
        ({ key, start: { active, among, ratings, predictions } }) => sql`(
          cast(${key} as varchar), ${sql.lit(active)}, ${sql.lit(among)},
          cast(${String(ratings)} as hugeint), ${toDecimal(predictions)}
        )`,
      ),
    )}
  )`

/**
 * The events of each symbol in their order (in one second ends before beginnings, then by id), each with how many ratings were active
 * after it and their sums: `among` is 0 after one that left nobody. Sums begin with nothing where nobody is active, though a mean may
 * stand.
 */
const walk = ({ starts, ...span }: Walk): RawBuilder<unknown> => sql`
  select happened.symbol_key, kind, row_number() over so_far as place,
    active + sum(more) over so_far as among,
    case when active = 0 then 0 else ratings end + sum(rating) over so_far as ratings,
    case when active = 0 then 0 else predictions end + sum(prediction) over so_far as predictions
  from (${moveEvents({ ...span, keys: starts.map(({ key }) => key) })}) as happened
    join start on start.symbol_key = happened.symbol_key
  window so_far as (
    ${apart(starts, sql`happened.symbol_key`)} order by t, phase, id rows unbounded preceding
  )`

/** Each symbol by itself: of one alone that need not be said, and costs less. */
const apart = ({ length }: Walk['starts'], key: RawBuilder<unknown>) =>
  length === 1 ? sql`` : sql`partition by ${key}`

/** Millionths as a decimal that sums of any predictions fit in. */
const toDecimal = (millionths: bigint) =>
  sql`cast(${toDecimalText({ units: millionths, places: 6 })} as decimal(38, 6))`

/**
 * Means that events of a kind led to, less those that they came from, by how many ratings those were over (`among`); null is the line of
 * how many events of the kind there were.
 */
type Line = {
  symbol_key: string
  kind: number
  events: number
  among: number | null
  ratings: string | null
  predictions: string | null
}

/**
 * An event that left nobody moved nothing: the mean stands, and the next one that leaves somebody comes from it. So each mean is what
 * its event led to, and what the next such event came from; of two events of one kind the mean between them is neither.
 */
async function selectLines(db: Kysely<Tables>, walked: Walk): Promise<Line[]> {
  const { rows } = await sql<Line>`
    with ${START(walked)},
    walked as materialized (${walk(walked)}),
    stood as materialized (
      select *, lead(kind) over (${apart(walked.starts, sql`symbol_key`)} order by place) as next_kind
      from walked where among > 0
    ),
    ends as (
      select symbol_key, kind, among, ratings, predictions
      from stood where kind is distinct from next_kind
      union all
      select symbol_key, next_kind, among, -ratings, -predictions
      from stood where kind <> next_kind
      union all
      select symbol_key, arg_min(kind, place), any_value(start.among),
        -any_value(start.ratings), -any_value(start.predictions)
      from stood join start using (symbol_key) group by symbol_key
    )
    select symbol_key, kind, 0 as events, among,
      cast(sum(ratings) as varchar) as ratings, cast(sum(predictions) as varchar) as predictions
    from ends group by symbol_key, kind, among
    union all
    select symbol_key, kind, count(*), null, null, null
    from walked group by symbol_key, kind`.execute(db)
  return rows
}

type Walked = { start: Standing; end: Standing; lines: readonly Line[] }

const PLACES = 6

/** Over nothing there is no mean, and nothing that it adds. */
const toFraction = ({ among }: Line, dividend: bigint): Fraction => ({
  dividend: among ? dividend : 0n,
  divisor: among || 1,
})

function toMoves({ start, end, lines }: Walked): Omit<Moves, 'symbol' | keyof Span> {
  const hasMean = start.among > 0
  const kinds = MOVES.map((kind, index) => ({
    kind,
    own: lines.filter((line) => line.kind === index),
  })).filter(({ own }) => own.length > 0)
  const split = (read: (line: Line) => bigint) =>
    hasMean
      ? toParts(kinds.map(({ own }) => own.map((line) => toFraction(line, read(line)))))
      : null
  const ratings = split((line) => BigInt(line.ratings ?? 0) * 1_000_000n)
  const predictions = split((line) => toMillionths(line.predictions ?? '0'))
  return {
    ...{ active_from: start.active, active_to: end.active },
    consensus_from: toMean(String(start.ratings), start.among, PLACES),
    consensus_to: toMean(String(end.ratings), end.among, PLACES),
    change: ratings?.whole ?? null,
    prediction_from: toMillionthsMean(start.predictions, start.among, PLACES),
    prediction_to: toMillionthsMean(end.predictions, end.among, PLACES),
    prediction_change: predictions?.whole ?? null,
    parts: kinds.map(({ kind, own }, index) => ({
      kind,
      events: own.reduce((sum, line) => sum + line.events, 0),
      change: ratings?.parts[index] ?? null,
      prediction_change: predictions?.parts[index] ?? null,
    })),
  }
}
