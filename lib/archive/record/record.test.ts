import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Call, Tally } from '#lib/contract/answers/track.ts'
import { HORIZONS, type Horizon } from '#lib/contract/horizons.ts'
import {
  CALL_SORTS,
  type CallSort,
  type CallsQuery,
  callList,
  EVERY_CALL,
} from '#lib/contract/lists/calls.ts'
import type { Sort } from '#lib/contract/query-parameters.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import { only } from '#lib/contract/value-list.ts'
import { toStudent, toWilson } from '#lib/statistics/chance.ts'
import { aCommunityOrCrowd, importRows, makeRating, START } from '#testing/archive/arbitrary.ts'
import { coinOf } from '#testing/archive/chance-oracle.ts'
import { compareBy, deriveRows } from '#testing/archive/oracle.ts'
import {
  bySymbol,
  callOf,
  type OracleCall,
  type OraclePrice,
  someCloses,
  tallyOf,
} from '#testing/archive/record-oracle.ts'
import { draws } from '#testing/draws.ts'
import type { Archive } from '../archive.ts'
import { openArchive } from '../lifecycle/open-archive.ts'
import { openListExport, selectListPage } from '../lists/select-list.ts'
import type { ArchiveReader, ReadOptions } from '../reader.ts'
import { selectUsers } from '../users/users.ts'
import { loadCallRows } from './calls.ts'
import { NO_LUCK, selectCommunity, selectStandings, selectTrack } from './record.ts'

const selectCalls = async (reader: ArchiveReader, query: CallsQuery, options: ReadOptions) =>
  await selectListPage(reader, await loadCallRows(reader, query, options), options)

const DAY = 86_400
const FIRST_DAY = START / DAY

const open = async (benchmark: string | null) =>
  await openArchive({ path: ':memory:', now: () => START + 600 * DAY, threads: 1, benchmark })

const toQuery = (horizon: Horizon, query: Partial<CallsQuery>): CallsQuery => ({
  ...EVERY_CALL,
  horizon: `${horizon}`,
  ...query,
})

const bring = async (archive: Archive, prices: readonly OraclePrice[]) =>
  await archive.prices.replace(async (append) => await append(prices))

const aHistory = (symbol: string): fc.Arbitrary<OraclePrice[]> =>
  fc
    .record({
      from: fc.integer({ min: -10, max: 60 }),
      days: fc.oneof(fc.constant(1), fc.integer({ min: 2, max: 160 })),
      gap: fc.record({ from: fc.nat(90), days: fc.nat(25) }),
      closeAt: someCloses,
      twice: fc.boolean(),
    })
    .map(({ from, days, gap, closeAt, twice }) => {
      const all = Array.from({ length: days }, (_, index) => from + index)
        .filter((day) => (day + 3) % 7 < 5 && (day < gap.from || day >= gap.from + gap.days))
        .map((day, place) => ({ symbol, day: FIRST_DAY + day, close: closeAt(place) }))
      return twice && all[0] ? [{ ...all[0], close: '77' }, ...all] : all
    })

const KEYS = ['AAPL', 'B', 'C', 'MSFT', 'D']
const someHistories = fc.tuple(...KEYS.map(aHistory)).map((all) => all.flat())

