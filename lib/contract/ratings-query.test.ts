import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  EVERY_RATING,
  parseRatingsQuery,
  RATING_SORTS,
  type RatingsQuery,
  readRatingsQuery,
  toQueryText,
  toSearchParams,
} from './ratings-query.ts'

const parse = (text: string) => parseRatingsQuery(new URLSearchParams(text))

const issuesOf = (text: string) => {
  const parsed = parse(text)
  return parsed.ok ? [] : parsed.issues
}

const queryOf = (text: string) => {
  const parsed = parse(text)
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues))
  return parsed.value
}

describe('the query', () => {
  it('takes repeated and comma-separated values as the same', () => {
    expect(queryOf('symbol=aapl,MSFT&rating=4&rating=5')).toEqual(
      queryOf('symbol=AAPL&symbol=msft&rating=5,4,4'.replace('5,4,4', '4,5,4')),
    )
  })

  it('counts a value given twice once', () => {
    expect(queryOf('user=12,12,40').user).toEqual([12, 40])
  })

  it('reads a date, a UTC date-time and epoch seconds as the same instant', () => {
    const at = queryOf('from=2024-01-01').from
    expect(queryOf('from=2024-01-01T00:00:00Z').from).toBe(at)
    expect(queryOf('from=1704067200').from).toBe(at)
  })

  it('takes 0 for a value like any other', () => {
    const query = queryOf('user=0&rating=0&from=0&prediction_min=0&prediction_max=0.00')
    expect(query).toMatchObject({ user: [0], rating: [0], from: 0, prediction_min: '0' })
    expect(toQueryText(toSearchParams(query))).toBe(
      '?user=0&rating=0&from=1970-01-01&prediction_min=0&prediction_max=0.00',
    )
  })

  it('keeps a decimal bound as the text that it is', () => {
    expect(queryOf('prediction_min=-12.50').prediction_min).toBe('-12.50')
  })

  it.each([
    ['page=0', 'page'],
    ['page=-1', 'page'],
    ['page=1.5', 'page'],
    ['page=1e3', 'page'],
    ['page=0x10', 'page'],
    ['page=NaN', 'page'],
    ['page=', 'page'],
    ['page=٣', 'page'],
    ['page=99999999999999999999', 'page'],
    ['page=1&page=2', 'page'],
    ['per_page=501', 'per_page'],
    ['per_page=0', 'per_page'],
    ['symbol=', 'symbol'],
    ['symbol=A,,B', 'symbol'],
    [`symbol=${'A'.repeat(65)}`, 'symbol'],
    ['symbol=A%00B', 'symbol'],
    ['symbol=%E2%80%AEAAPL', 'symbol'],
    [`symbol=${Array.from({ length: 101 }, (_, i) => `S${i}`).join(',')}`, 'symbol'],
    ['user=1.5', 'user'],
    ['user=abc', 'user'],
    ['user=99999999999999999999', 'user'],
    ['rating=5;drop table rating', 'rating'],
    ['action=<img>', 'action'],
    ['from=2024-02-30', 'from'],
    ['from=yesterday', 'from'],
    ['to=2024-01-01T00:00:00%2B02:00', 'to'],
    ['from=2024-01-02&to=2024-01-01', 'to'],
    ['from=2024-01-01&to=2024-01-01', 'to'],
    ['asof=-1', 'asof'],
    ['prediction_min=1e3', 'prediction_min'],
    ['prediction_min=Infinity', 'prediction_min'],
    ['prediction_min=2&prediction_max=1', 'prediction_max'],
    ['state=open', 'state'],
    ['sort=password', 'sort'],
    ['sort=--id', 'sort'],
    ['nope=1', 'nope'],
    ['PAGE=1', 'PAGE'],
    ['page[]=1', 'page[]'],
    ['__proto__=1', '__proto__'],
    ['constructor=1', 'constructor'],
    ['toString=1', 'toString'],
  ])('refuses %s and names the parameter', (text, name) => {
    expect(issuesOf(text).map((issue) => issue.parameter)).toContain(name)
  })

  it('names every parameter that is wrong, not only the first', () => {
    expect(issuesOf('page=x&rating=y&nope=1').map((issue) => issue.parameter)).toEqual([
      'rating',
      'page',
      'nope',
    ])
  })

  it('reads back from its canonical address as itself', () => {
    fc.assert(
      fc.property(queries, (query) => {
        const text = toQueryText(toSearchParams(query))
        expect(toQueryText(toSearchParams(queryOf(text.slice(1))))).toBe(text)
        expect(queryOf(text.slice(1))).toEqual(sorted(query))
      }),
    )
  })

  it('never throws, whatever an address holds, and its nearest valid reading is valid', () => {
    const words = fc.oneof(
      fc.constantFrom(...Object.keys(EVERY_RATING)),
      fc.string({ unit: 'binary' }),
    )
    const addresses = fc.array(fc.tuple(words, fc.string({ unit: 'binary' })))
    fc.assert(
      fc.property(addresses, (pairs) => {
        const params = new URLSearchParams(pairs)
        const { query, ignored } = readRatingsQuery(params)
        expect(parseRatingsQuery(toSearchParams(query)).ok).toBe(true)
        expect(parseRatingsQuery(params).ok).toBe(ignored.length === 0)
      }),
    )
  })

  it('ignores only what is wrong in a hand-edited address, and says what', () => {
    const { query, ignored } = readRatingsQuery(new URLSearchParams('page=zz&rating=5&nope=1'))
    expect(query).toEqual({ ...EVERY_RATING, rating: [5] })
    expect(ignored.map((issue) => issue.parameter)).toEqual(['page', 'nope'])
  })
})

const numbers = fc.uniqueArray(fc.integer({ min: -99, max: 99_999 }), { maxLength: 5 })
const instant = fc.option(fc.integer({ min: 0, max: 4_000_000_000 }))
const queries: fc.Arbitrary<RatingsQuery> = fc
  .record({
    symbol: fc.uniqueArray(fc.stringMatching(/^[A-Z][A-Z0-9.\-^=]{0,9}$/), { maxLength: 4 }),
    user: numbers,
    rating: numbers,
    action: numbers,
    from: instant,
    to: instant,
    prediction_min: fc.option(fc.constantFrom('-5', '0', '0.00', '1.25')),
    prediction_max: fc.option(fc.constantFrom('2', '2.50', '1000')),
    state: fc.option(fc.constantFrom('active' as const, 'expired' as const)),
    asof: instant,
    sort: fc.record({
      column: fc.constantFrom(...RATING_SORTS),
      direction: fc.constantFrom('asc' as const, 'desc' as const),
    }),
    page: fc.integer({ min: 1, max: 9_999_999 }),
    per_page: fc.integer({ min: 1, max: 500 }),
  })
  .filter(({ from, to }) => from === null || to === null || from < to)

const sorted = (query: RatingsQuery): RatingsQuery => ({
  ...query,
  symbol: [...query.symbol].sort(),
  user: [...query.user].sort((a, b) => a - b),
  rating: [...query.rating].sort((a, b) => a - b),
  action: [...query.action].sort((a, b) => a - b),
})
