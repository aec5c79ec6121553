import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import type { Archive } from '#lib/archive/archive.ts'
import { openArchive } from '#lib/archive/lifecycle/open-archive.ts'
import { selectListPage } from '#lib/archive/lists/select-list.ts'
import { HORIZONS } from '#lib/contract/horizons.ts'
import { type CallsQuery, EVERY_CALL } from '#lib/contract/lists/calls.ts'
import { importRows, makeRating, START } from '#testing/archive/arbitrary.ts'
import { deriveRows } from '#testing/archive/oracle.ts'
import {
  bySymbol,
  callOf,
  type OraclePrice,
  someCloses,
  tallyOf,
  usedOf,
} from '#testing/archive/record-oracle.ts'
import { draws, expectReach } from '#testing/draws.ts'
import { loadCallRows } from './calls.ts'
import { selectCommunity, selectTrack } from './record.ts'
import { selectPrices } from './symbol-prices.ts'
import { toDecimal } from './tallies.ts'

const DAY = 86_400
const FIRST_DAY = START / DAY
const DAILY = { bucket: 'day', from: null, to: null, asof: null } as const

const open = async (benchmark: string | null = null) =>
  await openArchive({ path: ':memory:', now: () => START + 600 * DAY, threads: 1, benchmark })

const bring = async (archive: Archive, prices: readonly OraclePrice[]) =>
  await archive.prices.replace(async (append) => await append(prices))

const toDate = (day: number) => new Date(day * DAY * 1000).toISOString().slice(0, 10)

const someOddCloses = fc.array(
  fc.record({
    gap: fc.constantFrom(1, 1, 1, 1, 2, 7, 8),
    close: fc.constantFrom('10', '10', '10', '80', '79.99', '1.25', '18', '18.01', '5.5', '5.49'),
  }),
  { minLength: 1, maxLength: 9 },
)

test('a close is used, flagged, or a jump as walking over the closes one by one says, at any day', async () => {
  const reach = { spike: 0, jump: 0, open: 0 }
  const histories = fc.array(someOddCloses, { minLength: 60, maxLength: 60 })
  await fc.assert(
    fc.asyncProperty(histories, fc.nat(12), async (all, later) => {
      const archive = await open()
      const prices = all.flatMap((history, index) => {
        let day = FIRST_DAY
        return history.map(({ gap, close }) => {
          day += gap
          return { symbol: `S${index}`, day, close }
        })
      })
      await bring(archive, prices)
      await importRows(
        archive,
        all.map((_, index) => makeRating({ id: index + 1, symbol: `S${index}` })),
      )
      const at = START + (later + 1) * DAY - 1
      for (const [symbol, own] of bySymbol(prices)) {
        const { used, jumps, open: undecided } = usedOf(own, at)
        const found = await selectPrices(archive.reader, { symbol, query: DAILY }, { at })
        expect(found?.points.map(({ date, close }) => `${date} ${Number(close)}`)).toEqual(
          used.map(({ day, close }) => `${toDate(day)} ${Number(close)}`),
        )
        const known = own.filter(({ day }) => (day + 1) * DAY - 1 <= at)
        const unused = known.filter((one) => !used.includes(one))
        const wanted = [
          ...unused.map(({ day }) => `${toDate(day)} spike`),
          ...[...jumps].map(({ day }) => `${toDate(day)} jump`),
        ]
        expect(found?.flags.map(({ date, kind }) => `${date} ${kind}`).sort()).toEqual(
          wanted.sort(),
        )
        reach.spike += unused.length
        reach.jump += jumps.size
        reach.open += undecided.size
      }
      await archive.close()
    }),
    { numRuns: draws(8) },
  )
  for (const cases of Object.values(reach)) expectReach(cases, 3)
}, 120_000)

const aGlitchedHistory = (symbol: string): fc.Arbitrary<OraclePrice[]> =>
  someCloses.map((closeAt) =>
    Array.from({ length: 160 }, (_, place) => place)
      .filter((day) => (day + 3) % 7 < 5)
      .map((day, place) => ({ symbol, day: FIRST_DAY + day, close: closeAt(place) })),
  )

const KEYS = ['AAPL', 'B', 'C']

const aGlitchedWorld = fc.record({
  said: fc.array(
    fc.record({
      user_id: fc.integer({ min: 1, max: 4 }),
      symbol: fc.constantFrom(...KEYS),
      rating: fc.constantFrom(1, 2, 3, 4, 5),
      day: fc.nat(100),
    }),
    { minLength: 80, maxLength: 120, size: 'max' },
  ),
  prices: fc.tuple(...KEYS.map(aGlitchedHistory)).map((all) => all.flat()),
  benchmark: fc.constantFrom(null, 'C'),
  days: fc.array(fc.integer({ min: 40, max: 170 }), { minLength: 3, maxLength: 3 }),
})

