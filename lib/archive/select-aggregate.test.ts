import fc from 'fast-check'
import { expect, test } from 'vitest'
import { holdAgainstCounting } from './against-counting.test-support.ts'
import { importRows, makeRating, openMemory, START } from './arbitrary.test-support.ts'
import { aCommunityOrCrowd } from './crowd.test-support.ts'
import { userTable } from './members-oracle.test-support.ts'
import {
  deriveRows,
  groupBy,
  isActive,
  keyOf,
  mean,
  meanPrediction,
  meanRating,
  nameOf,
  newest,
  type OracleRow,
  stateOf,
} from './oracle.test-support.ts'
import { hasRealRatings, readRealRatings } from './real-ratings.test-support.ts'
import { toWilsonLow } from './wilson.ts'

const SYMBOLS = ['AAPL', 'TSLA', 'MSFT']

const aDay = fc.option(fc.integer({ min: -2, max: 42 }).map((days) => dayOf(START + days * 86_400)))

const dayOf = (at: number) => new Date(at * 1000).toISOString().slice(0, 10)

function summarise(own: readonly OracleRow[], asked: string | null, at: number) {
  const day = asked ?? dayOf(at)
  const instant = day === dayOf(at) ? at : Date.parse(day) / 1000 + 86_399
  const active = own.filter((row) => isActive(row, instant))
  const count = (column: 'rating' | 'action', code: number) =>
    active.filter((row) => row[column] === code).length
  const ratio = (code: number) =>
    mean(
      active.map((row) => (row.action === code ? 1_000_000n : 0n)),
      4,
    ) ?? '0.0000'
  const counts = Object.fromEntries([
    ...[1, 2, 3, 4, 5].map((code) => [`r${code}`, String(count('rating', code))]),
    ...[1, 2, 3, 4].map((code) => [`a${code}`, String(count('action', code))]),
    ...[1, 2, 3, 4].map((code) => [`a${code}_ratio`, ratio(code)]),
  ])
  const times = own.map((row) => row.created_at)
  return {
    aggregate: {
      day,
      symbol: nameOf(own),
      total: String(active.length),
      avg_rating: meanRating(active, 4),
      avg_prediction: meanPrediction(active, 6),
      ...counts,
    },
    ratings: own.length,
    users: new Set(own.map((row) => row.user_id)).size,
    firstCreatedAt: Math.min(...times),
    lastCreatedAt: Math.max(...times),
  }
}

function describeUser(own: readonly OracleRow[], at: number) {
  const codes = (column: 'rating' | 'action', name: string) =>
    [...groupBy(own, (row) => row[column])]
      .map(([value, rows]) => ({ value, label: `${name} ${value}`, count: rows.length }))
      .sort((a, b) => a.value - b.value)
  const total = (column: 'tally_agree' | 'tally_disagree') =>
    own.reduce((sum, row) => sum + row[column], 0)
  return {
    user_id: own[0]?.user_id,
    ratings: own.length,
    active: own.filter((row) => isActive(row, at)).length,
    symbols: new Set(own.map(keyOf)).size,
    first_created_at: Math.min(...own.map((row) => row.created_at)),
    last_created_at: newest(own),
    avg_rating: meanRating(own),
    avg_prediction: meanPrediction(own),
    agree: total('tally_agree'),
    disagree: total('tally_disagree'),
    agreement_low: toWilsonLow(
      total('tally_agree'),
      total('tally_agree') + total('tally_disagree'),
    ),
    by_rating: codes('rating', 'Rating'),
    by_action: codes('action', 'Action'),
  }
}

/** What the league table says of the member too. */
function describeStanding(member: number, rows: readonly OracleRow[], at: number) {
  const sort = { column: 'user_id', direction: 'asc' } as const
  const league = userTable(
    rows,
    { q: String(member), sort, asof: null, page: 1, per_page: 500 },
    at,
  )
  const line = league.find((row) => row.user_id === member)
  return { recent: line?.recent, bias: line?.bias, bias_n: line?.bias_n }
}

function listSymbols(own: readonly OracleRow[], all: readonly OracleRow[], at: number) {
  return [...groupBy(own, keyOf)]
    .map(([key, rows]) => {
      const [latest] = [...rows].sort((a, b) => b.created_at - a.created_at || b.id - a.id)
      return { name: nameOf(all.filter((row) => keyOf(row) === key)), latest, count: rows.length }
    })
    .flatMap(({ name, latest, count }) => (latest ? [{ name, latest, count }] : []))
    .sort((a, b) => b.latest.created_at - a.latest.created_at || b.latest.id - a.latest.id)
    .map(({ name, latest, count }) => ({
      symbol: name,
      ratings: count,
      rating: latest.rating,
      rating_label: latest.rating_label,
      prediction: latest.prediction,
      state: stateOf(latest, at),
      last_created_at: latest.created_at,
    }))
}

test('the aggregate of a day and the card of a member are what plain counting gives', async () => {
  const effort = { communities: 15, questions: 8, of: aCommunityOrCrowd }
  await holdAgainstCounting(aDay, effort, async ({ archive, rows, asked: day, at }) => {
    for (const key of ['AAPL', 'ÜNÏ']) {
      const own = rows.filter((row) => keyOf(row) === key)
      expect(await archive.selectAggregate(key.toLowerCase(), day, { at })).toEqual(
        own.length === 0 ? null : summarise(own, day, at),
      )
    }
    for (const member of [1, 4]) {
      const own = rows.filter((row) => row.user_id === member && row.created_at <= at)
      expect(await archive.selectUser(member, { at })).toEqual(
        own.length === 0
          ? null
          : {
              ...describeUser(own, at),
              ...describeStanding(member, rows, at),
              by_symbol: listSymbols(own, rows, at),
            },
      )
    }
  })
})

const DAYS = ['1970-01-01', '2011-12-08', '2016-02-29', '2020-03-29', '2024-08-02', '9999-12-31']

test.skipIf(!hasRealRatings)(
  'so it is on real ratings: before the first, on a leap day, long after',
  async () => {
    const real = readRealRatings().filter(({ rating }) => SYMBOLS.includes(rating.symbol))
    const archive = await openMemory()
    await importRows(archive, real)
    const at = Date.parse('2026-06-22T12:00:00Z') / 1000
    let active = 0
    for (const symbol of SYMBOLS) {
      const own = deriveRows(real.filter(({ rating }) => rating.symbol === symbol))
      for (const day of [...DAYS, dayOf(at), null]) {
        const answer = await archive.selectAggregate(symbol, day, { at })
        expect(answer).toEqual(summarise(own, day, at))
        active += Number(answer?.aggregate.total)
      }
    }
    expect(active).toBeGreaterThan(100)
    await archive.close()
  },
  30_000,
)

test('a member of more than 100 symbols is shown the 100 most recently rated', async () => {
  const archive = await openMemory()
  await importRows(
    archive,
    Array.from({ length: 120 }, (_, id) => makeRating({ id, symbol: `S${id}` })),
  )
  const user = await archive.selectUser(1, { at: START + 120 })
  expect(user?.symbols).toBe(120)
  expect(user?.by_symbol).toHaveLength(100)
  expect(user?.by_symbol[0]?.symbol).toBe('S119')
  await archive.close()
})