const near = (text: string | null, value: number | null) => {
  if (value === null || text === null) expect(text).toBe(value)
  else expect(Math.abs(Number(text) - value)).toBeLessThan(0.000_001 * Math.max(1, Math.abs(value)))
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

const aCrowdedWorld = fc.record({
  given: fc
    .array(
      fc.record({
        user_id: fc.integer({ min: 1, max: 5 }),
        symbol: fc.constantFrom(...KEYS),
        rating: fc.constantFrom(1, 2, 3, 4, 5),
        day: fc.nat(90),
      }),
      { minLength: 30, maxLength: 120, size: 'max' },
    )
    .map((all) =>
      all.map(({ day, ...rating }, index) =>
        makeRating({ ...rating, id: index + 1, created_at: START + day * DAY }),
      ),
    ),
  prices: someHistories,
  benchmark: fc.constantFrom(null, 'C'),
  days: fc.tuple(fc.integer({ min: 40, max: 260 })),
})

const anAsked = fc.constantFrom<'calls' | 'community'>('calls', 'community')
const twoAsked = fc.tuple(anAsked, anAsked)

const EVERYBODY = {
  q: '',
  sort: { column: 'record', direction: 'desc' },
  asof: null,
  page: 1,
  per_page: 500,
} as const

type OracleStanding = {
  userId: number
  ratings: number
  rank: number | null
  tally: ReturnType<typeof tallyOf>
}

function standingsOf(calls: readonly OracleCall[]): OracleStanding[] {
  const users = [...new Set(calls.map(({ row }) => row.user_id))]
  const all = users.map((userId) => {
    const own = calls.filter(({ row }) => row.user_id === userId)
    return { userId, ratings: own.length, tally: tallyOf(own) }
  })
  const lowOf = ({ tally }: (typeof all)[number]) =>
    toWilson(tally.hits, tally.clusters)?.low ?? null
  const ranked = all
    .filter(({ tally }) => tally.clusters >= 5)
    .sort(
      compareBy<(typeof all)[number]>([
        [(one) => roundTo(lowOf(one), 9), 'desc'],
        [({ tally }) => tally.clusters, 'desc'],
        [({ userId }) => userId, 'asc'],
      ]),
    )
  return all.map((one) => ({ ...one, rank: ranked.includes(one) ? ranked.indexOf(one) + 1 : null }))
}

const sortStandings = (
  all: readonly OracleStanding[],
  { column, direction }: { column: 'record' | 'clusters' | 'excess'; direction: 'asc' | 'desc' },
) =>
  [...all].sort(
    compareBy<OracleStanding>([
      [
        ({ rank, tally }) => {
          if (column === 'record') return rank === null ? null : -rank
          return column === 'clusters' ? tally.clusters : roundTo(tally.excess, 6)
        },
        direction,
      ],
      [({ ratings }) => ratings, 'desc'],
      [({ userId }) => userId, 'asc'],
    ]),
  )

const roundTo = (value: number | null, places: number) =>
  value === null ? null : Math.round(value * 10 ** places)

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
          const found = await selectCommunity(archive.reader, horizon, { at })
          expectTally(found, calls)
          for (const { rating, ...tally } of found.by_label) {
            expectTally(
              tally,
              calls.filter(({ row }) => row.rating === rating),
            )
          }
          for (const userId of [1, 2, 3]) {
            const own = calls.filter(({ row }) => row.user_id === userId)
            const track = await selectTrack(archive.reader, { userId, horizon }, { at })
            if (own.length === 0) expect(track).toBeNull()
            else if (track) expectTally(track, own)
          }
          const page = await selectCalls(archive.reader, toQuery(horizon, { per_page: 500 }), {
            at,
          })
          expect(page.total).toBe(calls.length)
          for (const userId of [1, 2, 3]) {
            const asked = toQuery(horizon, { per_page: 500, user: only(userId) })
            const listed = await selectCalls(archive.reader, asked, { at })
            const own = page.rows.filter(({ user_id }) => user_id === userId)
            expect(listed).toEqual({ rows: own, total: own.length })
          }
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
      { numRuns: draws(12) },
    )
  }, 120_000)

  test('calls come in the order that is asked for, the same on every page: what has no value by then last, the earlier first', async () => {
    const sorts = fc.record({
      column: fc.constantFrom(...CALL_SORTS),
      direction: fc.constantFrom<'asc' | 'desc'>('asc', 'desc'),
    })
    await fc.assert(
      fc.asyncProperty(
        aWorld,
        fc.array(sorts, { minLength: 3, maxLength: 3 }),
        async ({ given, prices, benchmark, horizon, days: [day = 0] }, asked) => {
          const archive = await open(benchmark)
          await importRows(archive, given)
          await bring(archive, prices)
          const at = START + day * DAY + 3600
          const select = async (page: number, perPage: number, sort?: (typeof asked)[number]) =>
            await selectCalls(
              archive.reader,
              toQuery(horizon, { page, per_page: perPage, ...(sort && { sort }) }),
              { at },
            )
          const { rows } = await select(1, 500)
          for (const sort of asked) {
            const pages = [await select(1, 7, sort), await select(2, 7, sort)]
            expect(pages.flatMap((page) => page.rows)).toEqual(sortCalls(rows, sort).slice(0, 14))
            const file = await openListExport(
              archive.reader,
              callList,
              await loadCallRows(archive.reader, toQuery(horizon, { sort }), { at }),
              {},
            )
            const lines: string[] = []
            for await (const some of file.lines('json', ['id'])) lines.push(...some)
            await file.close()
            expect(lines.map((line) => JSON.parse(line).id)).toEqual(
              sortCalls(rows, sort).map(({ id }) => id),
            )
          }
          await archive.close()
        },
      ),
      { numRuns: draws(8) },
    )
  }, 120_000)

  test('users are ranked by the lower end of their interval, and the league is in that order, as working it out says', async () => {
    await fc.assert(
      fc.asyncProperty(aCrowdedWorld, async ({ given, prices, benchmark, days: [day = 0] }) => {
        const archive = await open(benchmark)
        await importRows(archive, given)
        await bring(archive, prices)
        const at = START + day * DAY + 3600
        const calls = deriveRows(given)
          .filter((row) => row.created_at <= at)
          .map((row) => callOf(row, bySymbol(prices), { horizon: 30, at, benchmark }))
        const wanted = standingsOf(calls)
        for (const column of ['record', 'clusters', 'excess'] as const) {
          for (const direction of ['asc', 'desc'] as const) {
            const asked = { ...EVERYBODY, horizon: '30' as const, sort: { column, direction } }
            const { rows, luck } = await selectUsers(archive.reader, asked, { at })
            expect(luck.ranked).toBe(wanted.filter(({ rank }) => rank !== null).length)
            const ordered = sortStandings(wanted, { column, direction })
            expect(rows.map((row) => row.user_id)).toEqual(ordered.map(({ userId }) => userId))
            for (const [index, row] of rows.entries()) {
              const { rank, tally } = ordered[index] ?? {}
              expect(row).toMatchObject({ rank, clusters: tally?.clusters })
              near(row.hit_rate, tally?.hit_rate ?? null)
              near(row.excess, tally?.excess ?? null)
              const rate = toWilson(tally?.hits ?? 0, tally?.clusters ?? 0)
              near(row.hit_low, rate?.low ?? null)
              near(row.hit_high, rate?.high ?? null)
            }
            const page = await selectUsers(
              archive.reader,
              { ...asked, page: 2, per_page: 2 },
              { at },
            )
            expect(page.rows).toEqual(rows.slice(2, 4))
          }
        }
        await archive.close()
      }),
      { numRuns: draws(10) },
    )
  }, 120_000)

  test('as of a day is what data say that end on that day: calls, each user’s record and everybody’s', async () => {
    await fc.assert(
      fc.asyncProperty(aWorld, async ({ given, prices, benchmark, horizon, days: [day = 0] }) => {
        const ids = given.map(({ rating }) => rating.id)
        fc.pre(new Set(ids).size === ids.length)
        const at = START + (day + 1) * DAY - 1
        const known = prices.filter((price) => price.day <= FIRST_DAY + day)
        fc.pre(known.length > 0)
        const [all, ended] = [await open(benchmark), await open(benchmark)]
        await importRows(all, given)
        await importRows(
          ended,
          given.filter(({ rating }) => rating.created_at <= at),
        )
        await bring(all, prices)
        await bring(ended, known)
        const said = async ({ reader }: Archive, then: number) => ({
          community: await selectCommunity(reader, horizon, { at: then }),
          tracks: await Promise.all(
            [...new Set(given.map(({ rating }) => rating.user_id))]
              .slice(0, 4)
              .map(async (userId) => await selectTrack(reader, { userId, horizon }, { at: then })),
          ),
          users: await selectUsers(reader, { ...EVERYBODY, horizon: `${horizon}` }, { at: then }),
          calls: await selectCalls(
            reader,
            toQuery(horizon, { per_page: 500, sort: { column: 'excess', direction: 'desc' } }),
            { at: then },
          ),
        })
        const wanted = withoutExtent(await said(ended, at))
        expect(withoutExtent(await said(all, at))).toEqual(wanted)
        await Promise.all([all.close(), ended.close()])
      }),
      { numRuns: draws(10) },
    )
  }, 120_000)

  test('whatever came first, and whatever was asked meanwhile, what is scored is what it would be if all had come at once', async () => {
    await fc.assert(
      fc.asyncProperty(aWorld, someHistories, twoAsked, async (world, others, [first, second]) => {
        const { given, prices, benchmark, horizon } = world
        const half = Math.floor(given.length / 2)
        const at = { at: START + 260 * DAY }
        const read = {
          calls: async ({ reader }: Archive) =>
            await selectCalls(reader, toQuery(horizon, { per_page: 10_000 }), at),
          community: async ({ reader }: Archive) => await selectCommunity(reader, horizon, at),
        }
        const [grown, whole] = [await open(benchmark), await open(benchmark)]
        await bring(grown, others)
        await importRows(grown, given.slice(0, half))
        await read[first](grown)
        await bring(grown, prices)
        await read[second](grown)
        await importRows(grown, given.slice(half))
        await bring(whole, prices)
        await importRows(whole, given)
        expect(await read.calls(grown)).toEqual(await read.calls(whole))
        expect(await read.community(grown)).toEqual(await read.community(whole))
        await Promise.all([grown.close(), whole.close()])
      }),
      { numRuns: draws(12) },
    )
  })

  test('of five hundred who throw a coin some ten seem to beat it, and as many as were to be expected are told', async () => {
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
      { numRuns: draws(2) },
    )
  }, 60_000)

  test('without prices every call says so, and nothing fails', async () => {
    const archive = await open(null)
    await importRows(archive, [makeRating({ id: 1, rating: 5 })])
    const track = await selectTrack(archive.reader, { userId: 1, horizon: 90 }, { at: START + DAY })
    expect(track).toMatchObject({ calls: 1, no_price: 1, clusters: 0, hit_rate: null, rank: null })
    const everybody = await selectCommunity(archive.reader, 90, { at: START + DAY })
    expect(everybody).toMatchObject({ calls: 1, no_price: 1, users: 1, clusters: 0, by_label: [] })
    expect(everybody.prices.symbols).toBe(0)
    expect(await selectStandings(archive.reader, 90, { at: START + DAY })).toBeNull()
    await archive.close()
  })
})

