import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toParams, toQueryText } from '#lib/contract/query-schema.ts'
import { EVERY_RATING, parseRatingsQuery, ratingsQuery } from '#lib/contract/ratings-query.ts'
import { queries } from '#testing/contract/queries.ts'
import { draws } from '#testing/draws.ts'
import { parseFilterText, toFilterText } from './filter-text.ts'

const addressOf = (text: string) => {
  const { query, problem, bare } = parseFilterText(text)
  if (problem || bare.length > 0) throw new Error(problem?.message ?? 'it has words of a search')
  return toQueryText(toParams(ratingsQuery, query))
}
const canonical = (address: string) => {
  const parsed = parseRatingsQuery(new URLSearchParams(address))
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues))
  return toQueryText(toParams(ratingsQuery, parsed.value))
}

describe('a filter text says what an address says', () => {
  it.each([
    [' \t\u00a0', ''],
    [
      'symbol:AAPL,MSFT rating:4,5 prediction:>10 user:12 -symbol:TSLA posted:>=2024-01-01',
      'symbol=AAPL,MSFT,-TSLA&rating=4,5&prediction_above=10&user=12&from=2024-01-01',
    ],
    ['SYMBOL:aapl symbol:MSFT,-tsla', 'symbol=AAPL,MSFT,-TSLA'],
    ['symbol:"A B",-"C,D","-E","say ""hi"""', 'symbol="A B","-E","SAY ""HI""",-"C,D"'],
    ['symbol:NYSE:BRK,A"B', 'symbol=NYSE:BRK,"A""B"'],
    ['rating:hold', 'rating=3'],
    ['rating:"strong buy",Moderate-Sell -action:upgraded', 'rating=5,2&action=-2'],
    ['rating:>=4', 'rating=4,5'],
    ['rating:<hold', 'rating=1,2'],
    ['rating:2..4', 'rating=2,3,4'],
    ['rating:-9 rating:"-1"', 'rating="-1",-9'],
    ['prediction:5..12.5', 'prediction_min=5&prediction_max=12.5'],
    ['prediction:-5..5', 'prediction_min=-5&prediction_max=5'],
    ['prediction:5..', 'prediction_min=5'],
    ['prediction:<=-2.50', 'prediction_max=-2.50'],
    ['prediction:>1 prediction:<2', 'prediction_above=1&prediction_below=2'],
    ['prediction:+12.50,"-5",-8', 'prediction=%2B12.50,"-5",-8'],
    ['user:12,40 id:7 agree:5 comments:-3', 'user=12,40&id=7&agree=5&comments=-3'],
    ['state:Active', 'state=active'],
    ['asof:2024', 'asof=2024-12-31'],
    ['sort:posted', 'sort=created_at'],
    ['sort:-agree', 'sort=-tally_agree'],
    ['posted:2024-05,-2024-05-13', 'created=2024-05,-2024-05-13'],
    ['posted:>=2024-05', 'from=2024-05-01'],
    ['posted:>2024-05 posted:<=2024', 'from=2024-06-01&to=2025-01-01'],
    ['posted:2024-01..2024-03', 'from=2024-01-01&to=2024-04-01'],
    ['posted:<2024-05-01T12:30:00Z', 'to=2024-05-01T12:30:00Z'],
    ['expires:Never -expires:2026-11', 'expires=never,-2026-11'],
    ['quality:"False upgrade",flip-within-day', 'quality=upgraded_false,flip_within_day'],
  ])('%s', (text, address) => {
    expect(addressOf(text)).toBe(canonical(address))
  })

  it('is read back from the text of every query', () => {
    fc.assert(
      fc.property(queries, (drawn) => {
        const { page, per_page } = EVERY_RATING
        const query = { ...drawn, page, per_page }
        const text = toFilterText(query)
        const read = parseFilterText(text)
        expect([read.problem, read.bare]).toEqual([null, []])
        expect(toParams(ratingsQuery, read.query).toString()).toBe(
          toParams(ratingsQuery, query).toString(),
        )
        expect(toFilterText(read.query)).toBe(text)
      }),
      { numRuns: draws(500) },
    )
  })
})

