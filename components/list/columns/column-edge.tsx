'use client'

import type { KeyboardEvent, SyntheticEvent } from 'react'
import { useLazyEvents } from '#components/ui/use-lazy-events.ts'
import { WIDTH_MAX_PX, WIDTH_MIN_PX } from './column-settings.ts'
import type { ColumnTable, TableColumn } from './column-table.ts'

export const labelOf = ({ columnDef, id }: Pick<TableColumn, 'id' | 'columnDef'>): string =>
  typeof columnDef.header === 'string' ? columnDef.header : id

export function ColumnEdge({ column }: { column: TableColumn }) {
  const px = column.getSize()
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
      data-edge
    />
  )
}

const load = () => import('./resize-columns.ts')

export function useHeaderEvents(table: ColumnTable) {
  const act = useLazyEvents({ load, isTaken, context: table })
  return { onPointerDown: act, onPointerOver: act, onKeyDown: act, onDoubleClick: act }
}

const KEYS = /^(Arrow(Left|Right)|Home|End|Enter)$/

function isTaken(event: SyntheticEvent): boolean {
  const { type, target } = event
  if (type !== 'keydown' || !(target instanceof Element) || !target.matches('[data-edge]'))
    return false
  return KEYS.test((event as KeyboardEvent).key)
}
