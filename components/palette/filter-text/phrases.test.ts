import { expect, it } from 'vitest'
import { toQueryText, toSearchParams } from '#lib/contract/ratings-query.ts'
import { parseFilterText } from './parse-filter-text.ts'

const NOW = Date.UTC(2026, 10, 22, 15) / 1000

const addressOf = (text: string) => {
  const { query, problems } = parseFilterText(text, NOW)
  expect(problems).toEqual([])
  return decodeURIComponent(toQueryText(toSearchParams(query)))
}

it.each([
  ['strong buy aapl 2025', '?symbol=AAPL&rating=5&created=2025'],
  ['Strong Buy of AAPL and MSFT in 2025', '?symbol=AAPL,MSFT&rating=5&created=2025'],
  ['bearish tsla not 60', '?symbol=TSLA&user=-60&rating=1,2'],
  ['downgrades last month', '?action=3&from=2026-10-01&to=2026-11-01'],
  ['upgrades this year', '?action=2&from=2026-01-01&to=2027-01-01'],
  ['bullish nvda last 30 days', '?symbol=NVDA&rating=4,5&from=2026-10-23&to=2026-11-23'],
  ['aapl march 2025', '?symbol=AAPL&created=2025-03'],
  ['active aapl above 10%', '?symbol=AAPL&prediction_above=10&state=active'],
  ['aapl since 2024-05', '?symbol=AAPL&from=2024-05-01'],
  ['user 60 sells', '?user=60&rating=1,2'],
  ['not sell not aapl', '?symbol=-AAPL&rating=-1,-2'],
  ['hold', '?rating=3'],
])('“%s” is %s', (text, address) => {
  expect(addressOf(text)).toBe(address)
})

it.each([
  ['HOLD', '?symbol=HOLD'],
  ['ON nvda', '?symbol=NVDA,ON'],
  ['symbol:hold', '?symbol=HOLD'],
  ['"buy"', '?symbol=BUY'],
  ['on', '?symbol=ON'],
  // No word of ours, though every object of the language has it.
  ['constructor', '?symbol=CONSTRUCTOR'],
  ['not valueof', '?symbol=-VALUEOF'],
])(
  'a word that means nothing here, or stands in capitals, in quotes or behind its name, is a symbol: %s',
  (text, address) => {
    expect(addressOf(text)).toBe(address)
  },
)

it('what is said of a day needs to know today, and a number alone still asks what it is', () => {
  expect(parseFilterText('downgrades today', null).query.from).toBeNull()
  expect(parseFilterText('60', NOW).problems[0]?.message).toContain('say which')
})

it('a span that is said twice is refused where it stands', () => {
  const { problems } = parseFilterText('aapl today yesterday', NOW)
  expect(problems).toMatchObject([{ start: 11, end: 20 }])
})
