import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { ExportFormat } from './export-choice.ts'
import { toAsciiName, toExportName } from './export-name.ts'
import { EVERY_RATING, parseRatingsQuery, type RatingsQuery } from './ratings-query.ts'
import { only } from './value-list.ts'

const FACTS = {
  format: 'csv' as ExportFormat,
  rows: 2911,
  asOf: 1_795_235_400,
  completeTo: 1_795_235_100 as number | null,
  columns: null as number | null,
}

function nameOf(address: string, facts: Partial<typeof FACTS> = {}) {
  const parsed = parseRatingsQuery(new URLSearchParams(address))
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues))
  return toExportName(parsed.value, { ...FACTS, ...facts })
}

it('a name says what is in the file, how much, of when, up to when it is whole, and in which zone', () => {
  expect(nameOf('symbol=AAPL&rating=4,5&from=2024-01-01')).toBe(
    'ratings_AAPL_rating-4-5_from-2024-01-01_2911-rows_as-of-20261121T043000Z_complete-to-20261121T042500Z_UTC.csv',
  )
  expect(nameOf('', { format: 'parquet', rows: 0, completeTo: null })).toBe(
    'ratings_0-rows_as-of-20261121T043000Z_UTC.parquet',
  )
  expect(nameOf('symbol=-TSLA&prediction_min=-3.5&state=active&user=1,2,3,4,5,6')).toBe(
    'ratings_not-TSLA_user-1-2-3-4-and-2-more_min-minus3.5_active_2911-rows_as-of-20261121T043000Z_complete-to-20261121T042500Z_UTC.csv',
  )
})

it('letters of any script stay, and a name in ASCII tells them apart all the same', () => {
  const name = nameOf('symbol=日経,BRK.B')
  expect(name).toContain('ratings_日経-BRK.B_')
  expect(toAsciiName(name)).toContain('ratings_u65e5u7d4c-BRK.B_')
})

it('hostile symbols are harmless', () => {
  const hostile = ['../../etc/passwd', 'a"b', "a'b;rm -rf ~", '..', 'CON', '\u0000\n', '-', '%2f']
  const query: RatingsQuery = { ...EVERY_RATING, symbol: only(...hostile.slice(0, 4)) }
  expect(toExportName(query, FACTS)).toMatch(/^ratings_etc-passwd-a-b-a-b-rm-rf-x_2911-rows/)
  for (const symbol of hostile) {
    expect(toExportName({ ...EVERY_RATING, symbol: only(symbol) }, FACTS)).toMatch(
      /^ratings_[a-zA-Z0-9.-]+_2911-rows_as-of-20261121T043000Z_complete-to-20261121T042500Z_UTC\.csv$/,
    )
  }
})

it('a name fits into every file system and header, whatever is asked', () => {
  const texts = fc.array(fc.string({ unit: 'binary', minLength: 1, maxLength: 64 }), {
    maxLength: 100,
  })
  fc.assert(
    fc.property(texts, texts, (left, out) => {
      const longest = { ...FACTS, rows: 2_000_002_911, columns: 18, format: 'parquet' as const }
      const query = { ...EVERY_RATING, symbol: { only: left, not: out } }
      expect(toAsciiName(toExportName(query, longest)).length).toBeLessThanOrEqual(255)
      const name = toExportName(query, FACTS)
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255)
      expect(toAsciiName(name).length).toBeLessThanOrEqual(255)
      expect(toAsciiName(name)).toMatch(/^[\w.-]+$/)
      expect(name).toMatch(/^[\p{L}\p{M}\p{N}._-]+$/u)
      expect(name).toMatch(
        /^ratings_.*2911-rows_as-of-20261121T043000Z_complete-to-20261121T042500Z_UTC\.csv$/,
      )
      expect(name).not.toContain('..')
    }),
  )
})
