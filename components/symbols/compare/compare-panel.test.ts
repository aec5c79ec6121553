import { expect, it } from 'vitest'
import type { CompareAnswer } from '#lib/contract/answers/opinion.ts'
import { toCompareFacts } from './compare-panel.tsx'
import { toComparedLines } from './comparison.ts'

const DAY = 86_400
const START = Date.parse('2024-01-01T00:00:00Z') / 1000

const ANSWER: CompareAnswer = {
  success: true,
  code: 200,
  data: {
    bucket: 'day',
    unknown: [],
    symbols: ['AAPL', 'Msft'].map((symbol) => ({
      symbol,
      first_created_at: START,
      points: [
        { t: START, active: 2, consensus: '5.0000', active_prediction: null },
        { t: START + DAY, active: 3, consensus: '3.3333', active_prediction: null },
        { t: START + 2 * DAY, active: 4, consensus: '3.2500', active_prediction: null },
      ],
    })),
  },
  meta: { as_of: START + 2 * DAY, complete_to: null, generation: 1 },
}

const factsOf = (hidden: readonly string[] = []) => {
  const keys = ['AAPL', 'MSFT']
  const lines = toComparedLines(ANSWER.data, keys)
  return toCompareFacts(ANSWER, {
    bucket: 'auto',
    from: null,
    to: null,
    asof: null,
    lines: lines.filter(({ key }) => !hidden.includes(key)),
  })
}

it('a comparison is saved symbol by symbol, with nothing where fewer than three were active', () => {
  const { rows, range, nameParts } = factsOf()
  expect(rows.slice(0, 3)).toEqual([
    ['AAPL', 'day', START, 2, null],
    ['AAPL', 'day', START + DAY, 3, '3.3333'],
    ['AAPL', 'day', START + 2 * DAY, 4, '3.2500'],
  ])
  expect(rows[3]?.[0]).toBe('Msft')
  expect(range).toBe('2024-01-01 to 2024-01-03, by day')
  expect(nameParts).toEqual([['AAPL', 'Msft'], '2024-01-01', '2024-01-03', 'day'])
})

it('what is switched off is not saved', () => {
  expect(factsOf(['MSFT']).rows.every(([symbol]) => symbol === 'AAPL')).toBe(true)
})
