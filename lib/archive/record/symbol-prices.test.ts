import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openArchive } from '#lib/archive/lifecycle/open-archive.ts'
import { selectSeries } from '#lib/archive/symbols/symbol.ts'
import type { Followed } from '#lib/contract/answers/prices.ts'
import { HORIZONS } from '#lib/contract/horizons.ts'
import { studentQuantile } from '#lib/statistics/chance.ts'
import { aCommunityOrCrowd, importRows, makeRating, START } from '#testing/archive/arbitrary.ts'
import { activeAt } from '#testing/archive/opinion-oracle.ts'
import { deriveRows, keyOf, type OracleRow } from '#testing/archive/oracle.ts'
import {
  bySymbol,
  callOf,
  type OraclePrice,
  someCloses,
  usedOf,
} from '#testing/archive/record-oracle.ts'
import { draws } from '#testing/draws.ts'
import { selectFollowed, selectPrices } from './symbol-prices.ts'

const DAY = 86_400
const FIRST_DAY = START / DAY
const NOW = START + 900 * DAY

const open = async (benchmark: string | null = null) =>
  await openArchive({ path: ':memory:', now: () => NOW, threads: 1, benchmark })

const aHistory = (symbol: string): fc.Arbitrary<OraclePrice[]> =>
  fc
    .record({
      from: fc.integer({ min: -40, max: 100 }),
      days: fc.oneof(fc.constant(1), fc.integer({ min: 100, max: 400 })),
      gap: fc.record({ from: fc.nat(400), days: fc.nat(25) }),
      closeAt: someCloses,
    })
    .map(({ from, days, gap, closeAt }) =>
      Array.from({ length: days }, (_, index) => from + index)
        .filter((day) => day < gap.from || day >= gap.from + gap.days)
        .flatMap((day, place) => {
          const row = { symbol, day: FIRST_DAY + day, close: closeAt(place) }
          return day % 50 === 0 ? [{ ...row, close: '77' }, row] : [row]
        }),
    )

const KEYS = ['AAPL', 'B', 'C', 'MSFT', 'D']
const someHistories = fc.tuple(...KEYS.map(aHistory)).map((all) => all.flat())

const aSteadyCrowd = fc
  .array(fc.record({ day: fc.nat(300), rating: fc.integer({ min: 1, max: 5 }) }), {
    minLength: 12,
    maxLength: 40,
  })
  .map((said) =>
    said.map(({ day, rating }, index) =>
      makeRating({
        id: index + 1,
        user_id: index % 6,
        symbol: 'AAPL',
        rating,
        created_at: START + day * DAY,
        expired_at: START + 5000 * DAY,
      }),
    ),
  )

const aWorld = fc.record({
  given: fc.oneof({ weight: 3, arbitrary: aSteadyCrowd }, aCommunityOrCrowd),
  prices: someHistories,
  benchmark: fc.constantFrom(null, 'C', 'NONE'),
  horizon: fc.constantFrom(...HORIZONS),
  day: fc.integer({ min: 20, max: 800 }),
})

function monthEnds(from: number, at: number): number[] {
  const date = new Date(from * 1000)
  const ends: number[] = []
  for (let month = date.getUTCMonth() + 1; ; month += 1) {
    const end = Date.UTC(date.getUTCFullYear(), month) / 1000 - 1
    if (end > at) return ends
    ends.push(end)
  }
}

type World = { rows: readonly OracleRow[]; prices: Map<string, OraclePrice[]> }
type SymbolRecordQuery = { key: string; horizon: number; at: number; benchmark: string | null }

function monthsOf({ rows, prices }: World, { key, ...asked }: SymbolRecordQuery) {
  const own = rows.filter((row) => keyOf(row) === key && row.created_at <= asked.at)
  return monthEnds(Math.min(...own.map((row) => row.created_at)), asked.at).flatMap((end) => {
    const active = activeAt(
      own.filter((row) => row.created_at <= end),
      end,
    )
    if (active.length < 3) return []
    const [some] = own
    if (!some) return []
    const call = callOf({ ...some, created_at: end, rating: 5 }, prices, asked)
    const mean = active.reduce((sum, row) => sum + row.rating, 0) / active.length
    return [{ end, active: active.length, mean, call }]
  })
}

