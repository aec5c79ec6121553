import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { selectMovers, selectNotable } from '#lib/archive/changes/notable.ts'
import { selectUser } from '#lib/archive/users/users.ts'
import { SYMBOL_SORTS } from '#lib/contract/lists/symbols.ts'
import type { IncomingRating } from '#lib/contract/rating.ts'
import { holdAgainstCounting } from '#testing/archive/against-counting.ts'
import {
  aCommunityOrCrowd,
  importRows,
  makeRating,
  openMemory,
  START,
} from '#testing/archive/arbitrary.ts'
import { leagueTable, moversOf } from '#testing/archive/league-oracle.ts'
import { opinionOf } from '#testing/archive/opinion-oracle.ts'
import {
  deriveRows,
  endedOf,
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
} from '#testing/archive/oracle.ts'
import { hasRealRatings, readRealRatings } from '#testing/archive/real-ratings.ts'
import { selectAggregate, selectOpinion } from './symbol.ts'
import { selectSymbols } from './symbols.ts'

const DAY = 86_400

describe('what a community thinks of a symbol', () => {
  test('is what plain counting says, at any instant', async () => {
    const effort = { communities: 20, questions: 5, of: aCommunityOrCrowd }
    const some = fc.record({ nth: fc.nat(2), isLower: fc.boolean() })
    await holdAgainstCounting(some, effort, async ({ archive, rows, asked, at }) => {
      const own = [...groupBy(rows, keyOf)].filter((_, place) => place % 3 === asked.nth)
      for (const [key, ratings] of own) {
        const spelled = asked.isLower ? key.toLowerCase() : key
        expect(await selectOpinion(archive.reader, spelled, { at })).toEqual(opinionOf(ratings, at))
      }
    })
  })

  test('is unknown before the first rating and for a symbol that nobody rated', async () => {
    const archive = await openMemory()
    await importRows(archive, [makeRating({ id: 1, created_at: START })])
    expect(await selectOpinion(archive.reader, 'AAPL', { at: START - 1 })).toBeNull()
    expect(await selectOpinion(archive.reader, 'AAPL', { at: 0 })).toBeNull()
    expect(await selectOpinion(archive.reader, 'NONE', { at: START })).toBeNull()
    await archive.close()
  })

  test('has counts but no figures once all have expired', async () => {
    const archive = await openMemory()
    await importRows(archive, [
      makeRating({ id: 1, created_at: START, expired_at: START + DAY }),
      makeRating({ id: 2, user_id: 2, created_at: START, expired_at: START - DAY }),
    ])
    const opinion = await selectOpinion(archive.reader, 'AAPL', { at: START + DAY })
    expect(opinion).toMatchObject({
      ratings: 2,
      users: 2,
      active: 0,
      consensus: null,
      consensus_low: null,
      dispersion: null,
      agreement_low: null,
      prediction: { mean: null, median: null },
      by_rating: [],
    })
    await archive.close()
  })

  test('a renewal that came later is no expiry, and was not known then', async () => {
    const archive = await openMemory()
    await importRows(archive, [
      makeRating({ id: 1, created_at: START, expired_at: START + 60 * DAY }),
      makeRating({ id: 2, created_at: START + 3 * DAY, rating: 5 }),
    ])
    const opinion = await selectOpinion(archive.reader, 'AAPL', { at: START + DAY })
    expect(opinion?.cliff.map(({ lapsing }) => lapsing)).toEqual([0, 0])
    expect(opinion?.pending.filter(({ active }) => active === 1)).toHaveLength(59)
    await archive.close()
  })

  test('of two ratings in one second the later id is the last, and the one that counts', async () => {
    const archive = await openMemory()
    await importRows(archive, [
      makeRating({ id: 2, created_at: START, rating: 5 }),
      makeRating({ id: 1, created_at: START, rating: 1 }),
      makeRating({ id: 3, created_at: START, user_id: 7, rating: 5 }),
    ])
    const opinion = await selectOpinion(archive.reader, 'AAPL', { at: START })
    expect(opinion).toMatchObject({ active: 2, consensus: '5.0000', last_user_id: 7 })
    await archive.close()
  })

  test('votes in billions overflow nothing', async () => {
    const archive = await openMemory()
    const rows = [1, 2, 3].map((id) =>
      makeRating({ id, user_id: id, created_at: START, tally_agree: 2_147_483_647 }),
    )
    await importRows(archive, rows)
    const opinion = await selectOpinion(archive.reader, 'AAPL', { at: START })
    expect(opinion).toMatchObject({ agree: 6_442_450_941 })
    const range = { at: START, since: START, lapsingBy: START, lines: 5 }
    const { contested } = await archive.reader.read((db) => selectNotable(db, range))
    expect(contested).toHaveLength(1)
    await archive.close()
  })
})

