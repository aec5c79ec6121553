import { expect, test } from 'vitest'
import type { MapCell } from '#lib/contract/answers/symbols.ts'
import {
  toBelowHeading,
  toCellReading,
  toCellValue,
  toGroups,
  toLegend,
  toNeighbor,
  toStep,
} from './map-cells.ts'

const cell = (change: Partial<MapCell> = {}): MapCell => ({
  symbol: 'AAPL',
  name: null,
  sector: null,
  active: 10,
  consensus: '3.8208',
  change: '0.1204',
  ...change,
})

test.each([
  ['1.4999', null, 1, null],
  ['1.5000', '-0.2500', 2, 1],
  ['3.4999', '-0.0500', 3, 2],
  ['3.5000', '0.0499', 4, 4],
  ['3.5000', '-0.0449', 4, 3],
  ['4.5000', '0.0500', 5, 4],
  ['7.0000', '0.2500', 5, 5],
] as const)(
  'a consensus of %s and a change of %s, as displayed, are steps %s and %s',
  (consensus, change, c, d) => {
    expect(toStep(cell({ consensus, change }), 'consensus')).toBe(c)
    expect(toStep(cell({ consensus, change }), 'change')).toBe(d)
  },
)

test('a cell says symbol, name, consensus with its label, change and n', () => {
  expect(toCellReading(cell({ name: 'Amber Acorn Software' }), '30')).toBe(
    'AAPL, Amber Acorn Software: consensus 3.82, Moderate Buy, +0.12 in 30 days, 10 active ratings',
  )
  expect(toCellReading(cell({ change: null, active: 1 }), '7')).toBe(
    'AAPL: consensus 3.82, Moderate Buy, 1 active rating',
  )
  expect(toCellValue(cell({ change: null }), 'change')).toBe('–')
  expect(toLegend('change', [cell()])).toHaveLength(5)
  expect(toLegend('change', [cell({ change: null })]).at(-1)?.text).toBe('too few ratings')
})

test('groups are by sector, the largest first and those without one last; none without sectors', () => {
  expect(toGroups([cell(), cell()])).toBeNull()
  const cells = [
    cell({ active: 90 }),
    cell({ sector: 'Energy' }),
    cell({ sector: 'Media', active: 11 }),
  ]
  expect(toGroups(cells)?.map(({ sector }) => sector)).toEqual(['Media', 'Energy', null])
})

test('a heading takes its height from the group, and cells stay within', () => {
  const group = { x: 0, y: 100, width: 50, height: 100 }
  expect(toBelowHeading({ ...group, y: 150, height: 50 }, group, 20)).toEqual({
    x: 0,
    y: 160,
    width: 50,
    height: 40,
  })
})

test('an arrow key leads to the nearest cell on its side, and nowhere at the edge', () => {
  const at = (x: number, y: number) => ({ x, y, width: 10, height: 10 })
  const rects = [at(0, 0), at(10, 0), at(0, 10), at(10, 10)]
  expect(toNeighbor(rects, 0, 'ArrowRight')).toBe(1)
  expect(toNeighbor(rects, 0, 'ArrowDown')).toBe(2)
  expect(toNeighbor(rects, 3, 'ArrowUp')).toBe(1)
  expect(toNeighbor(rects, 3, 'ArrowLeft')).toBe(2)
  expect(toNeighbor(rects, 3, 'ArrowDown')).toBeNull()
  expect(toNeighbor(rects, 3, 'Enter')).toBeNull()
})
