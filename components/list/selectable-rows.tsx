'use client'

import {
  functionalUpdate,
  type RowData,
  type RowSelectionState,
  rowSelectionFeature,
  tableFeatures,
  type Updater,
} from '@tanstack/react-table'
import { toVisibleText } from '#lib/contract/visible-text.ts'
import {
  type ListRow,
  listFeatures,
  type SelectableRows,
  type Selection,
} from './use-list-table.ts'

export const selectableRows: SelectableRows = {
  features: tableFeatures({ ...listFeatures, rowSelectionFeature }),
  toOptions,
  RowCheck,
}

function toOptions<R extends RowData>({ selected, most, select }: Selection) {
  const rowSelection: RowSelectionState = Object.fromEntries(
    selected.map((name) => [name, true as const]),
  )
  return {
    state: { rowSelection },
    // Selected rows can always be deselected.
    enableRowSelection: ({ id }: ListRow<R>) => selected.length < most || selected.includes(id),
    onRowSelectionChange: (updater: Updater<RowSelectionState>) =>
      select(toSelected(functionalUpdate(updater, rowSelection), selected)),
  }
}

/** Earlier selections first. */
export function toSelected(
  now: Readonly<Record<string, boolean>>,
  before: readonly string[],
): string[] {
  const names = Object.keys(now).filter((name) => now[name])
  return [
    ...before.filter((name) => names.includes(name)),
    ...names.filter((name) => !before.includes(name)),
  ]
}

function RowCheck<R extends RowData>({ row }: { row: ListRow<R> }) {
  const canSelect = row.getCanSelect()
  return (
    <input
      type="checkbox"
      className="row-check"
      aria-label={`Select ${toVisibleText(row.id)}`}
      checked={row.getIsSelected()}
      disabled={!canSelect}
      onChange={row.getToggleSelectedHandler()}
      title={canSelect ? undefined : 'No more can be selected'}
      // Browsers restore checkboxes when navigating back.
      autoComplete="off"
    />
  )
}