const INSTANTS = [
  '2012-02-07T00:00:00Z',
  '2013-07-01T12:00:00Z',
  '2016-02-29T00:00:00Z',
  '2018-06-30T23:59:59Z',
  '2020-03-29T01:30:00Z',
  '2022-12-31T00:00:00Z',
  '2024-08-02T16:00:00Z',
  '2030-01-01T00:00:00Z',
].map((text) => Date.parse(text) / 1000)

function readCommunity() {
  const given = readRealRatings()
  const bySymbol = new Map<string, IncomingRating[]>()
  for (const row of given) {
    const key = keyOf(row.rating)
    const own = bySymbol.get(key) ?? []
    own.push(row)
    bySymbol.set(key, own)
  }
  return { given, symbols: new Map([...bySymbol].map(([key, own]) => [key, deriveRows(own)])) }
}

describe.skipIf(!hasRealRatings)('on a real community', () => {
  test('opinions, league tables and movers are what plain counting says', {
    timeout: 120_000,
  }, async () => {
    const { given, symbols } = readCommunity()
    const rows = [...symbols.values()].flat()
    const archive = await openMemory()
    await importRows(archive, given)
    expect(symbols.size).toBeGreaterThan(40)
    for (const [index, at] of INSTANTS.entries()) {
      for (const [key, own] of symbols) {
        expect(await selectOpinion(archive.reader, key, { at }), `${key} at ${at}`).toEqual(
          opinionOf(own, at),
        )
      }
      expect(await selectMovers(archive.reader, { at })).toEqual(moversOf(rows, at))
      const column = SYMBOL_SORTS[index % SYMBOL_SORTS.length] ?? 'symbol'
      const sort = { column, direction: 'desc' } as const
      const query = { q: '', sort, asof: null, page: 1, per_page: 500 }
      const { rows: lines } = await selectSymbols(archive.reader, query, { at })
      expect(lines).toEqual(leagueTable(rows, query, at))
    }
    await archive.close()
  })
})

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

const describeUser = (own: readonly OracleRow[], at: number) => ({
  user_id: own[0]?.user_id,
  ratings: own.length,
  active: own.filter((row) => isActive(row, at)).length,
  symbols: new Set(own.map(keyOf)).size,
  first_created_at: Math.min(...own.map((row) => row.created_at)),
  last_created_at: newest(own),
})

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
      ended: endedOf(latest, at),
      last_created_at: latest.created_at,
    }))
}

test('the aggregate of a day and the card of a user are what plain counting gives', async () => {
  const effort = { communities: 12, questions: 6, of: aCommunityOrCrowd }
  await holdAgainstCounting(aDay, effort, async ({ archive, rows, asked: day, at }) => {
    for (const key of ['AAPL', 'ÜNÏ']) {
      const own = rows.filter((row) => keyOf(row) === key)
      expect(
        await selectAggregate(archive.reader, { symbol: key.toLowerCase(), day }, { at }),
      ).toEqual(own.length === 0 ? null : summarise(own, day, at))
    }
    for (const user of [1, 4]) {
      const own = rows.filter((row) => row.user_id === user && row.created_at <= at)
      expect(await selectUser(archive.reader, user, { at })).toEqual(
        own.length === 0
          ? null
          : { ...describeUser(own, at), by_symbol: listSymbols(own, rows, at) },
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
        const answer = await selectAggregate(archive.reader, { symbol, day }, { at })
        expect(answer).toEqual(summarise(own, day, at))
        active += Number(answer?.aggregate.total)
      }
    }
    expect(active).toBeGreaterThan(100)
    await archive.close()
  },
  30_000,
)

test('a user of more than 100 symbols is shown the 100 most recently rated', async () => {
  const archive = await openMemory()
  await importRows(
    archive,
    Array.from({ length: 120 }, (_, id) => makeRating({ id, symbol: `S${id}` })),
  )
  const user = await selectUser(archive.reader, 1, { at: START + 120 })
  expect(user?.symbols).toBe(120)
  expect(user?.by_symbol).toHaveLength(100)
  expect(user?.by_symbol[0]?.symbol).toBe('S119')
  await archive.close()
})
