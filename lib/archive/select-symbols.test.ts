import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SYMBOL_SORTS, type SymbolsQuery } from '#lib/contract/other-queries.ts'
import { holdAgainstCounting } from './against-counting.test-support.ts'
import { importRows, makeRating, openMemory, START } from './arbitrary.test-support.ts'
import { aCommunityOrCrowd } from './crowd.test-support.ts'
import { LEAGUE, leagueTable } from './league-oracle.test-support.ts'
import { pageOf } from './oracle.test-support.ts'

const DAY = 86_400

const aSymbolsQuery: fc.Arbitrary<SymbolsQuery> = fc.record({
  q: fc.constantFrom('', '', '', 'a', 'A', 'b', '.', '%', '_', 'ünï', 'ss', '経', 'nobody'),
  sort: fc.record({
    column: fc.constantFrom(...SYMBOL_SORTS),
    direction: fc.constantFrom<'asc' | 'desc'>('asc', 'desc'),
  }),
  asof: fc.constant(null),
  page: fc.integer({ min: 1, max: 3 }),
  per_page: fc.constantFrom(2, 50),
})

describe('the league table', () => {
  test('holds the lines, the figures, the order and the total that plain counting gives', async () => {
    const effort = { communities: 20, questions: 8, of: aCommunityOrCrowd }
    await holdAgainstCounting(
      aSymbolsQuery,
      effort,
      async ({ archive, rows, asked: query, at }) => {
        const lines = leagueTable(rows, query, at)
        expect(await archive.selectSymbols(query, { at })).toEqual({
          rows: pageOf(lines, query),
          total: lines.length,
        })
      },
    )
  })

  test('is empty at the beginning of time, and stands at its end with nothing active', async () => {
    const archive = await openMemory()
    await importRows(archive, [
      makeRating({ id: 1, created_at: START, expired_at: START + DAY }),
      makeRating({ id: 2, user_id: 2, symbol: 'B', created_at: START }),
    ])
    expect(await archive.selectSymbols(LEAGUE, { at: 0 })).toEqual({ rows: [], total: 0 })
    expect(await archive.selectSymbols(LEAGUE, { at: START - 1 })).toEqual({ rows: [], total: 0 })
    const { rows } = await archive.selectSymbols(LEAGUE, { at: 253_402_300_799 })
    expect(rows.map(({ symbol, active }) => [symbol, active])).toEqual([
      ['AAPL', 0],
      ['B', 1],
    ])
    await archive.close()
  })

  test('says how many symbols there are on a page behind the last one too', async () => {
    const archive = await openMemory()
    await importRows(archive, [makeRating({ id: 1 }), makeRating({ id: 2, symbol: 'B' })])
    const at = START + DAY
    const behind = await archive.selectSymbols({ ...LEAGUE, page: 9 }, { at })
    expect(behind).toEqual({ rows: [], total: 2 })
    await archive.close()
  })
})

test('a sparkline ends with the consensus and is broken where fewer than three were active', async () => {
  const archive = await openMemory()
  const step = 14 * DAY
  const posted = (id: number, rating: number, from: number, until: number | null) =>
    makeRating({
      id,
      user_id: id,
      rating,
      created_at: START + from * step,
      expired_at: until === null ? null : START + until * step,
    })
  await importRows(archive, [
    posted(1, 5, 0, null),
    posted(2, 4, 0, null),
    posted(3, 3, 0, 2),
    posted(4, 1, 20, null),
  ])
  const { rows } = await archive.selectSymbols(LEAGUE, { at: START + 26 * step })
  const [row] = rows
  expect(row?.spark).toEqual([
    ...Array(2).fill('4.0000'),
    ...Array(18).fill(null),
    ...Array(7).fill('3.3333'),
  ])
  expect(row?.consensus).toBe('3.3333')
  await archive.close()
})
