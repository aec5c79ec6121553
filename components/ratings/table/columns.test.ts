import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  COLUMN_IDS,
  type ColumnId,
  DEFAULT_SETTINGS,
  ownWidth,
  parseSettings,
  shownColumns,
  toLayout,
  toSettingsText,
  toWidths,
  WIDTH_MAX_PX,
  WIDTH_MIN_PX,
  withColumnAt,
} from './columns.ts'
import { toDropped } from './header-drag.ts'

it('what is kept comes back as it was', () => {
  const settings = {
    order: [...COLUMN_IDS].reverse(),
    hidden: ['id', 'symbol'] as const,
    sizes: { symbol: 120, rating: 300 },
    density: 'compact' as const,
  }
  expect(parseSettings(toSettingsText(settings))).toEqual(settings)
})

it('a newcomer’s settings take no room', () => {
  expect(toSettingsText(DEFAULT_SETTINGS)).toBe('')
  expect(parseSettings('')).toEqual(DEFAULT_SETTINGS)
})

it('whatever is kept, the table can be drawn: every column once, one at least shown, widths within bounds', () => {
  const settingsLike = fc.record(
    {
      order: fc.option(
        fc.array(fc.oneof(fc.constantFrom(...COLUMN_IDS, '__proto__', 'toString'), fc.anything())),
      ),
      hidden: fc.array(fc.oneof(fc.constantFrom(...COLUMN_IDS), fc.anything())),
      sizes: fc.oneof(
        fc.dictionary(fc.constantFrom(...COLUMN_IDS, 'nope'), fc.double()),
        fc.anything(),
      ),
      density: fc.anything(),
    },
    { requiredKeys: [] },
  )
  const texts = fc.oneof(
    fc.string(),
    fc.json(),
    settingsLike.map((value) => JSON.stringify(value) ?? ''),
  )
  fc.assert(
    fc.property(texts, (text) => {
      const { order, hidden, sizes, density } = parseSettings(text)
      expect([...order].sort()).toEqual([...COLUMN_IDS].sort())
      expect(hidden.length).toBeLessThan(order.length)
      for (const px of Object.values(sizes)) {
        expect(px >= WIDTH_MIN_PX && px <= WIDTH_MAX_PX && Number.isInteger(px)).toBe(true)
      }
      expect(['comfortable', 'compact']).toContain(density)
    }),
  )
})

it('what a later release keeps is taken as far as it is understood', () => {
  const text = JSON.stringify({
    version: 9,
    order: ['score', 'id', 'symbol'],
    density: 'cosy',
    sizes: { id: '9' },
  })
  const settings = parseSettings(text)
  expect(settings.order.slice(0, 2)).toEqual(['id', 'symbol'])
  expect(settings.density).toBe('comfortable')
  expect(settings.sizes).toEqual({})
})

it('a column that is new to a reader stands at the end and is shown', () => {
  const known = COLUMN_IDS.filter((id) => id !== 'action')
  const { order, hidden } = parseSettings(JSON.stringify({ version: 1, order: known }))
  expect(order).toEqual([...known, 'action'])
  expect(hidden).toEqual([])
})

const all = { order: COLUMN_IDS, hidden: [] }

it('an address that names columns shows them in its order, whatever the reader keeps', () => {
  const layout = toLayout({ order: COLUMN_IDS, hidden: ['symbol'] }, ['id', 'symbol', 'nope', 'id'])
  expect(shownColumns(layout)).toEqual(['id', 'symbol'])
  expect([...layout.order].sort()).toEqual([...COLUMN_IDS].sort())
})

it('an address that names no column that there is changes nothing', () => {
  expect(toLayout(all, ['nope'])).toBe(all)
  expect(toLayout(all, [])).toBe(all)
})

it('a column moves to a place and stops at the ends', () => {
  expect(withColumnAt(COLUMN_IDS, 'user_id', 0).slice(0, 2)).toEqual(['user_id', 'symbol'])
  expect(withColumnAt(COLUMN_IDS, 'symbol', -1)).toEqual(COLUMN_IDS)
  expect(withColumnAt(COLUMN_IDS, 'symbol', 99).at(-1)).toBe('symbol')
})

it('a column is dropped before or after another, and nothing is lost', () => {
  const before = toDropped(COLUMN_IDS, 'id', { at: 'symbol', isAfter: false })
  expect(before.slice(0, 2)).toEqual(['id', 'symbol'])
  const after = toDropped(COLUMN_IDS, 'symbol', { at: 'user_id', isAfter: true })
  expect(after.slice(0, 2)).toEqual(['user_id', 'symbol'])
  expect([...after].sort()).toEqual([...COLUMN_IDS].sort())
  expect(toDropped(COLUMN_IDS, 'id', { at: 'id', isAfter: true })).toEqual(COLUMN_IDS)
})

const ROOM_PX = 1028

const sized = (ids: readonly ColumnId[]) =>
  ids.map((id, place) => ({ id, getSize: () => ownWidth(id, place === 0) }))

it('every column fits beside the filters from 1280 px on', () => {
  expect(toWidths(sized(COLUMN_IDS), {}).leastPx).toBeLessThanOrEqual(ROOM_PX)
})

it('as a newcomer finds them they share what is left, so each has a width', () => {
  expect(toWidths(sized(['symbol', 'rating']), {}).widths).toEqual([76, 202])
})

it('once one is drawn the last takes what is left, and the table never less than all of them', () => {
  const { widths, leastPx } = toWidths(sized(['symbol', 'rating', 'id']), { symbol: 100 })
  expect(widths).toEqual([100, 202, null])
  expect(leastPx).toBe(100 + 202 + 67)
})

it('a width of a column that is not shown changes nothing', () => {
  const shown = sized(['symbol', 'rating'])
  expect(toWidths(shown, { id: 300 })).toEqual(toWidths(shown, {}))
})
