import { expect, test } from 'vitest'
import {
  toCommonStart,
  toComparedKeys,
  toComparedLines,
  toCompareParams,
  toCompareSummary,
} from './comparison.ts'

const DAY = 86_400

const point = (day: number, active: number, consensus: string | null) => ({
  t: day * DAY,
  active,
  consensus,
  active_prediction: null,
})

const COMPARISON = {
  symbols: [
    {
      symbol: 'AAPL',
      first_created_at: 0,
      points: [point(0, 3, '3.5000'), point(1, 2, '5.0000'), point(2, 4, '3.2049')],
    },
    {
      symbol: 'msft',
      first_created_at: DAY + 5,
      points: [point(0, 0, null), point(1, 1200, '4.0000'), point(2, 1200, '4.2550')],
    },
  ],
}

const linesOf = (comparison = COMPARISON) => toComparedLines(comparison, ['AAPL', 'NONE', 'MSFT'])

test('a line has a gap where fewer than three are active, and says n at every point', () => {
  const [own, other] = linesOf()
  expect(own?.points.map(({ value, text }) => [value, text])).toEqual([
    [3.5, '3.50 (n=3)'],
    [null, 'too few (n=2)'],
    [3.2049, '3.20 (n=4)'],
  ])
  expect(other).toMatchObject({ key: 'MSFT', symbol: 'msft', place: 2 })
  expect(other?.points.map(({ text }) => text)).toEqual(['n=0', '4.00 (n=1,200)', '4.26 (n=1,200)'])
})

test('a comparison is told in words with every n', () => {
  const told = { bucket: 'day', toWhen: (t: number) => `on day ${t / DAY}` }
  expect(toCompareSummary(linesOf(), told)).toBe(
    'Consensus by day. AAPL: from 3.50 (n=3) on day 0 to 3.20 (n=4) on day 2. ' +
      'msft: from 4.00 (n=1,200) on day 1 to 4.26 (n=1,200) on day 2.',
  )
  const few = [{ symbol: 'AAPL', first_created_at: 0, points: [point(0, 2, '3.5000')] }]
  expect(toCompareSummary(linesOf({ symbols: few }), told)).toContain('AAPL: too few ratings')
  expect(toCompareSummary([], told)).toBe('Nothing is drawn.')
})

test('at most six symbols are asked for, each once, the page’s own first', () => {
  const keys = toComparedKeys('aapl', ['MSFT', 'AAPL', 'A,B', 'c', 'd', 'e', 'f'])
  expect(keys).toEqual(['AAPL', 'MSFT', 'A,B', 'C', 'D', 'E'])
  const span = { bucket: 'week', from: DAY, to: null, asof: null } as const
  expect(toCompareParams(keys, span).toString()).toBe(
    new URLSearchParams({
      symbol: 'AAPL,MSFT,"A,B",C,D,E',
      bucket: 'week',
      from: '1970-01-02',
    }).toString(),
  )
})

test('a common range begins on the day that the last of them was first rated', () => {
  expect(toCommonStart(COMPARISON.symbols)).toBe(DAY)
  expect(toCommonStart(COMPARISON.symbols.slice(1))).toBeNull()
})