test('calls, benchmarks and records leave flagged closes and jumps out, as working out each call says', async () => {
  const reach = { scored: 0, jump: 0 }
  await fc.assert(
    fc.asyncProperty(aGlitchedWorld, async ({ said, prices, benchmark, days }) => {
      const archive = await open(benchmark)
      const given = said.map(({ day, ...rating }, index) =>
        makeRating({ ...rating, id: index + 1, created_at: START + day * DAY }),
      )
      await importRows(archive, given)
      await bring(archive, prices)
      for (const horizon of HORIZONS) {
        for (const day of days) {
          const at = START + (day + 1) * DAY - 1
          const calls = deriveRows(given)
            .filter((row) => row.created_at <= at)
            .map((row) => callOf(row, bySymbol(prices), { horizon, at, benchmark }))
          const found = await selectCommunity(archive.reader, horizon, { at })
          const { scored, open: unknown, jump, clusters } = tallyOf(calls)
          expect(found).toMatchObject({ scored, open: unknown, jump, clusters })
          const query = { ...EVERY_CALL, horizon: `${horizon}`, per_page: 500 } as const
          const rows = await loadCallRows(archive.reader, query, { at })
          const page = await selectListPage(archive.reader, rows, {})
          const byId = new Map(page.rows.map((call) => [call.id, call]))
          for (const { row, outcome, gain, benchmark: compared } of calls) {
            const call = byId.get(row.id)
            expect(call?.outcome).toBe(outcome)
            expect(call?.return).toBe(toDecimal(gain))
            expect(call?.benchmark).toBe(toDecimal(compared))
          }
          reach.scored += scored
          reach.jump += jump
        }
      }
      await archive.close()
    }),
    { numRuns: draws(8) },
  )
  for (const cases of Object.values(reach)) expectReach(cases, 20)
}, 120_000)

type History = Readonly<Record<string, readonly string[]>>

async function openScored(closes: History, benchmark: string | null = null): Promise<Archive> {
  const archive = await open(benchmark)
  onTestFinished(async () => await archive.close())
  await bring(
    archive,
    Object.entries(closes).flatMap(([symbol, own]) =>
      own.map((close, day) => ({ symbol, day: FIRST_DAY + day, close })),
    ),
  )
  await importRows(archive, [makeRating({ id: 1, user_id: 7, symbol: 'AAPL', rating: 5 })])
  return archive
}

async function selectCall({ reader }: Archive) {
  const at = START + 60 * DAY
  const query: CallsQuery = { ...EVERY_CALL, horizon: '30' }
  const { rows } = await selectListPage(reader, await loadCallRows(reader, query, { at }), {})
  const track = await selectTrack(reader, { userId: 7, horizon: 30 }, { at })
  return { call: rows[0], track }
}

const steady = (close: string, days = 60): string[] => Array.from({ length: days }, () => close)

const withCloses = (closes: string[], changes: Readonly<Record<number, string>>): string[] =>
  closes.map((close, day) => changes[day] ?? close)

test.each([
  ['enters', 1],
  ['ends', 31],
  ['lies between', 15],
])('a close of a hundred times for one day is not used where a call %s', async (_, day) => {
  const calm = withCloses(steady('40.82'), { 32: '44.90' })
  const archive = await openScored({ AAPL: withCloses(calm, { [day]: '4082' }), B: steady('10') })
  const { call, track } = await selectCall(archive)
  expect(call).toMatchObject({ outcome: 'scored', entry_close: '40.820000' })
  expect(Number(call?.return)).toBeLessThan(0.11)
  expect(track).toMatchObject({ scored: 1, jump: 0 })
})

test.each([
  ['falls to a tenth and stays', ['100', ...steady('100', 9), ...steady('10', 50)]],
  ['rises to a hundred times and stays', [...steady('40.82', 20), ...steady('4082', 40)]],
  ['is a hundred times for two days', withCloses(steady('40.82'), { 15: '4082', 16: '4082' })],
])('a call across a price that %s does not count, and says so', async (_, closes) => {
  const { call, track } = await selectCall(await openScored({ AAPL: closes, B: steady('10') }))
  expect(call).toMatchObject({ outcome: 'jump', return: null, benchmark: null, hit: null })
  expect(call).toMatchObject({ entry_date: '2024-01-02', exit_date: '2024-02-01' })
  expect(track).toMatchObject({ calls: 1, scored: 0, jump: 1, hit_rate: null })
})

test.each([
  ['the mean of all symbols', null],
  ['a symbol', 'C'],
])('a benchmark of %s leaves out closes across a jump', async (_, benchmark) => {
  const closes = {
    AAPL: withCloses(steady('100'), { 31: '110' }),
    B: withCloses(steady('10'), { 31: '11' }),
    C: [...steady('10', 20), ...steady('1000', 40)],
  }
  const { call } = await selectCall(await openScored(closes, benchmark))
  expect(call).toMatchObject({ outcome: 'scored', return: '0.100000', benchmark: '0.100000' })
})

test('a close of 8 times that nothing follows is used after seven days', async () => {
  const closes = [...steady('10', 10), '80']
  const archive = await openScored({ AAPL: closes })
  const select = async (day: number) =>
    await selectPrices(
      archive.reader,
      { symbol: 'AAPL', query: DAILY },
      { at: START + (day + 1) * DAY - 1 },
    )
  expect(await select(16)).toMatchObject({
    prices: 10,
    flags: [{ factor: '8.0000', kind: 'spike' }],
  })
  expect(await select(17)).toMatchObject({
    prices: 11,
    flags: [{ factor: '8.0000', kind: 'jump' }],
  })
})
