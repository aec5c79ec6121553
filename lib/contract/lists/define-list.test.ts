import { describe, expect, test } from 'vitest'
import { readLeniently, toParams } from '#lib/contract/query-schema.ts'
import { callList } from './calls.ts'
import { readBound, readChosen, selectFieldNames, selectValueFilters } from './define-list.ts'
import { lookupList } from './lookups.ts'

const read = (text: string) => readLeniently(lookupList.query, new URLSearchParams(text))

describe('a list', () => {
  test('takes the filters of its fields as parameters, and is sorted only by fields that can be', () => {
    expect(Object.keys(lookupList.query.parameters)).toEqual([
      'symbol',
      'source',
      'room',
      'from',
      'to',
      'asof',
      'sort',
      'page',
      'per_page',
    ])
    expect(lookupList.query.parameters.sort.kind.values).toEqual(selectFieldNames(lookupList))
  })

  test('shows only fields that it has, and names each filter once', () => {
    for (const list of [lookupList, callList]) {
      const names = selectValueFilters(list).map(({ name }) => name)
      expect(new Set(names).size).toBe(names.length)
      expect(list.table.filter((field) => !(field in list.fields))).toEqual([])
    }
  })

  test('refuses an empty span, and reads the values and bounds of a query by name', () => {
    const { query, ignored } = read('room=17,-4&from=2024-01-01&to=2023-01-01')
    expect(ignored.map(({ parameter }) => parameter)).toEqual(['to'])
    expect(readChosen(query, 'room')).toEqual({ only: ['17'], not: ['4'] })
    expect(readChosen(query, 'nothing')).toEqual({ only: [], not: [] })
    expect([readBound(query, 'from'), readBound(query, 'to')]).toEqual([1_704_067_200, null])
    expect(toParams(lookupList.query, query).toString()).toBe('room=17%2C-4&from=2024-01-01')
  })
})
