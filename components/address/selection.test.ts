import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { seriesQuery } from '#lib/contract/api-queries.ts'
import { SYMBOL_SORTS, symbolsQuery } from '#lib/contract/lists/symbols.ts'
import { readLeniently, toDefaults, toParams } from '#lib/contract/query-schema.ts'
import { splitSelected, toSelected, withSelected } from './selection.ts'

const standard = toDefaults(symbolsQuery)
const read = (text: string) => readLeniently(symbolsQuery, new URLSearchParams(text))

describe('the address of symbols', () => {
  test('every query reads back from its own address', () => {
    const query = fc.record({
      q: fc.constantFrom('', 'A', 'brk.b', '^GSPC'),
      sort: fc.record({
        column: fc.constantFrom(...SYMBOL_SORTS),
        direction: fc.constantFrom<'asc' | 'desc'>('asc', 'desc'),
      }),
      asof: fc.option(fc.integer({ min: 0, max: 4_102_444_800 })),
      page: fc.integer({ min: 1, max: 9999 }),
      per_page: fc.integer({ min: 1, max: 500 }),
    })
    fc.assert(
      fc.property(query, (asked) => {
        const { query: back, ignored } = read(toParams(symbolsQuery, asked).toString())
        expect(back).toEqual(asked)
        expect(ignored).toEqual([])
      }),
    )
  })

  test('defaults are not written', () => {
    expect(toParams(symbolsQuery, standard).toString()).toBe('')
  })

  test('what cannot be read is ignored and named, the rest holds', () => {
    const { query, ignored } = read('q=AA&page=zero&colour=red')
    expect(query).toEqual({ ...standard, q: 'AA' })
    expect(ignored.map((issue) => issue.parameter).sort()).toEqual(['colour', 'page'])
  })

  test('whatever stands in an address, reading it ends', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string(), fc.string()), { maxLength: 6 }), (pairs) => {
        expect(readLeniently(symbolsQuery, new URLSearchParams(pairs)).query.page).toBeGreaterThan(
          0,
        )
      }),
    )
  })

  test('a range that is empty loses its end, not its beginning', () => {
    const params = new URLSearchParams('from=2024-01-01&to=2023-01-01&bucket=week')
    const { query, ignored } = readLeniently(seriesQuery, params)
    expect(query).toEqual({ bucket: 'week', from: 1_704_067_200, to: null, asof: null })
    expect(ignored).toHaveLength(1)
  })
})

describe('the rows that are selected', () => {
  const split = (text: string) => splitSelected(new URLSearchParams(text), 3)

  test('stand in the address, in the order of choosing, and are read back from it', () => {
    const names = ['TSLA', 'A,B', 'AAPL']
    const params = withSelected(new URLSearchParams('sort=symbol'), names)
    expect(split(params.toString())).toMatchObject({ selected: names, ignored: [] })
    expect(split(params.toString()).rest.toString()).toBe('sort=symbol')
    expect(withSelected(new URLSearchParams('q=a'), []).toString()).toBe('q=a')
  })

  test('are those that can be, and the rest is named', () => {
    const parameters = (text: string) => split(text).ignored.map(({ message }) => message)
    expect(split('selected=A,B,C,D').selected).toEqual(['A', 'B', 'C'])
    expect(parameters('selected=A,B,C,D')).toEqual([
      'takes at most 3 values; the first 3 are selected',
    ])
    expect(parameters('selected=A,-B')).toEqual(['cannot exclude values'])
    expect(parameters('selected="')).toEqual(['has a quote that is never closed'])
    expect(split('selected="&q=a').rest.toString()).toBe('q=a')
    const params = new URLSearchParams('selected=A')
    expect(splitSelected(params, 0)).toEqual({ selected: [], rest: params, ignored: [] })
  })

  test('keep the order of choosing, which a table does not know', () => {
    expect(toSelected({ '700': true, B: true, A: true, C: false }, ['B', 'A'])).toEqual([
      'B',
      'A',
      '700',
    ])
    expect(toSelected({ A: true }, ['B', 'A'])).toEqual(['A'])
  })
})
