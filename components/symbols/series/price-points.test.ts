import { expect, it } from 'vitest'
import { readSeriesView } from '#components/symbols/series-view.ts'
import type { Series } from '#lib/contract/answers/opinion.ts'
import type { PriceSeries } from '#lib/contract/answers/symbols.ts'
import { dayAt, pointOn } from '#testing/components/chart-points.ts'
import {
  createPriceReading,
  toCloses,
  toCloseText,
  toDrawnCloses,
  toFlagText,
} from './price-points.ts'
import { toSeriesFacts } from './series-figure.tsx'

const DAYS = ['2026-01-08', '2026-01-09', '2026-01-10', '2026-01-11', '2026-01-18', '2026-01-19']

const series: Series = {
  symbol: 'AAPL',
  bucket: 'day',
  posted: 2,
  ratings: [],
  points: DAYS.map((day) => pointOn(day)),
}

const prices: PriceSeries = {
  symbol: 'AAPL',
  bucket: 'day',
  prices: 2,
  points: [
    { t: dayAt('2026-01-09'), date: '2026-01-09', close: '1259.370000' },
    { t: dayAt('2026-01-19'), date: '2026-01-19', close: '0.001200' },
  ],
  flags: [],
}

it('a close stands for the days after it on which nobody traded, a week at most, and for none before', () => {
  expect(toCloses(series, prices).map((close) => close?.date ?? null)).toEqual([
    null,
    '2026-01-09',
    '2026-01-09',
    '2026-01-09',
    null,
    '2026-01-19',
  ])
})

it('closes that are left out and jumps are named, the latest three of each', () => {
  expect(toFlagText(prices)).toBeNull()
  const spike = { date: '2026-01-12', factor: '100.0000', kind: 'spike' } as const
  expect(toFlagText({ flags: [spike] })).toBe(
    '1 close left out: 2026-01-12 (100.00 times the close before).',
  )
  const jumps = ['05', '04', '03', '02'].map((day) => {
    return { date: `2026-01-${day}`, factor: '0.1000', kind: 'jump' } as const
  })
  expect(toFlagText({ flags: jumps })).toBe(
    'Price jumped on 2026-01-05 (0.10 times the close before), 2026-01-04 (0.10 times the close before), 2026-01-03 (0.10 times the close before) and 1 more: calls across a jump do not count.',
  )
})

it('each bucket is drawn at its close', () => {
  const closes = [null, 1259.37, 1259.37, 1259.37, null, 0.0012]
  expect(toDrawnCloses(series, prices)).toEqual(closes)
})

it('a close is read with two decimals, and one below 1 with its own', () => {
  const read = createPriceReading(series, prices)
  expect(read(0)).toEqual([{ name: 'Price', text: 'none' }])
  expect(read(1)).toEqual([{ name: 'Price', text: '1,259.37' }])
  expect(toCloseText('207.879200')).toBe('207.88')
  expect(toCloseText('0.001200')).toBe('0.0012')
})

it('a file of the chart has a column of closes, each only in its own bucket, and says the rule', () => {
  const { view } = readSeriesView(new URLSearchParams(), 'AAPL')
  const meta = { as_of: dayAt('2026-01-20'), complete_to: dayAt('2026-01-20'), generation: 1 }
  const answer = { success: true, code: 200, data: series, meta } as const
  const priced = toSeriesFacts(answer, { view, showsAhead: false, prices })
  expect(priced.columns.at(-1)).toEqual({ name: 'close', kind: 'number' })
  expect(priced.rows.map((row) => row.at(-1))).toEqual([
    null,
    '1259.370000',
    ...[null, null, null],
    '0.001200',
  ])
  expect(priced.rule).toContain('Price: the last close')
  const plain = toSeriesFacts(answer, { view, showsAhead: false })
  expect(plain.columns.map(({ name }) => name)).not.toContain('close')
  expect(plain.rule).not.toContain('Price')
})