const toDay = (price: OraclePrice | null | undefined) =>
  price ? new Date(price.day * DAY * 1000).toISOString().slice(0, 10) : null

const withoutExtent = (said: unknown): unknown =>
  JSON.parse(
    JSON.stringify(said, (name, value: unknown) => (name === 'prices' ? undefined : value)),
  )

const NUMBERS = new Set<CallSort>(['prediction', 'return', 'benchmark', 'excess'])

const sortCalls = (calls: readonly Call[], { column, direction }: Sort<CallSort>): Call[] =>
  [...calls].sort(
    compareBy<Call>([
      [(call) => toSortable(call, column), direction],
      [({ created_at }) => created_at, 'asc'],
      [({ id }) => id, 'asc'],
    ]),
  )

function toSortable(call: Call, column: CallSort): string | number | null {
  const value = column === 'symbol' ? toSymbolKey(call.symbol) : call[column]
  return value !== null && NUMBERS.has(column) ? Number(value) : value
}

async function expectLuck(given: { seed: number; calls: number; prices: OraclePrice[] }) {
  const { seed, calls, prices } = given
  const users = 500
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
  const luck = (await selectStandings(archive.reader, 30, { at }))?.luck ?? NO_LUCK
  const { clusters } = await selectCommunity(archive.reader, 30, { at })
  expect(clusters).toBe(users * calls)
  expect(luck.ranked).toBe(users)
  const chance = coinOf(15, calls)
  expect(Number(luck.expected)).toBeCloseTo(users * chance, 6)
  for (const count of [luck.beat, luck.worse]) {
    expect(binomialTail(count, users, chance)).toBeGreaterThan(1e-7)
    expect(1 - binomialTail(count + 1, users, chance)).toBeGreaterThan(1e-7)
  }
  await archive.close()
}

function binomialTail(least: number, n: number, chance: number): number {
  let one = (1 - chance) ** n
  let below = 0
  for (let count = 0; count < least; count += 1) {
    below += one
    one *= ((n - count) / (count + 1)) * (chance / (1 - chance))
  }
  return 1 - below
}

function createCoin(seed: number): () => boolean {
  let state = seed
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state < 1_073_741_824
  }
}