const near = (text: string | null, value: number | null) => {
  if (value === null || text === null) expect(text).toBe(value)
  else expect(Math.abs(Number(text) - value)).toBeLessThan(0.000_002 * Math.max(1, Math.abs(value)))
}

function slopeOf(points: readonly { x: number; y: number }[]) {
  let [over, under] = [0, 0]
  for (const a of points)
    for (const b of points) {
      over += (a.x - b.x) * (a.y - b.y)
      under += (a.x - b.x) ** 2
    }
  return { slope: over / under, squares: under / (2 * points.length) }
}

function expectFigures(found: Followed, months: ReturnType<typeof monthsOf>) {
  const scored = months.filter(({ call }) => call.outcome === 'scored')
  const points = found.months
    .filter(({ outcome }) => outcome === 'scored')
    .map(({ consensus }, at) => ({ x: Number(consensus), y: scored[at]?.call.signed ?? 0 }))
  const n = points.length
  expect(found.scored).toBe(n)
  let windows = 0
  let last = Number.NEGATIVE_INFINITY
  for (const { call } of scored) {
    if ((call.entry?.day ?? 0) <= last) continue
    windows += 1
    last = call.exit?.day ?? 0
  }
  expect(found.windows).toBe(windows)
  if (n === 0) return expect(found.mean).toBeNull()
  const mean = points.reduce((sum, { y }) => sum + y, 0) / n
  near(found.mean, mean)
  const variance = points.reduce((sum, { y }) => sum + (y - mean) ** 2, 0) / (n - 1)
  const reach = studentQuantile(0.975, Math.max(1, windows - 1)) * Math.sqrt(variance / windows)
  near(found.mean_low, windows < 5 ? null : mean - reach)
  near(found.mean_high, windows < 5 ? null : mean + reach)
  if (found.slope === null) return
  const { slope, squares } = slopeOf(points)
  if (Math.abs(slope) > 1e6) return
  near(found.slope, slope)
  if (windows < 5) return expect(found.slope_low).toBeNull()
  const middle = points.reduce((sum, { x }) => sum + x, 0) / n
  const left = points.reduce((sum, { x, y }) => sum + (y - mean - slope * (x - middle)) ** 2, 0)
  const error = Math.sqrt(((left / (n - 2) / squares) * n) / windows)
  near(found.slope_low, slope - studentQuantile(0.975, windows - 2) * error)
  near(found.slope_high, slope + studentQuantile(0.975, windows - 2) * error)
}

test('what followed a consensus is what working out each month by itself says, at any instant', async () => {
  await fc.assert(
    fc.asyncProperty(aWorld, async ({ given, prices, benchmark, horizon, day }) => {
      const archive = await open(benchmark)
      await importRows(archive, given)
      await archive.prices.replace(async (append) => await append(prices))
      const world = { rows: deriveRows(given), prices: bySymbol(prices) }
      const at = START + day * DAY + (day % 2 === 0 ? DAY - 1 : 3600)
      for (const key of new Set(world.rows.map(keyOf))) {
        const found = await selectFollowed(archive.reader, { symbol: key, horizon }, { at })
        const wasRated = world.rows.some((row) => keyOf(row) === key && row.created_at <= at)
        expect(found !== null).toBe(wasRated)
        if (!found) continue
        const months = monthsOf(world, { key, horizon, at, benchmark })
        expect(
          found.months.map(({ month, active, outcome }) => ({ month, active, outcome })),
        ).toEqual(
          months.map(({ end, active, call }) => ({
            month: new Date(end * 1000).toISOString().slice(0, 7),
            active,
            outcome: call.outcome,
          })),
        )
        found.months.forEach((month, index) => {
          const { call, mean } = months[index] ?? {}
          near(month.excess, call?.outcome === 'scored' ? (call.signed ?? null) : null)
          expect(Math.abs(Number(month.consensus) - (mean ?? 0))).toBeLessThanOrEqual(0.000_051)
        })
        expectFigures(found, months)
      }
      await archive.close()
    }),
    { numRuns: draws(10) },
  )
}, 120_000)

