import { expect, test } from 'vitest'
import { EVERY_VIEW } from '#lib/contract/ratings-view.ts'
import { withOwnColumns } from './rating-views.tsx'
import { DEFAULT_SETTINGS, shownColumns } from './table/columns.ts'

const [first = 'id', second = 'symbol'] = shownColumns(DEFAULT_SETTINGS)
const settings = { ...DEFAULT_SETTINGS, order: [second, first], hidden: [] }

test('columns that the reader chose beside the address are saved with a view', () => {
  expect(withOwnColumns(EVERY_VIEW, settings).columns).toEqual(shownColumns(settings))
  expect(withOwnColumns(EVERY_VIEW, DEFAULT_SETTINGS).columns).toEqual([])
  expect(withOwnColumns({ ...EVERY_VIEW, columns: ['user'] }, settings).columns).toEqual(['user'])
})
