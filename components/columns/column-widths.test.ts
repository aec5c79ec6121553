import { expect, it } from 'vitest'
import { COLUMN_IDS } from './column-facts.ts'
import { toWidths } from './column-widths.ts'

/** 1280 px less the filters, the margins and a scroll bar. */
const ROOM_PX = 1027

it('every column fits beside the filters from 1280 px on', () => {
  expect(toWidths(COLUMN_IDS, {}).leastPx).toBeLessThanOrEqual(ROOM_PX)
})

it('as a newcomer finds them they share what is left, so each has a width', () => {
  expect(toWidths(['symbol', 'rating'], {}).widths).toEqual([76, 202])
})

it('once one is drawn the last takes what is left, and the table never less than all of them', () => {
  const { widths, leastPx } = toWidths(['symbol', 'rating', 'id'], { symbol: 100 })
  expect(widths).toEqual([100, 202, null])
  expect(leastPx).toBe(100 + 202 + 72)
})

it('a width of a column that is not shown changes nothing', () => {
  expect(toWidths(['symbol', 'rating'], { id: 300 })).toEqual(toWidths(['symbol', 'rating'], {}))
})
