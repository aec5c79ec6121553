import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { ExportFormat } from './export-formats.ts'
import { toAsciiName, toExportName, toListName } from './export-name.ts'
import { symbolList } from './lists/symbols.ts'
import { userList } from './lists/users.ts'
import { EVERY_RATING, parseRatingsQuery, type RatingsQuery } from './ratings-query.ts'
import { only } from './value-list.ts'

const FACTS = { format: 'csv' as ExportFormat, asOf: 1_795_235_400, invented: false }

function nameOf(address: string, facts: Partial<typeof FACTS> = {}) {
  const parsed = parseRatingsQuery(new URLSearchParams(address))
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues))
  return toExportName(parsed.value, { ...FACTS, ...facts })
}

it('a name says what is in the file, of which day, and that a program made it up', () => {
  expect(nameOf('symbol=AAPL&rating=4,5&from=2024-01-01')).toBe(
    'ratings_AAPL_rating-4-5_from-2024-01-01_2026-11-21.csv',
  )
  expect(nameOf('', { format: 'parquet', invented: true })).toBe('ratings_2026-11-21_demo.parquet')
  expect(nameOf('symbol=-TSLA&prediction_min=-3.5&state=active', { invented: true })).toBe(
    'ratings_not-TSLA_min-minus3.5_active_2026-11-21_demo.csv',
  )
})

it('what finds no room is counted, and the first filter stays', () => {
  expect(nameOf('symbol=AAPL&user=1,2,3,4,5,6&rating=4,5&state=active&from=2024-01-01')).toBe(
    'ratings_AAPL_plus-3-filters_active_2026-11-21.csv',
  )
  expect(nameOf('symbol=AAPL,MSFT,NVDA,GOOG,TSLA,AMZN&rating=5', { invented: true })).toBe(
    'ratings_AAPL-MSFT-and-4-more_rating-5_2026-11-21_demo.csv',
  )
})

it('a league is named by what was searched for and how it is sorted', () => {
  const sort = { column: 'avg_prediction', direction: 'desc' as const }
  expect(toListName(symbolList, { q: 'BRK.B', sort }, { ...FACTS, invented: true })).toBe(
    'symbols_BRK.B_by-avg-prediction_2026-11-21_demo.csv',
  )
  expect(toListName(userList, { q: '', sort: { ...sort, column: 'ratings' } }, FACTS)).toBe(
    'users_by-ratings_2026-11-21.csv',
  )
})

it('letters of any script stay, and a name in ASCII tells them apart all the same', () => {
  const name = nameOf('symbol=日経,BRK.B')
  expect(name).toContain('ratings_日経-BRK.B_')
  expect(toAsciiName(name)).toContain('ratings_u65e5u7d4c-BRK.B_')
})

it('what is invisible in a symbol is written out, so that no two files are called alike for it', () => {
  expect(nameOf('symbol=%E2%80%AELPAA%E2%80%AC')).toBe('ratings_u202e-LPAA-u202c_2026-11-21.csv')
  expect(nameOf('symbol=AAPL%E2%80%8B')).toBe('ratings_AAPL-u200b_2026-11-21.csv')
  expect(nameOf('symbol=AAPL%E3%85%A4')).toBe('ratings_AAPL-u3164_2026-11-21.csv')
})

it('hostile symbols are harmless', () => {
  const hostile = ['../../etc/passwd', 'a"b', "a'b;rm -rf ~", '..', 'CON', '\u0000\n', '-', '%2f']
  const query: RatingsQuery = { ...EVERY_RATING, symbol: only(...hostile.slice(0, 4)) }
  expect(toExportName(query, FACTS)).toMatch(/^ratings_etc-passwd-a-b-and-2-more_2026/)
  for (const symbol of hostile) {
    expect(toExportName({ ...EVERY_RATING, symbol: only(symbol) }, FACTS)).toMatch(
      /^ratings_[a-zA-Z0-9.-]+_2026-11-21\.csv$/,
    )
  }
})

it('a name has sixty letters at the most, fit for every file system and header, whatever is asked', () => {
  const texts = fc.array(fc.string({ unit: 'binary', minLength: 1, maxLength: 64 }), {
    maxLength: 100,
  })
  fc.assert(
    fc.property(texts, texts, (left, out) => {
      const longest = { ...FACTS, invented: true, format: 'parquet' as const }
      const query = { ...EVERY_RATING, symbol: { only: left, not: out }, rating: only(4, 5) }
      const name = toExportName(query, longest)
      expect(toAsciiName(name).length).toBeLessThanOrEqual(60)
      expect(toAsciiName(name)).toMatch(/^[\w.-]+$/)
      expect(name).toMatch(/^[\p{L}\p{M}\p{N}._-]+$/u)
      expect(name).toMatch(/^ratings_.*_2026-11-21_demo\.parquet$/)
      expect(name).not.toContain('..')
    }),
  )
})
