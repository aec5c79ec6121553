import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openArchive } from '#lib/archive/lifecycle/open-archive.ts'
import { selectSeries } from '#lib/archive/symbols/symbol.ts'
import { aCommunityOrCrowd, importRows, makeRating, START } from '#testing/archive/arbitrary.ts'
import { bySymbol, type OraclePrice, someCloses, usedOf } from '#testing/archive/record-oracle.ts'
import { draws } from '#testing/draws.ts'
import { selectPrices } from './symbol-prices.ts'

const DAY = 86_400
const FIRST_DAY = START / DAY
const NOW = START + 900 * DAY

const open = async () =>
  await openArchive({ path: ':memory:', now: () => NOW, threads: 1, benchmark: null })

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
  day: fc.integer({ min: 20, max: 800 }),
})

test('shows as of a day what data that end on that day show', async () => {
  await fc.assert(
    fc.asyncProperty(aWorld, async ({ given, prices, day }) => {
      const ids = given.map(({ rating }) => rating.id)
      fc.pre(new Set(ids).size === ids.length)
      const at = START + day * DAY + DAY - 1
      const whole = await open()
      await importRows(whole, given)
      await whole.prices.replace(async (append) => await append(prices))
      const ended = await open()
      const past = given.filter(({ rating }) => rating.created_at <= at)
      await importRows(ended, past)
      await ended.prices.replace(
        async (append) => await append(prices.filter((one) => (one.day + 1) * DAY - 1 <= at)),
      )
      for (const symbol of KEYS) {
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
