import type { Changes } from '#lib/contract/answers/changes.ts'
import type { Movers, UnnamedSymbolRow } from '#lib/contract/answers/symbols.ts'
import type { SymbolsQuery } from '#lib/contract/lists/symbols.ts'
import { toSearchKey, toSymbolKey } from '#lib/contract/rating-fields.ts'
import {
  activeAt,
  boundsOf,
  changeOf,
  deviationOf,
  leftAt,
  sumOf,
  wilsonOf,
} from './opinion-oracle.ts'
import {
  compareBy,
  groupBy,
  keyOf,
  mean,
  meanPrediction,
  meanRating,
  millionths,
  nameOf,
  newest,
  type OracleRow,
} from './oracle.ts'

const DAY = 86_400

type Line = UnnamedSymbolRow & { key: string }

export const LEAGUE: SymbolsQuery = {
  q: '',
  sort: { column: 'symbol', direction: 'asc' },
  asof: null,
  page: 1,
  per_page: 50,
}

function symbolsAt(all: readonly OracleRow[], at: number) {
  return [...groupBy(all, keyOf)]
    .map(([key, own]) => ({
      key,
      symbol: nameOf(own),
      rows: own.filter((row) => row.created_at <= at),
    }))
    .filter(({ rows }) => rows.length > 0)
}

export function leagueTable(all: readonly OracleRow[], query: SymbolsQuery, at: number) {
  const q = toSearchKey(query.q)
  const isExact = ({ key }: Line) => query.q !== '' && key === toSymbolKey(query.q)
  const everywhere = mean(activeAt(all, at).map(limitedOf), 4)
  return symbolsAt(all, at)
    .filter(({ key }) => toSearchKey(key).includes(q))
    .map(({ key, symbol, rows }) => ({ key, ...toLine(rows, { at, everywhere }), symbol }))
    .sort(
      compareBy<Line>([
        [(line) => (isExact(line) ? 0 : 1), 'asc'],
        [({ key }) => (q !== '' && toSearchKey(key) === q ? 0 : 1), 'asc'],
        [({ key }) => (toSearchKey(key).startsWith(q) ? 0 : 1), 'asc'],
        [(line) => rankOf(line, query.sort), query.sort.direction],
        [({ symbol }) => symbol, 'asc'],
      ]),
    )
    .map(({ key: _key, ...line }) => line)
}

const number = (text: string | null) => (text === null ? null : millionths(text))

function rankOf(line: Line, { column, direction }: SymbolsQuery['sort']) {
  switch (column) {
    case 'consensus':
      return number(direction === 'desc' ? line.consensus_low : line.consensus_high)
    case 'avg_prediction':
      return number(line.prediction_shrunk)
    case 'change_30d':
      return number(line.change_shrunk)
    case 'dispersion':
      return number(line.dispersion)
    case 'lookups_30d':
      return null
    default:
      return line[column]
  }
}

function toLine(
  rows: readonly OracleRow[],
  { at, everywhere }: { at: number; everywhere: string | null },
): Omit<UnnamedSymbolRow, 'symbol'> {
  const active = activeAt(rows, at)
  const bounds = boundsOf(active)
  return {
    ratings: rows.length,
    active: active.length,
    consensus: meanRating(active),
    consensus_low: bounds.low,
    consensus_high: bounds.high,
    change_30d: changeOf(activeAt(rows, at - 30 * DAY), active),
    change_shrunk: shrunkChangeOf(activeAt(rows, at - 30 * DAY), active),
    avg_prediction: meanPrediction(active),
    prediction_shrunk: shrunkOf(active, everywhere),
    dispersion: deviationOf(active),
    first_created_at: Math.min(...rows.map((row) => row.created_at)),
    last_created_at: newest(rows),
    spark: Array.from({ length: 27 }, (_, index) => {
      const then = activeAt(rows, at - (26 - index) * 14 * DAY)
      return then.length < 3 ? null : meanRating(then)
    }),
    lookups_30d: null,
  }
}

/** Millionths; nothing counts for more than 100% up or down. */
function limitedOf({ prediction }: OracleRow): bigint {
  const value = millionths(prediction)
  const most = 100_000_000n
  return value > most ? most : value < -most ? -most : value
}

