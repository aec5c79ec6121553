import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Archive } from '#lib/archive/archive.ts'
import { openArchive } from '#lib/archive/lifecycle/open-archive.ts'
import type { Tally } from '#lib/contract/answers/track.ts'
import { HORIZONS } from '#lib/contract/horizons.ts'
import { aCommunityOrCrowd, importRows, makeRating, START } from '#testing/archive/arbitrary.ts'
import { coinOf } from '#testing/archive/chance-oracle.ts'
import { deriveRows } from '#testing/archive/oracle.ts'
import {
  bySymbol,
  callOf,
  type OracleCall,
  type OraclePrice,
  tallyOf,
} from '#testing/archive/record-oracle.ts'
import { toStudent, toWilson } from './distributions.ts'

const DAY = 86_400
const FIRST_DAY = START / DAY

const open = async (benchmark: string | null) =>
  await openArchive({ path: ':memory:', now: () => START + 600 * DAY, threads: 1, benchmark })

const bring = async (archive: Archive, prices: readonly OraclePrice[]) =>
  await archive.prices.replace(async (append) => await append(prices))

/** Days without prices, histories of one day, prices that come twice, and ones that are equal. */
const aHistory = (symbol: string): fc.Arbitrary<OraclePrice[]> =>
  fc
    .record({
      from: fc.integer({ min: -10, max: 60 }),
      days: fc.oneof(fc.constant(1), fc.integer({ min: 2, max: 160 })),
      gap: fc.record({ from: fc.nat(90), days: fc.nat(25) }),
      closes: fc.array(fc.constantFrom('10', '10.5', '9.25', '20', '0.00000001', '123456.789'), {
        minLength: 5,
        maxLength: 12,
      }),
      twice: fc.boolean(),
    })
    .map(({ from, days, gap, closes, twice }) => {
      const all = Array.from({ length: days }, (_, index) => from + index)
        .filter((day) => (day + 3) % 7 < 5 && (day < gap.from || day >= gap.from + gap.days))
        .map((day) => ({
          symbol,
          day: FIRST_DAY + day,
          close: closes[Math.abs(day * 7 + day) % closes.length] ?? '10',
        }))
      return twice && all[0] ? [{ ...all[0], close: '77' }, ...all] : all
    })

const KEYS = ['AAPL', 'B', 'C', 'MSFT', 'D']
const someHistories = fc.tuple(...KEYS.map(aHistory)).map((all) => all.flat())

const near = (text: string | null, value: number | null) => {
  if (value === null || text === null) expect(text).toBe(value)
  else expect(Math.abs(Number(text) - value)).toBeLessThan(0.000_001)
}

function expectTally(found: Tally, calls: readonly OracleCall[]) {
  const wanted = tallyOf(calls)
  const { hits, hit_rate, excess, squares, ...counts } = wanted
  expect(found).toMatchObject(counts)
  near(found.hit_rate, hit_rate)
  near(found.excess, excess)
  const rate = toWilson(hits, wanted.clusters)
  near(found.hit_low, rate?.low ?? null)
  near(found.hit_high, rate?.high ?? null)
  const spread = toStudent({ n: wanted.clusters, mean: excess ?? 0, squares })
  near(found.excess_low, spread?.low ?? null)
  near(found.excess_high, spread?.high ?? null)
}

const aWorld = fc.record({
  given: aCommunityOrCrowd,
  prices: someHistories,
  benchmark: fc.constantFrom(null, 'C', 'NONE'),
  horizon: fc.constantFrom(...HORIZONS),
  days: fc.uniqueArray(fc.integer({ min: 0, max: 260 }), { minLength: 2, maxLength: 2 }),
})

