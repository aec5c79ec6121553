import { expect, test } from 'vitest'
import { selectNearSymbols } from './near-symbols.ts'

const rows = (...symbols: string[]) => symbols.map((symbol) => ({ symbol, ratings: 1 }))
const names = (list: readonly { symbol: string }[]) => list.map(({ symbol }) => symbol)

test('behind slips stand symbols that go on where the asked one ends, then those that begin alike, each once', () => {
  const near = selectNearSymbols('abc', {
    close: rows('ABX'),
    longer: rows('abcdef', 'XABC'),
    begun: rows('ABX', 'ABCDEF', 'ABZZ', 'CAB'),
  })
  expect([names(near.close), names(near.alike)]).toEqual([['ABX'], ['abcdef', 'ABCDEF', 'ABZZ']])
})

test('no more are offered than a reader looks at, slips before the rest', () => {
  const many = Array.from({ length: 9 }, (_, index) => `AB${index}`)
  const near = selectNearSymbols('AB', { close: rows('A', 'B'), longer: rows(...many), begun: [] })
  expect(near.close.length + near.alike.length).toBe(8)
  expect(selectNearSymbols('AB', { close: rows(...many), longer: rows('ABX'), begun: [] })).toEqual(
    {
      close: rows(...many.slice(0, 8)),
      alike: [],
    },
  )
})
