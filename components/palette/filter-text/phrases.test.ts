import { expect, it } from 'vitest'
import { withFirstDay, withLastDay } from '#components/ratings/filters/posted-range.ts'
import { toParams } from '#lib/contract/query-schema.ts'
import { ratingsQuery, toQueryText } from '#lib/contract/ratings-query.ts'
import { EVERY_VIEW } from '#lib/contract/ratings-view.ts'
import { parseFilterText } from './parse-filter-text.ts'

const NOW = Date.UTC(2026, 10, 22, 15) / 1000

const addressOf = (text: string) => {
  const { query, problems } = parseFilterText(text, { now: NOW })
  expect(problems).toEqual([])
  return decodeURIComponent(toQueryText(toParams(ratingsQuery, query)))
}

it.each([
  ['strong buy aapl 2025', '?symbol=AAPL&rating=5&from=2025-01-01&to=2026-01-01'],
  [
    'Strong Buy of AAPL and MSFT in 2025',
    '?symbol=AAPL,MSFT&rating=5&from=2025-01-01&to=2026-01-01',
  ],
  ['bearish tsla not 60', '?symbol=TSLA&user=-60&rating=1,2'],
  ['downgrades last month', '?action=3&from=2026-10-01&to=2026-11-01'],
  ['upgrades this year', '?action=2&from=2026-01-01&to=2027-01-01'],
  ['bullish nvda last 30 days', '?symbol=NVDA&rating=4,5&from=2026-10-23&to=2026-11-23'],
  ['aapl march 2025', '?symbol=AAPL&from=2025-03-01&to=2025-04-01'],
  ['2025-03-01', '?from=2025-03-01&to=2025-03-02'],
  ['active aapl above 10%', '?symbol=AAPL&prediction_above=10&state=active'],
  ['ended aapl', '?symbol=AAPL&state=expired'],
  ['expired aapl', '?symbol=AAPL&state=expired'],
  ['aapl since 2024-05', '?symbol=AAPL&from=2024-05-01'],
  ['user 60 sells', '?user=60&rating=1,2'],
  ['not sell not aapl', '?symbol=-AAPL&rating=-1,-2'],
  ['hold', '?rating=3'],
])('“%s” is %s', (text, address) => {
  expect(addressOf(text)).toBe(address)
})

it('days are those of the reader’s zone, as in the filters', () => {
  const { query } = parseFilterText('march 2025', { now: NOW, zone: 'Europe/Berlin' })
  const first = withFirstDay(EVERY_VIEW, '2025-03-01', 'Europe/Berlin')
  const byHand = withLastDay(first, '2025-03-31', 'Europe/Berlin')
  expect([query.from, query.to]).toEqual([byHand.from, byHand.to])
})

it.each([
  ['a year ago', '?asof=2025-11-22'],
  ['3 months ago', '?asof=2026-08-22'],
  ['10 days ago', '?asof=2026-11-12'],
  ['two weeks ago', null],
  ['9999 years ago', null],
  ['last friday', '?asof=2026-11-20'],
  ['last sunday', '?asof=2026-11-15'],
  ['on 2025-03-01', '?asof=2025-03-01'],
  ['aapl a year ago', '?symbol=AAPL&asof=2025-11-22'],
])('“%s” is as everything stood then', (text, address) => {
  if (address === null) expect(parseFilterText(text, { now: NOW }).query.asof).toBeNull()
  else expect(addressOf(text)).toBe(address)
})

