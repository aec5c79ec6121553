import { expect, test } from 'vitest'
import { toDefaults } from '#components/list/columns/column-settings.ts'
import { EVERY_VIEW } from '#lib/contract/ratings-view.ts'
import { withOwnColumns } from './rating-views.tsx'
import { RATINGS_TABLE, shownColumns } from './table/columns.ts'

const usual = toDefaults(RATINGS_TABLE)
const [first = 'id', second = 'symbol'] = usual.order
const settings = { ...usual, order: [second, first], hidden: [] }

test('columns that the reader chose beside the address are saved with a view', () => {
  expect(withOwnColumns(EVERY_VIEW, settings).columns).toEqual(shownColumns(settings))
  expect(withOwnColumns(EVERY_VIEW, usual).columns).toEqual([])
  expect(withOwnColumns({ ...EVERY_VIEW, columns: ['user'] }, settings).columns).toEqual(['user'])
})