describe('a problem names its word', () => {
  it.each([
    ['rating:5 symbl:AAPL', 'symbl:AAPL', 'is not a filter'],
    ['rating:5 page:2', 'page:2', 'is not a filter'],
    ['hello rating:5', 'hello', 'is not a filter'],
    ['not user:64', 'not', 'is not a filter'],
    ['symbol: rating:5', 'symbol:', 'needs a value'],
    ['symbol:A,,B', 'symbol:A,,B', 'needs a value'],
    ['prediction:..', 'prediction:..', 'needs a value'],
    ['symbol:"A B', 'symbol:"A B', 'has a quote that does not end'],
    ['symbol:"A"B', 'symbol:"A"B', 'has a quote that does not end'],
    ['symbol:>A', 'symbol:>A', 'takes no bounds'],
    ['prediction:1,>5', 'prediction:1,>5', 'mixes a bound or range with other values'],
    ['-prediction:>5', '-prediction:>5', 'mixes a bound or range with other values'],
    [
      'rating:buy',
      'rating:buy',
      'is not one of strong sell, moderate sell, hold, moderate buy, strong buy',
    ],
    ['rating:>5', 'rating:>5', 'leaves no value'],
    ['user:ten', 'user:ten', 'is not a whole number'],
    ['prediction:ten', 'prediction:ten', 'is not a decimal number'],
    ['prediction:>10 rating:5 prediction:<5', 'prediction:<5', 'leaves nothing between the bounds'],
    ['posted:2024..2023', 'posted:2024..2023', 'leaves nothing between the bounds'],
    ['posted:2024-13', 'posted:2024-13', 'is not a day (2024-01-31), a month (2024-01) or a year'],
    ['-state:active', '-state:active', 'cannot be excluded'],
    ['state:open', 'state:open', 'is not one of active, expired'],
    ['asof:2024 asof:2025', 'asof:2025', 'is given twice'],
  ])('%s', (text, word, message) => {
    const { problem } = parseFilterText(text)
    const named = problem && text.slice(problem.word.start, problem.word.end)
    expect([named, problem?.message]).toEqual([word, `“${word}” ${message}`])
  })

  it('and nothing is a problem in a text that only searches', () => {
    for (const text of [
      'hello',
      'amber acorn',
      'symbl:AAPL',
      '12',
      '-aapl',
      '>10',
      '__proto__:1',
    ]) {
      expect(parseFilterText(text), text).toMatchObject({ problem: null, query: EVERY_RATING })
    }
  })

  it('and shows what is invisible', () => {
    const { problem } = parseFilterText('symbol:A\u202e\u0000B')
    expect(problem?.message).toBe('“symbol:A\\u202e\\u0000B” contains an unprintable character')
  })
})

it('reads any text without an exception, as a valid query', () => {
  const pieces = fc.oneof(
    fc.constantFrom('symbol:', 'rating:', 'posted:', 'sort:', 'prediction:', '__proto__:'),
    fc.constantFrom('-', '"', ',', ' ', ':', '>', '>=', '..', '5', '\u0000', '\u202e', '\ud800'),
    fc.string({ unit: 'binary' }),
  )
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 30 }), (parts) => {
      const { query, problem, words } = parseFilterText(parts.join(''))
      expect(parseRatingsQuery(toParams(ratingsQuery, query)).ok).toBe(true)
      if (problem) expect(words).toContain(problem.word)
    }),
    { numRuns: draws(200) },
  )
})

it('refuses a text that is too long', () => {
  for (const text of ['a'.repeat(100_000), 'symbol:"'.repeat(40_000), 'a '.repeat(20_000)]) {
    expect(parseFilterText(text)).toMatchObject({
      query: EVERY_RATING,
      problem: { message: expect.stringMatching(/begins a text that is too long$/) },
    })
  }
})
