import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Calibration, Tally } from '#lib/contract/answers/track.ts'
import { HORIZONS } from '#lib/contract/horizons.ts'
import { coinTail, toStudent, toWilson } from '#lib/statistics/chance.ts'
import { importRows, makeRating, START } from '#testing/archive/arbitrary.ts'
import { coinOf, studentOf, wilsonOf } from '#testing/archive/chance-oracle.ts'
import { deriveRows } from '#testing/archive/oracle.ts'
import { calibrationOf, lucksOf, ranksOf, signedOf } from '#testing/archive/ranks-oracle.ts'
import {
  bySymbol,
  callOf,
  type OracleCall,
  type OraclePrice,
  tallyOf,
} from '#testing/archive/record-oracle.ts'
import { draws } from '#testing/draws.ts'
import { openArchive } from '../lifecycle/open-archive.ts'
import { selectCommunity, selectStandings, selectTrack } from './record.ts'

const DAY = 86_400
const FIRST_DAY = START / DAY
const DAYS = 500
const SYMBOLS = ['A', 'B', 'C', 'D', 'E', 'F']

const open = async (benchmark: string | null) =>
  await openArchive({ path: ':memory:', now: () => START + 900 * DAY, threads: 1, benchmark })

const someRatings = fc
  .array(
    fc.record({
      user_id: fc.integer({ min: 1, max: 6 }),
      symbol: fc.constantFrom(...SYMBOLS, 'b', 'NOWHERE'),
      rating: fc.constantFrom(1, 2, 3, 4, 4, 5, 5, 9),
      prediction: fc.constantFrom('0', '0.00', '5', '5.0', '-3.5', '12', '40.25', '-60'),
      day: fc.integer({ min: 0, max: DAYS }),
    }),
    { minLength: 60, maxLength: 220 },
  )
  .map((all) =>
    all.map(({ day, ...given }, index) =>
      makeRating({ ...given, id: index + 1, created_at: START + day * DAY + (index % DAY) }),
    ),
  )

const aWalk = (symbol: string): fc.Arbitrary<OraclePrice[]> =>
  fc
    .record({
      steps: fc.array(fc.constantFrom(0.9, 1, 1, 1.1, 1.05), { minLength: 3, maxLength: 20 }),
      split: fc.option(fc.nat(DAYS), { nil: null }),
      hole: fc.record({ from: fc.nat(DAYS), days: fc.nat(40) }),
      days: fc.oneof({ weight: 1, arbitrary: fc.constant(1) }, fc.integer({ min: 300, max: DAYS })),
    })
    .map(({ steps, split, hole, days }) => {
      let close = 100
      return Array.from({ length: days }, (_, day) => {
        close = Math.min(1e6, Math.max(0.01, close * (steps[(day * 7) % steps.length] ?? 1)))
        if (day === split) close /= 4
        return { symbol, day: FIRST_DAY + day, close: close.toFixed(4) }
      }).filter(
        ({ day }) => day < FIRST_DAY + hole.from || day >= FIRST_DAY + hole.from + hole.days,
      )
    })

const aWorld = fc.record({
  ratings: someRatings,
  prices: fc.tuple(...SYMBOLS.map(aWalk)).map((all) => all.flat()),
  benchmark: fc.constantFrom(null, 'C', 'NONE'),
  horizon: fc.constantFrom(...HORIZONS),
  day: fc.integer({ min: 120, max: DAYS + 60 }),
})

const near = (text: string | null, value: number | null | undefined) => {
  if (value == null || text === null) expect(text).toBe(value ?? null)
  else expect(Math.abs(Number(text) - value)).toBeLessThan(0.000_001 * Math.max(1, Math.abs(value)))
}

function expectTally(found: Tally, calls: readonly OracleCall[]) {
  const { hits, hit_rate, excess, squares: _, ...counts } = tallyOf(calls)
  expect(found).toMatchObject(counts)
  near(found.hit_rate, hit_rate)
  near(found.excess, excess)
  const [rate, spread] = [wilsonOf(hits, counts.clusters), studentOf(signedOf(calls), 5)]
  near(found.hit_low, rate?.low)
  near(found.hit_high, rate?.high)
  near(found.excess_low, spread?.low)
  near(found.excess_high, spread?.high)
}

function expectCalibration(found: Calibration, calls: readonly OracleCall[]) {
  const { groups, slope, error, ...counts } = calibrationOf(calls)
  expect(found).toMatchObject(counts)
  near(found.error, error)
  near(found.slope, slope)
  expect(found.groups.map((group) => group.calls)).toEqual(groups.map((group) => group.calls))
  for (const [place, group] of found.groups.entries()) {
    const wanted = groups[place]
    near(group.prediction, wanted?.prediction)
    near(group.return, wanted?.gain)
    near(group.return_low, wanted?.spread?.low)
    near(group.return_high, wanted?.spread?.high)
  }
}

