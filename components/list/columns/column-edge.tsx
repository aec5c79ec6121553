'use client'

import type { KeyboardEvent, MouseEvent, TouchEvent } from 'react'
import { flushSync } from 'react-dom'
import { WIDTH_MAX_PX, WIDTH_MIN_PX } from './column-settings.ts'
import type { ColumnTable, TableColumn } from './column-table.ts'

export const labelOf = ({ columnDef, id }: Pick<TableColumn, 'id' | 'columnDef'>): string =>
  typeof columnDef.header === 'string' ? columnDef.header : id

const STEP_PX = 8
const BIG_STEP_PX = 40

export function ColumnEdge({ column, table }: { column: TableColumn; table: ColumnTable }) {
  const px = column.getSize()
  const drag = (event: MouseEvent | TouchEvent) => {
    if ('button' in event && event.button !== 0) return
    // The resize handler starts from the widths in state.
    flushSync(() => table.setColumnSizing(toSizesOnScreen(event.currentTarget, table)))
    const header = table.getFlatHeaders().find((each) => each.column.id === column.id)
    header?.getResizeHandler()(event)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const sizes = toSizesOnScreen(event.currentTarget, table)
    const nowPx = sizes[column.id] ?? px
    const stepPx = event.shiftKey ? BIG_STEP_PX : STEP_PX
    const widths: Readonly<Record<string, number>> = {
      ArrowLeft: nowPx - stepPx,
      ArrowRight: nowPx + stepPx,
      Home: WIDTH_MIN_PX,
      End: WIDTH_MAX_PX,
    }
    const next = widths[event.key]
    if (next !== undefined) table.setColumnSizing({ ...sizes, [column.id]: next })
    else if (event.key === 'Enter') column.resetSize()
    else return
    event.preventDefault()
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule has no value of its own, this one is a slider
    <span
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={`Width of ${labelOf(column)}`}
      aria-valuenow={px}
      aria-valuemin={WIDTH_MIN_PX}
      aria-valuemax={WIDTH_MAX_PX}
      aria-valuetext={`${px} pixels`}
      className="column-edge"
      onMouseDown={drag}
      onTouchStart={drag}
      onKeyDown={onKeyDown}
      onDoubleClick={() => column.resetSize()}
    />
  )
}

/** Columns keep the widths that they have, so that edges stay; the last one fills the rest. */
function toSizesOnScreen(edge: Element, table: ColumnTable): Record<string, number> {
  const sizes = { ...table.atoms.columnSizing.get() }
  for (const cell of edge.closest('tr')?.cells ?? []) {
    const { column } = cell.dataset
    // A column that has left a narrow window has no width.
    if (column !== undefined && cell.offsetWidth > 0) {
      sizes[column] = cell.getBoundingClientRect().width
    }
  }
  const last = table.getVisibleLeafColumns().at(-1)
  if (last) sizes[last.id] = Math.min(sizes[last.id] ?? WIDTH_MAX_PX, last.getSize())
  return sizes
}