/** Adds ten opinions equal to the overall mean. */
function shrunkOf(active: readonly OracleRow[], everywhere: string | null): string | null {
  if (active.length === 0 || everywhere === null) return null
  const imagined = Array.from({ length: 10 }, () => millionths(everywhere))
  return mean([...active.map(limitedOf), ...imagined], 4)
}

export function moversOf(all: readonly OracleRow[], at: number): Movers {
  const since = at - 7 * DAY
  return { since, moves: notableOf(all, { at, since, lapsingBy: at, lines: 5 }).moves }
}

type NotableRange = { at: number; since: number; lapsingBy: number; lines: number }

export function notableOf(
  all: readonly OracleRow[],
  { at, since, lapsingBy, lines }: NotableRange,
): Pick<Movers, 'moves'> & Pick<Changes, 'contested' | 'lapsing'> {
  const listed = <T extends { symbol: string }>(
    some: readonly T[],
    rank: (line: T) => number | bigint | null,
  ) => top(some, rank, lines)
  const symbols = symbolsAt(all, at).map(({ symbol, rows }) => {
    const active = activeAt(rows, at)
    return { symbol, active, before: activeAt(rows, since) }
  })
  return {
    moves: listed(symbols, ({ before, active }) => weightOfMove(before, active))
      .map(({ symbol, before, active }) => ({
        symbol,
        active: active.length,
        before: meanRating(before) ?? '',
        consensus: meanRating(active) ?? '',
        change: changeOf(before, active) ?? '',
      }))
      .sort(compareBy([[({ change }) => number(change.replace('-', '')), 'desc']])),
    contested: listed(symbols.map(toContested), ({ disagree, disagreement_low }) =>
      disagree > 0 ? number(disagreement_low) : null,
    ),
    lapsing: listed(
      symbols.map(({ symbol, active }) => toExpiring(symbol, active, lapsingBy)),
      ({ active, lapsing, lapsing_low }) =>
        lapsing > 0 && active >= 3 ? number(lapsing_low) : null,
    ),
  }
}

function top<T extends { symbol: string }>(
  some: readonly T[],
  rank: (line: T) => number | bigint | null,
  lines: number,
): T[] {
  return some
    .filter((line) => rank(line) !== null)
    .sort(
      compareBy<T>([
        [rank, 'desc'],
        [({ symbol }) => symbol, 'asc'],
      ]),
    )
    .slice(0, lines)
}

/** change · n / (n + 5), to 4 places. */
function shrunkChangeOf(before: readonly OracleRow[], after: readonly OracleRow[]): string | null {
  if (before.length < 3 || after.length < 3) return null
  const n = BigInt(Math.min(before.length, after.length))
  const [b, a] = [BigInt(before.length), BigInt(after.length)]
  const rise =
    sumOf(after.map((row) => row.rating)) * b - sumOf(before.map((row) => row.rating)) * a
  const above = 20_000n * (rise < 0n ? -rise : rise) * n
  const below = a * b * (n + 5n)
  const units = (above + below) / (2n * below)
  return mean([(rise < 0n ? -units : units) * 100n], 4)
}

function weightOfMove(before: readonly OracleRow[], after: readonly OracleRow[]): bigint | null {
  const change = changeOf(before, after)
  if (change === null || !/[1-9]/.test(change)) return null
  const weight = number(shrunkChangeOf(before, after)) ?? 0n
  return weight < 0n ? -weight : weight
}

function toContested({ symbol, active }: { symbol: string; active: readonly OracleRow[] }) {
  const agree = Number(sumOf(active.map((row) => row.tally_agree)))
  const disagree = Number(sumOf(active.map((row) => row.tally_disagree)))
  const low = wilsonOf(disagree, agree + disagree) ?? '0.0000'
  return { symbol, agree, disagree, disagreement_low: low }
}

function toExpiring(symbol: string, active: readonly OracleRow[], by: number) {
  const left = leftAt(active, by)
  const expiring = active.length - left.length
  return {
    symbol,
    active: active.length,
    lapsing: expiring,
    lapsing_low: wilsonOf(expiring, active.length) ?? '0.0000',
    consensus: meanRating(active) ?? '',
    left: meanRating(left),
  }
}
