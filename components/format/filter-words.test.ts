import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LISTS } from '#lib/contract/lists/lists.ts'
import { readLeniently, toParams } from '#lib/contract/query-schema.ts'
import { RATINGS_PAGE } from '#lib/contract/ratings-view.ts'
import { splitList } from '#lib/contract/value-list.ts'
import { valuesOf } from '#testing/contract/query-values.ts'
import type { AnySchema } from '#testing/contract/schemas.ts'
import {
  createFilterReader,
  type Filter,
  selectChips,
  selectFilters,
  toFilterPhrase,
  withoutFilters,
} from './filter-words.ts'

type Filtered = Parameters<typeof selectFilters>[0] & { query: AnySchema }

const FILTERED: Readonly<Record<string, Filtered>> = {
  ratings: RATINGS_PAGE,
  ...Object.fromEntries(LISTS.map((list) => [list.path, list])),
}

/** Removes the filter from the address as text. */
function toExpected({ filters }: Filtered, params: URLSearchParams, { key, isNot }: Filter) {
  const expected = new URLSearchParams(params)
  expected.delete('page')
  const combined = filters.find((filter) => filter.by === 'combined' && filter.word === key)
  if (combined?.by === 'combined') {
    for (const name of combined.names) expected.delete(name)
    return expected
  }
  const [name = ''] = key.split(' ')
  const items = splitList(expected.get(name) ?? '') ?? []
  const rest = items.filter((item) => item.isNot !== isNot)
  expected.delete(name)
  const toText = (item: (typeof rest)[number]) =>
    `${item.isNot ? '-' : ''}"${item.text.replaceAll('"', '""')}"`
  if (rest.length > 0) expected.set(name, rest.map(toText).join(','))
  return expected
}

describe.each(Object.entries(FILTERED))('the filters of %s', (_, list) => {
  const read = (params: URLSearchParams) => readLeniently(list.query, params).query
  const write = (query: object) => toParams(list.query, query).toString()

  test('each lead, taken away, to the address without it', () => {
    fc.assert(
      fc.property(valuesOf(list.query), (values) => {
        const chips = selectChips(list, values)
        for (const chip of chips) {
          const expected = read(toExpected(list, toParams(list.query, values), chip))
          expect(write(chip.drop(values))).toBe(write(expected))
        }
        const keys = chips.map(({ key }) => key)
        expect(new Set(keys).size).toBe(keys.length)
      }),
    )
  })

  test('have a chip for every parameter that is not about order, page or what is shown', () => {
    fc.assert(
      fc.property(valuesOf(list.query), (values) => {
        const context = list.filters.flatMap((filter) =>
          filter.by === 'combined' && filter.isContext ? filter.names : [],
        )
        const kept = ['sort', 'per_page', 'horizon', 'open', 'columns', 'asof', ...context]
        const left = [...toParams(list.query, withoutFilters(list, values)).keys()]
        expect(left.filter((name) => !kept.includes(name))).toEqual([])
      }),
    )
  })
})

const phrase = (name: string, address: string, zone?: string) => {
  const list = FILTERED[name]
  if (!list) throw new Error(`no list ${name}`)
  const { query } = readLeniently(list.query, new URLSearchParams(address))
  return toFilterPhrase(selectFilters(list, query, createFilterReader(zone)))
}

test.each([
  ['lookups', 'symbol=AAPL,MSFT&source=-slack&room=17', 'AAPL or MSFT, not source slack, room 17'],
  ['lookups', 'from=2025-01-01&asof=2026-03-01', 'looked up since 2025-01-01, as of 2026-03-01'],
  ['calls', 'user=5&to=2025-01-01&horizon=90', 'user #5, posted until 2024-12-31'],
  [
    'quarantine',
    'reason=id: missing&from=2025-01-01&to=2025-01-02',
    'received on 2025-01-01, reason id: missing',
  ],
  [
    'audit',
    'who=,ada&outcome=refused&address=192.0.2.1',
    'account No account or ada, refused, address 192.0.2.1',
  ],
])('the filters of %s read as words: %s', (name, address, words) => {
  expect(phrase(name, address)).toBe(words)
})

test('a span is told in the zone of the reader', () => {
  expect(phrase('lookups', 'from=2020-12-31T15:00:00Z', 'Asia/Tokyo')).toBe(
    'looked up since 2021-01-01',
  )
})
