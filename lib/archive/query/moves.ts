import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { ReadOptions } from '#lib/archive/archive.ts'
import type { Engine } from '#lib/archive/engine/duckdb-engine.ts'
import type { Tables } from '#lib/archive/engine/tables.ts'
import type { Moves } from '#lib/contract/answers/moves.ts'
import { MOVES } from '#lib/contract/moves.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import { type Fraction, toParts } from './fractions.ts'
import { moveEvents, type Span } from './move-events.ts'
import { isActive } from './rating-conditions.ts'
import { toDecimalText, toMean, toMillionths, toMillionthsMean } from './statistics.ts'

/** Why a symbol's consensus moved. Null where nobody had rated it by `to`. */
export async function selectMoves(
  engine: Engine,
  { symbol, ...span }: Span & { symbol: string },
  { signal }: Pick<ReadOptions, 'signal'>,
): Promise<Moves | null> {
  const key = toSymbolKey(symbol)
  return await engine.read(async (db) => {
    const ends = await selectEnds(db, key, span)
    if (ends.symbol === null) return null
    const standing = async (active: StandingRow, at: number) =>
      active.among > 0 ? toStanding(active) : await selectLastStanding(db, key, at)
    const start = await standing(ends.start, span.from)
    const end = await standing(ends.end, span.to)
    const lines = await selectLines(db, { key, ...span, start })
    return { symbol: ends.symbol, ...span, ...toMoves({ start, end, lines }) }
  }, signal)
}

/** The mean that stands: of the ratings that are active, or that were the last to be. Sums are exact; `among` 0 is no mean. */
type Standing = { active: number; among: number; ratings: bigint; predictions: bigint }

type StandingRow = { among: number; ratings: number | null; predictions: string | null }

/** Who was active at both ends, and the symbol as it is written; null where nobody had rated it. */
async function selectEnds(db: Kysely<Tables>, key: string, { from, to }: Span) {
  const { rows } = await sql<{ symbol: string | null } & Ends>`
    select min(symbol) as symbol,
      count(*) filter (where ${isActive(from)}) as among_from,
      sum(rating) filter (where ${isActive(from)}) as ratings_from,
      sum(prediction_value) filter (where ${isActive(from)}) as predictions_from,
      count(*) filter (where ${isActive(to)}) as among_to,
      sum(rating) filter (where ${isActive(to)}) as ratings_to,
      sum(prediction_value) filter (where ${isActive(to)}) as predictions_to
    from rating where symbol_key = ${key} and created_at <= ${to}`.execute(db)
  const [found] = rows
  if (!found) throw new Error('an aggregate gave no row')
  return {
    symbol: found.symbol,
    start: {
      among: found.among_from,
      ratings: found.ratings_from,
      predictions: found.predictions_from,
    },
    end: { among: found.among_to, ratings: found.ratings_to, predictions: found.predictions_to },
  }
}

type Ends = Record<'among_from' | 'among_to', number> &
  Record<'ratings_from' | 'ratings_to', number | null> &
  Record<'predictions_from' | 'predictions_to', string | null>

/** Nobody is active: the mean that stood last is found by going through all that happened. */
async function selectLastStanding(db: Kysely<Tables>, key: string, at: number): Promise<Standing> {
  const before = { key, from: BEGINNING, to: at, start: NO_MEAN }
  const { rows } = await sql<StandingRow>`
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

type Walk = Span & { key: string; start: Standing }

/**
 * The events in their order (in one second ends before beginnings, then by id), each with how many ratings were active after it and
 * their sums: `among` is 0 after one that left nobody.
 */
const walk = (walked: Walk): RawBuilder<unknown> => sql`
  select kind, row_number() over so_far as place,
    ${sql.lit(walked.start.active)} + sum(more) over so_far as among,
    ${sumFrom(walked.start, 'ratings')} + sum(rating) over so_far as ratings,
    ${sumFrom(walked.start, 'predictions')} + sum(prediction) over so_far as predictions
  from (${moveEvents(walked)}) as happened
  window so_far as (order by t, phase, id rows unbounded preceding)`

/** What the sums of those who are active begin with: nothing where nobody is, though a mean may stand. */
function sumFrom({ active, ratings, predictions }: Standing, of: 'ratings' | 'predictions') {
  if (active === 0) return sql.lit(0)
  if (of === 'ratings') return sql`cast(${String(ratings)} as hugeint)`
  return toDecimal(predictions)
}

/** Millionths as a decimal that sums of any predictions fit in. */
const toDecimal = (millionths: bigint) =>
  sql`cast(${toDecimalText({ units: millionths, places: 6 })} as decimal(38, 6))`

/** Means that events of a kind led to, less those that they came from, by how many ratings those were over. */
type Line = {
  kind: number
  events: number
  among: number
  ratings: string | null
  predictions: string | null
}

async function selectLines(db: Kysely<Tables>, walked: Walk): Promise<Line[]> {
  const { start } = walked
  const first = {
    among: sql.lit(start.among),
    ratings: sql`cast(${String(start.ratings)} as hugeint)`,
    predictions: toDecimal(start.predictions),
  }
  /** What stood behind the last event that left somebody, or stood from the beginning. */
  const standing = (name: keyof typeof first, last: '1 preceding' | 'current row') => sql`
    coalesce(
      last_value(case when among > 0 then ${sql.ref(name)} end ignore nulls)
        over (order by place rows between unbounded preceding and ${sql.raw(last)}),
      ${first[name]})`
  const { rows } = await sql<Line>`
    with walked as materialized (${walk(walked)}),
    stood as (
      select kind,
        ${standing('among', 'current row')} as among_after,
        ${standing('ratings', 'current row')} as ratings_after,
        ${standing('predictions', 'current row')} as predictions_after,
        ${standing('among', '1 preceding')} as among_before,
        ${standing('ratings', '1 preceding')} as ratings_before,
        ${standing('predictions', '1 preceding')} as predictions_before
      from walked
    ),
    ends as (
      select kind, 1 as event, among_after as among,
        ratings_after as ratings, predictions_after as predictions from stood
      union all
      select kind, 0, among_before, -ratings_before, -predictions_before from stood
    )
    select kind, sum(event) as events, among,
      cast(sum(ratings) as varchar) as ratings, cast(sum(predictions) as varchar) as predictions
    from ends group by kind, among`.execute(db)
  return rows
}

type Walked = { start: Standing; end: Standing; lines: readonly Line[] }

const PLACES = 6

/** Over nothing there is no mean, and nothing that it adds. */
const toFraction = ({ among }: Line, dividend: bigint): Fraction => ({
  dividend: among === 0 ? 0n : dividend,
  divisor: Math.max(among, 1),
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