describe('a record', () => {
  test('is what working out each call by itself says, for everybody, each user and each label, at any instant', async () => {
    await fc.assert(
      fc.asyncProperty(aWorld, async ({ given, prices, benchmark, horizon, days }) => {
        const archive = await open(benchmark)
        await importRows(archive, given)
        await bring(archive, prices)
        const rows = deriveRows(given)
        for (const day of days) {
          const at = START + day * DAY + (day % 2 === 0 ? DAY - 1 : 3600)
          const calls = rows
            .filter((row) => row.created_at <= at)
            .map((row) => callOf(row, bySymbol(prices), { horizon, at, benchmark }))
          const found = await archive.records.selectCommunity(horizon, { at })
          expectTally(found, calls)
          for (const { rating, ...tally } of found.by_label) {
            expectTally(
              tally,
              calls.filter(({ row }) => row.rating === rating),
            )
          }
          for (const userId of [1, 2, 3]) {
            const own = calls.filter(({ row }) => row.user_id === userId)
            const track = await archive.records.selectTrack({ userId, horizon }, { at })
            if (own.length === 0) expect(track).toBeNull()
            else if (track) expectTally(track, own)
          }
          const page = await archive.records.selectCalls({ horizon, page: 1, perPage: 500 }, { at })
          expect(page.total).toBe(calls.length)
          const byId = new Map(calls.map((call) => [call.row.id, call]))
          for (const call of page.rows) {
            const wanted = byId.get(call.id)
            expect(call).toMatchObject({
              outcome: wanted?.outcome,
              hit: wanted?.hit,
              symbol: wanted?.row.symbol,
              entry_date: toDay(wanted?.entry),
              exit_date: toDay(wanted?.exit),
            })
            near(call.return, wanted?.gain ?? null)
            near(call.benchmark, wanted?.benchmark ?? null)
          }
        }
        await archive.close()
      }),
      { numRuns: 12, endOnFailure: true },
    )
  }, 120_000)

  test('as of a day is what data say that end on that day', async () => {
    await fc.assert(
      fc.asyncProperty(aWorld, async ({ given, prices, benchmark, horizon, days: [day = 0] }) => {
        const at = START + (day + 1) * DAY - 1
        const [all, ended] = [await open(benchmark), await open(benchmark)]
        await importRows(all, given)
        await importRows(
          ended,
          given.filter(({ rating }) => rating.created_at <= at),
        )
        await bring(all, prices)
        await bring(
          ended,
          prices.filter((price) => price.day <= FIRST_DAY + day),
        )
        // An id that came again later is another rating.
        const ids = given.map(({ rating }) => rating.id)
        fc.pre(new Set(ids).size === ids.length)
        expect(await all.records.selectCommunity(horizon, { at })).toEqual({
          ...(await ended.records.selectCommunity(horizon, { at })),
          prices: expect.anything(),
        })
        await Promise.all([all.close(), ended.close()])
      }),
      { numRuns: 6, endOnFailure: true },
    )
  }, 120_000)

  test('of a thousand who throw a coin some 25 seem to beat it, and as many as were to be expected are told', async () => {
    const calls = 20
    const prices = ['AAPL', 'C'].flatMap((symbol) =>
      Array.from({ length: calls * 40 + 60 }, (_, day) => ({
        symbol,
        day: FIRST_DAY + day,
        close: symbol === 'C' ? '100' : String(100 + day),
      })),
    )
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 2 ** 31 - 2 }), async (seed) => {
        await expectLuck({ seed, calls, prices })
      }),
      { numRuns: 2, endOnFailure: true },
    )
  }, 60_000)

  test('without prices every call says so, and nothing fails', async () => {
    const archive = await open(null)
    await importRows(archive, [makeRating({ id: 1, rating: 5 })])
    const track = await archive.records.selectTrack({ userId: 1, horizon: 90 }, { at: START + DAY })
    expect(track).toMatchObject({ calls: 1, no_price: 1, clusters: 0, hit_rate: null, rank: null })
    await archive.close()
  })
})

const toDay = (price: OraclePrice | null | undefined) =>
  price ? new Date(price.day * DAY * 1000).toISOString().slice(0, 10) : null

/** So many flip a coin for each call, on a symbol that always wins: what beats a coin is within what luck leaves possible once in ten million. */
async function expectLuck(given: { seed: number; calls: number; prices: OraclePrice[] }) {
  const { seed, calls, prices } = given
  const users = 1000
  const archive = await open('C')
  const flip = createCoin(seed)
  await bring(archive, prices)
  await importRows(
    archive,
    Array.from({ length: users * calls }, (_, index) =>
      makeRating({
        id: index + 1,
        user_id: index % users,
        rating: flip() ? 5 : 1,
        created_at: START + Math.floor(index / users) * 40 * DAY,
      }),
    ),
  )
  const at = START + (calls * 40 + 60) * DAY
  const { luck, clusters } = await archive.records.selectCommunity(30, { at })
  expect(clusters).toBe(users * calls)
  expect(luck.ranked).toBe(users)
  // With 20 throws nothing is 2.5 % exactly: 15 heads or more come in 2.07 %.
  const chance = coinOf(15, calls)
  expect(Number(luck.expected)).toBeCloseTo(users * chance, 6)
  for (const count of [luck.beat, luck.worse]) {
    expect(binomialTail(count, users, chance)).toBeGreaterThan(1e-7)
    expect(1 - binomialTail(count + 1, users, chance)).toBeGreaterThan(1e-7)
  }
  await archive.close()
}

/** How probable `least` or more of `n` are, each with a chance. */
function binomialTail(least: number, n: number, chance: number): number {
  let one = (1 - chance) ** n
  let below = 0
  for (let count = 0; count < least; count += 1) {
    below += one
    one *= ((n - count) / (count + 1)) * (chance / (1 - chance))
  }
  return 1 - below
}

/** The same throws for the same seed. */
function createCoin(seed: number): () => boolean {
  let state = seed
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state < 1_073_741_824
  }
}
