import { expect, test } from 'vitest'
import { EVERY_RATING } from './ratings-query.ts'
import { withFilter, withPage, withSort } from './ratings-view.ts'
import { only } from './value-list.ts'

const THIRD_PAGE = withPage(EVERY_RATING, 3)

test('a change of a filter or of the order begins at the first page', () => {
  expect(withFilter(THIRD_PAGE, { rating: only(5) }).page).toBe(1)
  expect(withSort(THIRD_PAGE, { column: 'id', direction: 'asc' }).page).toBe(1)
})

test('a change of the page leaves everything else', () => {
  expect(THIRD_PAGE).toEqual({ ...EVERY_RATING, page: 3 })
})
