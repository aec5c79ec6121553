import fc from 'fast-check'
import Papa from 'papaparse'
import { expect, it } from 'vitest'
import { toChartCsv } from './chart-csv.ts'
import type { ChartFacts } from './chart-facts.ts'

const FACTS: ChartFacts = {
  title: 'AAPL: rating and prediction over time',
  range: '2024-01-01 to 2024-08-02, by week',
  zone: 'UTC',
  rule: 'The mean of what was active, "n" of it; not drawn below 3.',
  asOf: 1_722_556_800,
  completeTo: null,
  nameParts: ['AAPL'],
  columns: [
    { name: 'symbol', kind: 'text' },
    { name: 'bucket_start', kind: 'instant' },
    { name: 'consensus', kind: 'number' },
  ],
  rows: [
    ['AAPL', 1_704_067_200, '3.9200'],
    ['AAPL', 1_704_672_000, null],
  ],
}

const read = (csv: string) =>
  Papa.parse<Record<string, string>>(csv, { header: true, skipEmptyLines: true }).data

it('a file holds the data in their order, decimals as they came, days in UTC, and what was not drawn as nothing', () => {
  const [first, second] = read(toChartCsv(FACTS, 'host:3000'))
  expect(first).toMatchObject({ bucket_start: '2024-01-01T00:00:00Z', consensus: '3.9200' })
  expect(second).toMatchObject({ bucket_start: '2024-01-08T00:00:00Z', consensus: '' })
})

it('every row says of which chart, range, zone, rule and source it is', () => {
  for (const row of read(toChartCsv(FACTS, 'host:3000'))) {
    expect(row).toMatchObject({
      chart: FACTS.title,
      range: FACTS.range,
      zone: 'UTC',
      rule: FACTS.rule,
      source: 'host:3000, archive not complete yet, as of 2024-08-02 00:00:00 UTC',
      complete_to: '',
      as_of: '2024-08-02T00:00:00Z',
    })
  }
})

it('a chart without points is a header alone', () => {
  expect(toChartCsv({ ...FACTS, rows: [] }, 'h').split('\r\n')).toEqual([
    'symbol,bucket_start,consensus,chart,range,zone,rule,source,complete_to,as_of',
    '',
  ])
})

it('whatever a symbol is called, a spreadsheet runs none of it, and a number keeps its sign', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (symbol) => {
      const rows = [[symbol, 0, '-3.50']] as const
      const [row] = Papa.parse<string[]>(toChartCsv({ ...FACTS, rows }, 'h')).data.slice(1)
      expect(row?.[0]).not.toMatch(/(?:^|[;\t\r\n])[=+\-@＋－＝＠]/)
      expect(row?.[0]?.replaceAll("'", '')).toBe(symbol.replaceAll("'", ''))
      expect(row?.[2]).toBe('-3.50')
    }),
  )
  const [row] = read(toChartCsv({ ...FACTS, rows: [['=1+1', 0, '=2']] }, 'h'))
  expect(row).toMatchObject({ symbol: "'=1+1", consensus: "'=2" })
})
