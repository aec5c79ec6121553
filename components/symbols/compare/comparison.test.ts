import { expect, test } from 'vitest'
import {
  type CompareScale,
  toChangeBound,
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

const linesOf = (scale: CompareScale, minimum = 3) =>
  toComparedLines(COMPARISON, ['AAPL', 'NONE', 'MSFT'], { minimum, scale })

test('a line has a gap where fewer than the minimum are active, and says n at every point', () => {
  const [own, other] = linesOf('rating')
  expect(own?.points.map(({ value, text }) => [value, text])).toEqual([
    [3.5, '3.50 (n=3)'],
    [null, 'too few (n=2)'],
    [3.2049, '3.20 (n=4)'],
  ])
  expect(other).toMatchObject({ key: 'MSFT', symbol: 'msft', place: 2 })
  expect(other?.points.map(({ text }) => text)).toEqual(['n=0', '4.00 (n=1,200)', '4.26 (n=1,200)'])
})

test('a change is since the first value of each symbol that is drawn, signed, and exact before it is rounded', () => {
  const [own, other] = linesOf('change')
  expect(own?.points.map(({ text }) => text)).toEqual([
    '0.00 (n=3)',
    'too few (n=2)',
    '−0.30 (n=4)',
  ])
  expect(other?.points.map(({ value }) => value)).toEqual([null, 0, 0.255])
  expect(other?.points[2]?.text).toBe('+0.26 (n=1,200)')
})

test('the scale of changes stands around zero and holds them all', () => {
  expect(toChangeBound(linesOf('change'))).toBe(0.5)
  expect(toChangeBound(linesOf('change', 1))).toBe(1.5)
  expect(toChangeBound([])).toBe(0.5)
})

test('a comparison is told in words with every n', () => {
  const told = {
    scale: 'rating',
    bucket: 'day',
    toWhen: (t: number) => `on day ${t / DAY}`,
  } as const
  expect(toCompareSummary(linesOf('rating'), told)).toBe(
    'Consensus by day. AAPL: from 3.50 (n=3) on day 0 to 3.20 (n=4) on day 2. ' +
      'msft: from 4.00 (n=1,200) on day 1 to 4.26 (n=1,200) on day 2.',
  )
  expect(toCompareSummary(linesOf('change'), { ...told, scale: 'change' })).toBe(
    'Change of consensus by day. AAPL: from 0.00 (n=3) on day 0 to −0.30 (n=4) on day 2. ' +
      'msft: from 0.00 (n=1,200) on day 1 to +0.26 (n=1,200) on day 2.',
  )
  expect(toCompareSummary(linesOf('rating', 5000), told)).toContain('AAPL: too few ratings')
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
