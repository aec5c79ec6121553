import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SYMBOL_SORTS, type SymbolsQuery, USER_SORTS } from '#lib/contract/other-queries.ts'
import { holdAgainstCounting } from './against-counting.test-support.ts'
import { importRows, makeRating, openMemory, START } from './arbitrary.test-support.ts'
import { leagueTable, pageOf, userTable } from './oracle.test-support.ts'

const aSort = <C extends string>(columns: readonly C[]) =>
  fc.record({
    column: fc.constantFrom(...columns),
    direction: fc.constantFrom<'asc' | 'desc'>('asc', 'desc'),
  })

const paging = { page: fc.integer({ min: 1, max: 3 }), per_page: fc.constantFrom(2, 50) }

const aSymbolsQuery = fc.record({
  q: fc.constantFrom('', '', 'a', 'A', 'b', '.', '%', '_', 'ünï', 'ss', '経', 'nobody'),
  sort: aSort(SYMBOL_SORTS),
  ...paging,
})

const aUsersQuery = fc.record({
  q: fc.constantFrom('', '1', '2', '%', 'x'),
  sort: aSort(USER_SORTS),
  ...paging,
})

test('league tables hold the lines, the order and the totals that plain counting gives', async () => {
  const effort = { communities: 30, questions: 8 }
  const asked = fc.tuple(aSymbolsQuery, aUsersQuery)
  await holdAgainstCounting(
    asked,
    effort,
    async ({ archive, rows, asked: [symbols, users], at }) => {
      const lines = leagueTable(rows, symbols, at)
      expect(await archive.selectSymbols(symbols, { at })).toEqual({
        rows: pageOf(lines, symbols),
        total: lines.length,
      })
      const members = userTable(rows, users)
      expect(await archive.selectUsers(users, { at })).toEqual({
        rows: pageOf(members, users),
        total: members.length,
      })
    },
  )
})

test('means are sorted as they are shown: rounded half away from zero, ties by symbol', async () => {
  const archive = await openMemory()
  const spread = (symbol: string, sum: number, count: number) =>
    Array.from({ length: count }, (_, index) =>
      makeRating({
        id: symbol.charCodeAt(0) * 100_000 + index,
        user_id: index,
        symbol,
        rating: index === 0 ? sum : 0,
        prediction: index === 0 ? `${sum}` : '0',
      }),
    )
  // 161 / 160 = 1.00625 and -161 / 160 end exactly between two shown values; 1.0063 is C's as well.
  await importRows(archive, [
    ...spread('B', 161, 160),
    ...spread('N', -161, 160),
    ...spread('C', 16101, 16000),
  ])
  const query = (column: 'consensus' | 'avg_prediction'): SymbolsQuery => ({
    q: '',
    sort: { column, direction: 'desc' },
    page: 1,
    per_page: 50,
  })
  const answers = await Promise.all([
    archive.selectSymbols(query('consensus'), { at: START + 1e9 }),
    archive.selectSymbols(query('avg_prediction'), { at: START + 1e9 }),
  ])
  for (const { rows } of answers) {
    expect(rows.map((row) => [row.symbol, row.consensus, row.avg_prediction])).toEqual([
      ['B', '1.0063', '1.0063'],
      ['C', '1.0063', '1.0063'],
      ['N', '-1.0063', '-1.0063'],
    ])
  }
  await archive.close()
})