describe('records of everybody', () => {
  test('rank users, tell luck, calibrate, and sum up each year as working out each call does', async () => {
    await fc.assert(
      fc.asyncProperty(aWorld, async ({ ratings, prices, benchmark, horizon, day }) => {
        const archive = await open(benchmark)
        await importRows(archive, ratings)
        await archive.prices.replace(async (append) => await append(prices))
        const at = START + (day + 1) * DAY - 1
        const rows = deriveRows(ratings).filter((row) => row.created_at <= at)
        const known = bySymbol(prices)
        const calls = rows.map((row) => callOf(row, known, { horizon, at, benchmark }))
        const ranks = ranksOf(calls)
        const found = await selectCommunity(archive.reader, horizon, { at })
        expectTally(found, calls)
        expectCalibration(found.calibration, calls)
        const { expected, ...luck } = lucksOf(ranks)
        const told = (await selectStandings(archive.reader, horizon, { at }))?.luck
        expect(told).toMatchObject(luck)
        near(told?.expected ?? null, expected)
        near(told?.expected_worse ?? null, expected)
        expect(found.users).toBe(new Set(rows.map((row) => row.user_id)).size)
        for (const { year, ...tally } of found.by_year) {
          expectTally(
            tally,
            calls.filter(({ row }) => new Date(row.created_at * 1000).getUTCFullYear() === year),
          )
        }
        for (const userId of new Set(rows.map((row) => row.user_id))) {
          const own = calls.filter(({ row }) => row.user_id === userId)
          const track = await selectTrack(archive.reader, { userId, horizon }, { at })
          if (!track) throw new Error(`user ${userId} has no track`)
          expectTally(track, own)
          const place = ranks.findIndex((one) => one.userId === userId)
          expect(track.rank).toBe(place === -1 ? null : place + 1)
          expect(track.ranked).toBe(ranks.length)
        }
        await archive.close()
      }),
      { numRuns: draws(12) },
    )
  }, 120_000)

  test('at two instants of one day count what was there at each', async () => {
    const archive = await open(null)
    const posted = [3600, 7200].map((second, index) =>
      makeRating({ id: index + 1, symbol: 'A', rating: 5, created_at: START + second }),
    )
    await importRows(archive, posted)
    await archive.prices.replace(
      async (append) => await append([{ symbol: 'A', day: FIRST_DAY - 9, close: '1' }]),
    )
    for (const [hours, calls] of [
      [1, 1],
      [5, 2],
      [1, 1],
    ] as const) {
      const found = await selectCommunity(archive.reader, 90, { at: START + hours * 3600 })
      expect(found).toMatchObject({ calls, no_entry: calls })
    }
    await archive.close()
  })

  test('of whom two did the same, the one with the lower number stands first, whatever order their calls came in', async () => {
    const archive = await open('C')
    const shares = [1, 0.5, 1 / 3, 2 / 3, 1 / 3, 1, 0.5]
    const rows = [3, 1, 2].flatMap((user, turn) =>
      shares.flatMap((_, nth) => {
        const share = shares[(nth + turn * 3) % shares.length] ?? 0
        const size = [1, 2, 3].find((n) => Number.isInteger(Math.round(share * n * 1e6) / 1e6)) ?? 1
        return Array.from({ length: size }, (_, index) => ({
          user_id: user,
          symbol: 'A',
          rating: index < Math.round(share * size) ? 5 : 1,
          created_at: START + nth * 60 * DAY + index * DAY,
        }))
      }),
    )
    await importRows(
      archive,
      rows.map((row, index) => makeRating({ ...row, id: index + 1 })),
    )
    const closes = Array.from({ length: DAYS }, (_, day) => [
      { symbol: 'A', day: FIRST_DAY + day, close: String(100 + day) },
      { symbol: 'C', day: FIRST_DAY + day, close: '100' },
    ])
    await archive.prices.replace(async (append) => await append(closes.flat()))
    const at = START + DAYS * DAY
    const tracks = await Promise.all(
      [1, 2, 3].map(
        async (userId) => await selectTrack(archive.reader, { userId, horizon: 30 }, { at }),
      ),
    )
    expect(tracks.map((track) => track?.clusters)).toEqual([7, 7, 7])
    expect(new Set(tracks.map((track) => track?.hit_rate)).size).toBe(1)
    expect(tracks.map((track) => track?.rank)).toEqual([1, 2, 3])
    await archive.close()
  })
})

describe('chance, worked out two ways', () => {
  test('Wilson’s interval holds all chances that are no further off than 1.96 deviations, of hits that need not be whole', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5000 }), fc.integer({ min: 0, max: 12 }), (n, part) => {
        const hits = Math.min(n, (n * part) / 12)
        const [found, wanted] = [toWilson(hits, n), wilsonOf(hits, n)]
        expect(found?.low).toBeCloseTo(wanted?.low ?? Number.NaN, 9)
        expect(found?.high).toBeCloseTo(wanted?.high ?? Number.NaN, 9)
      }),
    )
  })

  test('Student’s interval is that of his density, summed up', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 1, maxLength: 60 }),
        (given) => {
          const values = given.map((one) => one / 1000)
          const n = values.length
          const mean = values.reduce((sum, one) => sum + one, 0) / n
          const squares = values.reduce((sum, one) => sum + (one - mean) ** 2, 0)
          const [found, wanted] = [toStudent({ n, mean, squares }), studentOf(values, 5)]
          if (found === null || wanted === null) expect(found).toBe(wanted)
          else {
            expect(found.low).toBeCloseTo(wanted.low, 8)
            expect(found.high).toBeCloseTo(wanted.high, 8)
          }
        },
      ),
      { numRuns: draws(40) },
    )
  })

  test('a coin’s tail is that of all ways counted', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 400 }),
        fc.integer({ min: 0, max: 401 }),
        (n, least) => {
          expect(Math.abs(coinTail(least, n) - coinOf(least, n))).toBeLessThan(1e-11)
        },
      ),
    )
  })
})
