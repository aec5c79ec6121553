import { expect, it } from 'vitest'
import { EXPORT_FORMATS, PLAIN_CSV, toExportPath } from './export-choice.ts'
import { csvExportQuery, exportQuery } from './export-query.ts'
import { parseParameters } from './query-schema.ts'
import { EVERY_RATING } from './ratings-query.ts'
import { only } from './value-list.ts'

const PAGE = { ...EVERY_RATING, symbol: only('A,"B'), rating: only(5), page: 3, per_page: 100 }

it('an export has every matching row, not the page that is shown', () => {
  expect(toExportPath({ ...PAGE, symbol: only('AAPL') })).toBe(
    '/api/ratings.csv?symbol=AAPL&rating=5',
  )
})

it('an address says nothing that a format does not have', () => {
  const choice = { ...PLAIN_CSV, formulas: 'exact', bom: true } as const
  expect(toExportPath(EVERY_RATING, choice)).toBe('/api/ratings.csv?formulas=exact&bom=1')
  expect(toExportPath(EVERY_RATING, { ...choice, format: 'json' })).toBe('/api/ratings.json')
})

it.each(EXPORT_FORMATS)('what is written for %s is read back as what was chosen', (format) => {
  const columns = ['symbol', 'id', 'extra'] as const
  const path = toExportPath(PAGE, { format, columns, formulas: 'exact', bom: true })
  const params = new URL(path, 'http://x').searchParams
  const parsed =
    format === 'csv'
      ? parseParameters(csvExportQuery, params)
      : parseParameters(exportQuery, params)
  expect(parsed).toEqual({
    ok: true,
    value: {
      ...PAGE,
      page: 1,
      per_page: EVERY_RATING.per_page,
      columns: [...columns],
      ...(format === 'csv' ? { formulas: 'exact', bom: '1' } : {}),
    },
  })
})
