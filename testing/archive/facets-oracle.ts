import { expect } from 'vitest'
import type { Facets } from '#lib/contract/answers/ratings.ts'
import { QUALITIES, qualityLabel } from '#lib/contract/quality.ts'
import type { RatingsQuery } from '#lib/contract/ratings-query.ts'
import { ANY, type Chosen } from '#lib/contract/value-list.ts'
import {
  compareBy,
  groupBy,
  keyOf,
  millionths,
  nameOf,
  type OracleRow,
  passes,
  qualityAt,
  stateOf,
} from './oracle.ts'

type Line<V extends string | number> = { value: V; count: number }

const byCount = compareBy<Line<string | number>>([
  [(line) => line.count, 'desc'],
  [(line) => line.value, 'asc'],
])

function countCodes(rows: readonly OracleRow[], column: 'rating' | 'action') {
  const name = column === 'rating' ? 'Rating' : 'Action'
  return [...groupBy(rows, (row) => row[column])]
    .map(([value, own]) => ({ value, label: `${name} ${value}`, count: own.length }))
    .sort((a, b) => a.value - b.value)
}

const TOP = 20

function countTop<V extends string | number>(
  rows: readonly OracleRow[],
  chosen: Chosen<V>,
  { keyOf, nameOf }: { keyOf: (row: OracleRow) => V; nameOf: (key: V) => V | undefined },
) {
  const lines = [...groupBy(rows, keyOf)].map(([key, own]) => ({
    key,
    value: nameOf(key) ?? key,
    count: own.length,
  }))
  const top = lines.sort(byCount).slice(0, TOP)
  const more = [...new Set([...chosen.only, ...chosen.not])]
    .filter((key) => !top.some((line) => line.key === key))
    .map((key) => ({
      key,
      value: nameOf(key) ?? key,
      count: lines.find((line) => line.key === key)?.count ?? 0,
    }))
  const isKnown = ({ key }: { key: V }) => nameOf(key) !== undefined
  const known = more.filter(isKnown).sort(byCount)
  const unknown = more.filter((line) => !isKnown(line))
  return [...top, ...known, ...unknown].map(({ value, count }) => ({ value, count }))
}

function expectEdges(bins: readonly [from: bigint, to: bigint][], all: readonly bigint[]): void {
  expect(bins.length > 0).toBe(all.length > 0)
  const outside = all.filter(
    (value) => value < (bins[0]?.[0] ?? 0n) || value > (bins.at(-1)?.[1] ?? 0n),
  )
  expect(outside).toEqual([])
  expect(bins.slice(1).map(([from]) => from)).toEqual(bins.slice(0, -1).map(([, to]) => to))
  const inner = bins.slice(1, -1).map(([from, to]) => to - from)
  expect(new Set(inner).size).toBeLessThanOrEqual(1)
}

function expectPosted(
  { created, bounds }: Facets,
  all: readonly OracleRow[],
  passing: OracleRow[],
) {
  const times = all.map((row) => row.created_at)
  const [first, last] = [Math.min(...times), Math.max(...times)]
  expect(bounds.created).toEqual(all.length === 0 ? null : { from: first, to: last + 1 })
  expect(created.length).toBeLessThanOrEqual(80)
  expectEdges(
    created.map(({ from, to }) => [BigInt(from), BigInt(to)]),
    times.map(BigInt),
  )
  for (const [bin, instant] of [
    [created.at(0), first],
    [created.at(-1), last],
  ] as const) {
    expect(!bin || (bin.from <= instant && instant < bin.to)).toBe(true)
  }
  for (const { from, to, count, ratings } of created) {
    const inside = passing.filter((row) => row.created_at >= from && row.created_at < to)
    expect(count).toBe(inside.length)
    expect(ratings).toEqual(
      countCodes(inside, 'rating').map(({ value, count }) => ({ value, count })),
    )
  }
}

function expectPredictions(
  { prediction, bounds }: Facets,
  all: readonly OracleRow[],
  passing: OracleRow[],
) {
  const toValues = (rows: readonly OracleRow[]) => rows.map((row) => millionths(row.prediction))
  const values = toValues(passing)
  const every = toValues(all).sort((a, b) => (a < b ? -1 : 1))
  const bins = prediction.map(({ from, to }): [bigint, bigint] => [
    millionths(from),
    millionths(to),
  ])
  expect(prediction.length).toBeLessThanOrEqual(50)
  expectEdges(bins, every)
  const ends = bounds.prediction && [bounds.prediction.min, bounds.prediction.max].map(millionths)
  expect(ends).toEqual(all.length === 0 ? null : [every[0], every.at(-1)])
  expect([bins.at(0)?.[0], bins.at(-1)?.[1]]).toEqual([every[0], every.at(-1)])
  bins.forEach(([from, to], index) => {
    const isLast = index === bins.length - 1
    const inside = values.filter(
      (value) => value >= from && (value < to || (isLast && value === to)),
    )
    expect(prediction[index]?.count).toBe(inside.length)
  })
}

const ANY_TIME = { from: null, to: null, created: ANY }
const ANY_PREDICTION = {
  prediction: ANY,
  prediction_min: null,
  prediction_max: null,
  prediction_above: null,
  prediction_below: null,
}

export function expectFacets(
  facets: Facets,
  all: readonly OracleRow[],
  { query, at }: { query: RatingsQuery; at: number },
): void {
  const passing = (without: Partial<RatingsQuery>) =>
    all.filter((row) => passes(row, { ...query, ...without }, at))
  expect(facets.rating).toEqual(countCodes(passing({ rating: ANY }), 'rating'))
  expect(facets.action).toEqual(countCodes(passing({ action: ANY }), 'action'))
  const states = passing({ state: null }).map((row) => stateOf(row, query.asof ?? at))
  expect(facets.state).toEqual(
    ['active', 'expired'].map((value) => ({
      value,
      count: states.filter((state) => state === value).length,
    })),
  )
  const [ofSymbols, ofUsers] = [passing({ symbol: ANY }), passing({ user: ANY })]
  const spelled = (key: string) => {
    const own = all.filter((row) => keyOf(row) === key)
    const hadRating = own.some((row) => query.asof === null || row.created_at <= query.asof)
    return hadRating ? nameOf(own) || undefined : undefined
  }
  expect(facets.symbol).toEqual(countTop(ofSymbols, query.symbol, { keyOf, nameOf: spelled }))
  const known = (user: number) => (ofUsers.some((row) => row.user_id === user) ? user : undefined)
  expect(facets.user).toEqual(
    countTop(ofUsers, query.user, { keyOf: (row) => row.user_id, nameOf: known }),
  )
  expect(facets.distinct).toEqual({
    symbols: new Set(ofSymbols.map(keyOf)).size,
    users: new Set(ofUsers.map((row) => row.user_id)).size,
  })
  const ofQuality = passing({ quality: ANY })
  expect(facets.quality).toEqual(
    QUALITIES.map((value) => ({
      value,
      label: qualityLabel(value),
      count: ofQuality.filter((row) => qualityAt(row, query.asof ?? at).includes(value)).length,
    })),
  )
  expectPosted(facets, all, passing(ANY_TIME))
  expectPredictions(facets, all, passing(ANY_PREDICTION))
}
