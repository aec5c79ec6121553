import { type RowSelectionState, useTable } from '@tanstack/react-table'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { parseSettings, toWidths } from '#components/list/columns/column-settings.ts'
import { toTableState } from '#components/list/columns/use-columns.ts'
import { aRow } from '#testing/components/rating-row.ts'
import { columnsWith, features, toColumnSizes } from './column-cells.tsx'
import { COLUMN_IDS, RATINGS_TABLE } from './columns.ts'
import { toSelectedRows } from './use-ratings-table.ts'

function VisibleColumns({ text }: { text: string }) {
  const settings = parseSettings(text, RATINGS_TABLE)
  const state = toTableState(settings)
  const columns = columnsWith(toColumnSizes(settings.order, []))
  const shown = useTable({ features, columns, data: [], state }).getVisibleLeafColumns()
  const ids = shown.map(({ id }) => id)
  return JSON.stringify({ ids, ...toWidths(shown, state.columnSizing) })
}

const shownFor = (text: string) =>
  JSON.parse(
    renderToStaticMarkup(createElement(VisibleColumns, { text })).replaceAll('&quot;', '"'),
  )

it('the settings that a browser kept are what the table shows', () => {
  expect(shownFor('').ids).toEqual(COLUMN_IDS.filter((id) => id !== 'id'))
  expect(shownFor('{"hidden":[]}').ids).toEqual(COLUMN_IDS)
  const first = ['prediction', 'symbol', 'rating'] as const
  const text = JSON.stringify({
    version: 1,
    order: [...first, ...COLUMN_IDS.filter((id) => !first.some((other) => other === id))],
    hidden: COLUMN_IDS.filter((id) => !first.some((other) => other === id)),
    sizes: { symbol: 120, id: 300 },
    density: 'compact',
  })
  expect(shownFor(text)).toEqual({ ids: first, widths: [144, 120, null], leastPx: 457 })
})

const rows = [3, 1, 4, 2].map((id) => aRow({ id }))
const chosen = (ids: readonly number[]): RowSelectionState =>
  Object.fromEntries(ids.map((id) => [id, true as const]))

it('a row is chosen and given up again; the order of choosing is kept', () => {
  const two = toSelectedRows(chosen([1, 3]), new Map(), rows)
  expect([...two.keys()]).toEqual([3, 1])
  const three = toSelectedRows(chosen([1, 2, 3]), two, rows)
  expect([...three.keys()]).toEqual([3, 1, 2])
  expect([...toSelectedRows(chosen([2, 3]), three, rows).keys()]).toEqual([3, 2])
})

it('what is selected on another page stays so', () => {
  const two = toSelectedRows(chosen([1, 3]), new Map(), rows)
  const both = toSelectedRows(chosen([1, 3, 9]), two, [aRow({ id: 9 })])
  expect([...both.keys()]).toEqual([3, 1, 9])
})
