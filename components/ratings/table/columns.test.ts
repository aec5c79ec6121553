import { expect, it } from 'vitest'
import { toWidths } from '#components/list/columns/column-settings.ts'
import { COLUMN_IDS, ownWidth, shownColumns, toLayout } from './columns.ts'

const ROOM_PX = 1028

it('every column fits beside the filters from 1280 px on', () => {
  const columns = COLUMN_IDS.map((id, place) => ({ id, getSize: () => ownWidth(id, place === 0) }))
  expect(toWidths(columns, {}).leastPx).toBeLessThanOrEqual(ROOM_PX)
})

const all = { order: COLUMN_IDS, hidden: [] }

it('an address that names columns shows them in its order, whatever the settings', () => {
  const layout = toLayout({ order: COLUMN_IDS, hidden: ['symbol'] }, ['id', 'symbol', 'nope', 'id'])
  expect(shownColumns(layout)).toEqual(['id', 'symbol'])
  expect(layout.order.toSorted()).toEqual(COLUMN_IDS.toSorted())
})

it('an address that names no known column changes nothing', () => {
  expect(toLayout(all, ['nope'])).toBe(all)
  expect(toLayout(all, [])).toBe(all)
})