test('as of a day what followed is what data that end on that day say', async () => {
  await fc.assert(
    fc.asyncProperty(aWorld, async ({ given, prices, benchmark, horizon, day }) => {
      const ids = given.map(({ rating }) => rating.id)
      fc.pre(new Set(ids).size === ids.length)
      const at = START + day * DAY + DAY - 1
      const whole = await open(benchmark)
      await importRows(whole, given)
      await whole.prices.replace(async (append) => await append(prices))
      const ended = await open(benchmark)
      const past = given.filter(({ rating }) => rating.created_at <= at)
      await importRows(ended, past)
      await ended.prices.replace(
        async (append) => await append(prices.filter((one) => (one.day + 1) * DAY - 1 <= at)),
      )
      for (const symbol of KEYS) {
        const asked = { symbol, horizon }
        const [one, other] = [
          await selectFollowed(whole.reader, asked, { at }),
          await selectFollowed(ended.reader, asked, { at }),
        ]
        expect(one && { ...one, prices: null }).toEqual(other && { ...other, prices: null })
        const query = { bucket: 'week', from: null, to: null, asof: null } as const
        expect(await selectPrices(whole.reader, { symbol, query }, { at })).toEqual(
          await selectPrices(ended.reader, { symbol, query }, { at }),
        )
      }
      await whole.close()
      await ended.close()
    }),
    { numRuns: draws(6) },
  )
}, 120_000)

test('closes stand in the buckets of the series, the last one known of each', async () => {
  await fc.assert(
    fc.asyncProperty(
      aWorld,
      fc.constantFrom('auto' as const, 'day' as const, 'week' as const, 'month' as const),
      fc.option(fc.tuple(fc.nat(400), fc.integer({ min: 1, max: 400 }))),
      async ({ given, prices, day }, bucket, range) => {
        const archive = await open()
        await importRows(archive, given)
        await archive.prices.replace(async (append) => await append(prices))
        const at = START + day * DAY + 3600
        const query = {
          bucket,
          from: range ? START + range[0] * DAY : null,
          to: range ? START + (range[0] + range[1]) * DAY : null,
          asof: null,
        }
        for (const symbol of KEYS) {
          const series = await selectSeries(archive.reader, { symbol, query }, { at })
          const found = await selectPrices(archive.reader, { symbol, query }, { at })
          expect(found === null).toBe(series === null)
          if (!found || !series) continue
          expect(found.bucket).toBe(series.bucket)
          const end = query.to === null ? at : Math.min(at, query.to - 1)
          const known = usedOf(bySymbol(prices).get(symbol) ?? [], end).used
          expect(found.prices).toBe(series.points.length === 0 ? 0 : known.length)
          const wanted = series.points.flatMap(({ t }, index) => {
            const next = series.points[index + 1]?.t ?? Number.POSITIVE_INFINITY
            const last = known.filter((one) => one.day * DAY >= t && one.day * DAY < next).at(-1)
            return last ? [{ t, date: toDay(last.day), close: Number(last.close).toFixed(6) }] : []
          })
          expect(found.points).toEqual(wanted)
        }
        await archive.close()
      },
    ),
    { numRuns: draws(10) },
  )
}, 120_000)

const toDay = (day: number) => new Date(day * DAY * 1000).toISOString().slice(0, 10)

test('a consensus that never moved has no slope, and few windows have no interval', async () => {
  const archive = await open()
  const rows = Array.from({ length: 4 }, (_, user) =>
    makeRating({ id: user + 1, user_id: user + 1, symbol: 'AAPL', rating: 4, created_at: START }),
  )
  await importRows(archive, rows)
  await archive.prices.replace(async (append) => {
    const days = Array.from({ length: 200 }, (_, index) => FIRST_DAY + index)
    await append(days.map((day) => ({ symbol: 'AAPL', day, close: String(100 + (day % 7)) })))
  })
  const at = { at: START + 200 * DAY }
  const found = await selectFollowed(archive.reader, { symbol: 'aapl', horizon: 30 }, at)
  expect(found?.scored).toBeGreaterThan(2)
  expect(found).toMatchObject({ slope: null, slope_low: null, mean_low: null })
  await archive.close()
})
