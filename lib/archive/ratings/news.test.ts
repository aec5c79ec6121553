import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import { holdAgainstCounting } from '#testing/archive/against-counting.ts'
import { anInstant, aRatingsQuery } from '#testing/archive/arbitrary.ts'
import { keyOf, type OracleRow, passes } from '#testing/archive/oracle.ts'
import { type IdRange, uniteRanges } from './id-ranges.ts'
import { selectNews } from './news.ts'

const EXAMPLES = 3

const aNewsQuery = fc.record({
  known: fc
    .array(fc.tuple(fc.integer({ min: -2, max: 60 }), fc.nat(6)), { maxLength: 5 })
    .map((pairs) => uniteRanges(pairs.map(([low, more]): IdRange => [low, low + more]))),
  lateFrom: anInstant,
  queries: fc.array(
    fc.record({
      query: aRatingsQuery.map((query) => ({ ...query, asof: null })),
      from: anInstant,
    }),
    { maxLength: 6 },
  ),
  symbols: fc.array(
    fc.record({
      symbol: fc.constantFrom('AAPL', 'MSFT', 'ÜNÏ', 'NONE').map(toSymbolKey),
      before: anInstant,
    }),
    { maxLength: 4 },
  ),
})

const isIn = (ranges: readonly IdRange[], id: number) =>
  ranges.some(([low, high]) => low <= id && id <= high)

const newestFirst = (a: OracleRow, b: OracleRow) => b.created_at - a.created_at || b.id - a.id

const activeOf = (rows: readonly OracleRow[], symbol: string, at: number) => {
  const active = rows.filter(
    (row) => keyOf(row).endsWith(symbol) && toSymbolKey(row.symbol) === symbol,
  )
  const standing = active.filter((row) => row.created_at <= at && row.effectiveUntil > at)
  const sum = standing.reduce((all, { rating }) => all + rating, 0)
  return { active: standing.length, sum: standing.length === 0 ? null : sum }
}

test('what is new, which queries it passes and what is active are what plain counting gives', async () => {
  let matched = 0
  await holdAgainstCounting(
    aNewsQuery,
    { communities: 60, questions: 6 },
    async ({ archive, rows, asked, at }) => {
      const { known, lateFrom } = asked
      const highest = known.at(-1)?.[1] ?? Number.NEGATIVE_INFINITY
      const fresh = rows
        .filter(({ id }) => !isIn(known, id))
        .filter((row) => row.id > highest || row.created_at >= lateFrom)
        .sort(newestFirst)
      const news = await selectNews(archive.reader, { ...asked, examples: EXAMPLES }, { at })
      const held = news.ids.reduce((sum, [low, high]) => sum + high - low + 1, 0)
      expect(held).toBe(fresh.length)
      expect(fresh.every(({ id }) => isIn(news.ids, id))).toBe(true)
      const expected = asked.queries.flatMap(({ query, from }, place) => {
        const passing = fresh.filter((row) => row.created_at >= from && passes(row, query, at))
        const ids = passing.slice(0, EXAMPLES).map(({ id }) => id)
        return passing.length === 0 ? [] : [{ query: place, total: passing.length, ids }]
      })
      matched += expected.length
      expect(news.matches).toEqual(expected)
      for (const { ids } of expected) {
        for (const id of ids) {
          const row = rows.find((one) => one.id === id)
          expect(row).toMatchObject({ ...news.ratings.get(id) })
        }
      }
      expect(news.sums).toEqual(
        asked.symbols.map(({ symbol, before }) => ({
          now: activeOf(rows, symbol, at),
          before: activeOf(rows, symbol, before),
        })),
      )
    },
  )
  expect(matched).toBeGreaterThan(20)
}, 120_000)