it.each([
  ['not user 64', '?user=-64'],
  ['without user 64', '?user=-64'],
  ['except user 64', '?user=-64'],
  ['except for user 64', '?user=-64'],
  ['exclude user 64', '?user=-64'],
  ['excluding #64', '?user=-64'],
  ['no user 64', '?user=-64'],
  ['not #64', '?user=-64'],
  ['NOT user 64', '?user=-64'],
  ['-user:64', '?user=-64'],
  ['not user:64', '?user=-64'],
  ['not by 64', '?user=-64'],
  ['not users 60 and 64', '?user=-60,-64'],
  ['not user 60 or user 64', '?user=-60,-64'],
  ['not 60, 64', '?user=-60,-64'],
  ['not 60,64 and 12', '?user=-12,-60,-64'],
  ['not user:60 and user:64', '?user=-60,-64'],
  ['aapl not 60 and bullish', '?symbol=AAPL&user=-60&rating=4,5'],
  ['not 60 and not 64', '?user=-60,-64'],
  ['everyone except user 64', '?user=-64'],
  ['all ratings but 64', '?user=-64'],
  ['bullish but not tsla', '?symbol=-TSLA&rating=4,5'],
  ['not strong buy', '?rating=-5'],
  ['not strong buy, strong sell', '?rating=-1,-5'],
  ['no upgrades', '?action=-2'],
  ['without aapl, msft and tsla', '?symbol=-AAPL,-MSFT,-TSLA'],
  ['not aapl msft', '?symbol=MSFT,-AAPL'],
  ['not "BRK B"', '?symbol=-BRK+B'],
  ['not HOLD', '?symbol=-HOLD'],
  ['not rating:4,5 aapl', '?symbol=AAPL&rating=-4,-5'],
  ['not 2025', '?created=-2025'],
  ['not march 2025', '?created=-2025-03'],
  ['not above 10', '?prediction_max=10'],
  ['not since 2024-05', '?to=2024-05-01'],
])('what stands behind “not” is taken out whole: “%s”', (text, address) => {
  expect(addressOf(text)).toBe(address)
})

it.each([
  ['not user', '“user” needs a number after it'],
  ['aapl not', '“not” excludes the word after it: a user, a symbol or a rating'],
  ['aapl not last week', 'a range of days cannot be excluded. Use a day, a month or a year'],
  ['not active', 'state cannot be excluded'],
  ['not prediction:>5', 'prediction: a bound cannot be taken out, only turned round'],
])('what cannot be taken out is refused, and never becomes its opposite: “%s”', (text, message) => {
  const { problems, query } = parseFilterText(text, { now: NOW })
  expect(problems.map((problem) => problem.message)).toEqual([message])
  expect([query.user, query.state, query.from]).toEqual([{ only: [], not: [] }, null, null])
})

it.each([
  ['user 60', '?user=60'],
  ['user #60', '?user=60'],
  ['users 60, 64 and 12', '?user=12,60,64'],
  ['sells by 60', '?user=60&rating=1,2'],
  ['aapl from user 60 since 2024', '?symbol=AAPL&user=60&from=2024-01-01'],
  ['aapl, msft or tsla', '?symbol=AAPL,MSFT,TSLA'],
  ['aapl vs msft', '?symbol=AAPL,MSFT'],
])('several are listed as people list them: “%s”', (text, address) => {
  expect(addressOf(text)).toBe(address)
})

it.each([
  ['HOLD', '?symbol=HOLD'],
  ['ON nvda', '?symbol=NVDA,ON'],
  ['symbol:hold', '?symbol=HOLD'],
  ['"buy"', '?symbol=BUY'],
  ['on', '?symbol=ON'],
  // Inherited object properties must not match.
  ['constructor', '?symbol=CONSTRUCTOR'],
  ['not valueof', '?symbol=-VALUEOF'],
])(
  'a word that means nothing here, or stands in capitals, in quotes or behind its name, is a symbol: %s',
  (text, address) => {
    expect(addressOf(text)).toBe(address)
  },
)

it('what is said of a day needs to know today, and a number alone still asks what it is', () => {
  expect(parseFilterText('downgrades today').query.from).toBeNull()
  expect(parseFilterText('60', { now: NOW }).problems[0]?.message).toContain('name the field')
})

it('a span that is said twice is refused where it stands', () => {
  const { problems } = parseFilterText('aapl today yesterday', { now: NOW })
  expect(problems).toMatchObject([{ start: 11, end: 20 }])
})
