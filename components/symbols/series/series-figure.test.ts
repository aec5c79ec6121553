import { expect, it } from 'vitest'
import { readSeriesView } from '#components/symbols/series-view.ts'
import type { SeriesAnswer } from '#lib/contract/answers/opinion.ts'
import { dayAt, pointOn } from '#testing/components/chart-points.ts'
import { toSeriesFacts } from './series-figure.tsx'

const answer = (points: SeriesAnswer['data']['points']): SeriesAnswer => ({
  success: true,
  code: 200,
  data: { symbol: 'AAPL', bucket: 'week', posted: 2, points, ratings: [] },
  meta: { as_of: dayAt('2024-08-02'), complete_to: dayAt('2024-08-02'), generation: 1 },
})

const POINTS = [pointOn('2024-01-01'), pointOn('2024-07-29', { active: 2 })]

const factsOf = (query: string, points = POINTS) => {
  const { view } = readSeriesView(new URLSearchParams(query), 'AAPL')
  return toSeriesFacts(answer(points), { view, showsAhead: false })
}

it('what is saved names days, for "now" is another day when the file is read', () => {
  expect(factsOf('').range).toBe('2024-01-01 to 2024-08-02, by week')
  expect(factsOf('').nameParts).toEqual(['AAPL', '2024-01-01', '2024-08-02', 'week'])
})

it('a range ends with its last day, and begins within the bucket that it cuts', () => {
  const { range } = factsOf('from=2024-01-03&to=2024-08-01')
  expect(range).toBe('2024-01-03 to 2024-07-31, by week')
})

it('a rewound chart says so in its name', () => {
  expect(factsOf('asof=2024-08-02').nameParts.at(-1)).toBe('as-of-2024-08-02')
})

it('a row has a cell for each column, and no figure of fewer than three ratings', () => {
  const { columns, rows } = factsOf('')
  const at = (row: number, name: string) =>
    rows[row]?.[columns.findIndex((column) => column.name === name)]
  for (const row of rows) expect(row).toHaveLength(columns.length)
  expect([at(0, 'consensus'), at(0, 'prediction_q3'), at(0, 'r5')]).toEqual([
    '3.9024',
    '16.125000',
    10,
  ])
  expect([at(1, 'active'), at(1, 'consensus'), at(1, 'prediction_low'), at(1, 'r5')]).toEqual([
    2,
    null,
    null,
    10,
  ])
})

it('nothing drawn is nothing to name, and still a file', () => {
  expect(factsOf('', [])).toMatchObject({ rows: [], nameParts: ['AAPL', 'week'] })
})
