import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { queries } from '#testing/contract/queries.ts'
import { toParams, toQueryText } from './query-schema.ts'
import {
  EVERY_RATING,
  LISTS,
  parseRatingsQuery,
  type RatingsQuery,
  ratingsQuery,
} from './ratings-query.ts'
import { EVERY_VIEW, readRatingsView } from './ratings-view.ts'
import { only } from './value-list.ts'

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
    expect(queryOf('user=12,12,40').user).toEqual(only(12, 40))
  })

  it('takes values with a minus before them out, and in quotes what a list could not hold', () => {
    expect(queryOf('symbol=AAPL,-tsla&symbol=-"A,B"').symbol).toEqual({
      only: ['AAPL'],
      not: ['TSLA', 'A,B'],
    })
    expect(queryOf('symbol="-a""b"').symbol).toEqual(only('-A"B'))
    expect(queryOf('user=-12,"-12"').user).toEqual({ only: [-12], not: [12] })
    expect(queryOf('created=2024,-2024-05&expires=-never')).toMatchObject({
      created: { only: ['2024'], not: ['2024-05'] },
      expires: { only: [], not: ['never'] },
    })
  })

  it('reads a year, a date, a UTC date-time and epoch seconds as the same instant', () => {
    const at = queryOf('from=2024-01-01').from
    expect(queryOf('from=2024-01-01T00:00:00Z').from).toBe(at)
    expect(queryOf('from=1704067200').from).toBe(at)
    expect(queryOf('from=2024').from).toBe(at)
  })

  it('takes 0 for a value like any other', () => {
    const query = queryOf('user=0&rating=0&from=1970&prediction_min=0&prediction_max=0.00')
    expect(query).toMatchObject({ user: only(0), rating: only(0), from: 0, prediction_min: '0' })
    expect(toQueryText(toParams(ratingsQuery, query))).toBe(
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
    ['symbol=-', 'symbol'],
    ['symbol="A', 'symbol'],
    ['symbol="A"B', 'symbol'],
    ['symbol=A,-', 'symbol'],
    ['prediction=ten', 'prediction'],
    ['created=2024-13', 'created'],
    ['created=2024-02-30', 'created'],
    ['expires=soon', 'expires'],
    ['quality=doubtful', 'quality'],
    ['quality=', 'quality'],
    ['agree=-x', 'agree'],
    ['prediction_above=2&prediction_below=2', 'prediction_below'],
    ['prediction_above=2&prediction_max=2', 'prediction_max'],
    [`symbol=${'A'.repeat(193)}`, 'symbol'],
    ['symbol=A%00B', 'symbol'],
    ['symbol=%00AAPL', 'symbol'],
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
        const text = toQueryText(toParams(ratingsQuery, query))
        expect(toQueryText(toParams(ratingsQuery, queryOf(text.slice(1))))).toBe(text)
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
        const { query, ignored } = readRatingsView(params)
        expect(parseRatingsQuery(toParams(ratingsQuery, query)).ok).toBe(true)
        expect(parseRatingsQuery(params).ok).toBe(ignored.length === 0)
      }),
    )
  })

  it('ignores only what is wrong in a hand-edited address, and says what', () => {
    const { query, ignored } = readRatingsView(new URLSearchParams('page=zz&rating=5&nope=1'))
    expect(query).toEqual({ ...EVERY_VIEW, rating: only(5) })
    expect(ignored.map((issue) => issue.parameter)).toEqual(['page', 'nope'])
  })
})

const sorted = (query: RatingsQuery): RatingsQuery => {
  const sort = (values: readonly (string | number)[]) =>
    [...values].sort((a, b) =>
      typeof a === 'number' && typeof b === 'number' ? a - b : a < b ? -1 : a > b ? 1 : 0,
    )
  const lists = LISTS.map((name) => [
    name,
    { only: sort(query[name].only), not: sort(query[name].not) },
  ])
  return { ...query, ...Object.fromEntries(lists) }
}
