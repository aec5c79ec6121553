import { expect, it } from 'vitest'
import { toWidths } from '#components/list/columns/column-settings.ts'
import { aRow } from '#testing/components/rating-row.ts'
import { toColumnSizes } from './column-cells.tsx'
import { COLUMN_IDS, RATING_LEAST_PX, shownColumns, toLayout, usualSizes } from './columns.ts'

const ROOM_PX = 1028

const leastPxFor = (rows: Parameters<typeof toColumnSizes>[1]) => {
  const sizes = toColumnSizes(COLUMN_IDS, rows)
  return toWidths(
    COLUMN_IDS.map((id) => ({ id, getSize: () => sizes[id] })),
    {},
  ).leastPx
}

it('every column fits beside the filters from 1280 px on', () => {
  expect(leastPxFor([])).toBeLessThanOrEqual(ROOM_PX)
  const usual = aRow({ symbol: 'GOOGL', user_id: 900_123, id: 1_234_567 })
  expect(leastPxFor([usual])).toBeLessThanOrEqual(ROOM_PX)
})

it('widens a column for its longest number or ticker and narrows the rating first', () => {
  const usual = usualSizes('symbol')
  const sizes = toColumnSizes(COLUMN_IDS, [aRow(), aRow({ user_id: 900_123 })])
  // Six digits of at most 8.8 px, and 12 px beside them.
  expect(sizes.user_id).toBe(65)
  expect(sizes.rating).toBe(usual.rating - 13)
  const huge = toColumnSizes(COLUMN_IDS, [
    aRow({ user_id: 2 ** 53 - 1, symbol: 'W'.repeat(64), prediction: '999999999999.50' }),
  ])
  expect([huge.user_id, huge.symbol]).toEqual([153, 914])
  expect(huge.prediction).toBeGreaterThan(usual.prediction)
  expect(huge.rating).toBe(RATING_LEAST_PX)
})

it('a hidden column takes no room', () => {
  const row = aRow({ user_id: 2 ** 53 - 1 })
  expect(toColumnSizes(['symbol', 'rating'], [row])).toEqual(usualSizes('symbol'))
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
