import { expect, it } from 'vitest'
import { COLUMN_IDS } from './column-facts.ts'
import { shownColumns, toLayout, withDropped, withMoved, withToggled } from './column-layout.ts'

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

it('the last column that is shown cannot be hidden', () => {
  const layout = toLayout(all, ['symbol'])
  expect(shownColumns(withToggled(layout, 'symbol'))).toEqual(['symbol'])
  expect(shownColumns(withToggled(layout, 'id'))).toEqual(['symbol', 'id'])
})

it('a column moves by steps and stops at the ends', () => {
  expect(withMoved(all, 'user_id', -1).order.slice(0, 2)).toEqual(['user_id', 'symbol'])
  expect(withMoved(all, 'symbol', -1).order).toEqual(COLUMN_IDS)
  expect(withMoved(all, 'symbol', 99).order.at(-1)).toBe('symbol')
})

it('a column is dropped before or after another, and nothing is lost', () => {
  const before = withDropped(all, 'id', { at: 'symbol', isAfter: false })
  expect(before.order.slice(0, 2)).toEqual(['id', 'symbol'])
  const after = withDropped(all, 'symbol', { at: 'user_id', isAfter: true })
  expect(after.order.slice(0, 2)).toEqual(['user_id', 'symbol'])
  expect([...after.order].sort()).toEqual([...COLUMN_IDS].sort())
  expect(withDropped(all, 'id', { at: 'id', isAfter: true })).toBe(all)
})
