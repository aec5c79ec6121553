'use client'

import type { Row } from '@tanstack/react-table'
import { memo, type RefObject, useSyncExternalStore } from 'react'
import { classNames } from '#components/ui/class-names.ts'
import type { RatingRow } from '#lib/contract/answers/ratings.ts'
import {
  cellAttributes,
  drawCell,
  type features,
  isLabeled,
  type TableMeta,
} from './column-cells.tsx'
import type { ColumnId } from './columns.ts'
import { MARK, type RowSession } from './table-session.ts'

type RatingsRowProps = {
  row: Row<typeof features, RatingRow>
  /** `index` counts from 0 on the page, `number` from 1 in the query. */
  index: number
  number: number
  session: RowSession
  shown: readonly ColumnId[]
  meta: TableMeta
}

export const RatingsRow = memo(function RatingsRow(props: RatingsRowProps) {
  const { row, index, number, session, shown, meta } = props
  const { id, state } = row.original
  const marksNow = () => session.marksOf(row, index === 0)
  const marks = useSyncExternalStore(session.subscribe, marksNow, marksNow)
  const isSelected = (marks & MARK.selected) !== 0
  const hasLabel = shown.some((column) => isLabeled(column, row.original, meta))
  return (
    <tr
      data-rating={id}
      id={index === 0 ? 'rows' : undefined}
      data-selected={isSelected || undefined}
      aria-rowindex={number + 1}
      aria-current={(marks & MARK.open) !== 0 || undefined}
      tabIndex={(marks & MARK.tabStop) === 0 ? -1 : 0}
      className={classNames(
        'rating-row',
        hasLabel && 'rating-row-labeled',
        state === 'expired' && 'text-ink-2',
      )}
    >
      {shown.map((column, place) => (
        <td key={column} {...cellAttributes(column, row.original, meta)}>
          {place === 0 && (
            <input
              type="checkbox"
              className="row-check"
              aria-label={`Select rating ${id}`}
              tabIndex={-1}
              checked={isSelected}
              readOnly
              // The browser would restore an old state on returning to the page.
              autoComplete="off"
            />
          )}
          {drawCell(column, row.original, meta)}
        </td>
      ))}
    </tr>
  )
})

export type RowsProps = {
  rows: readonly Row<typeof features, RatingRow>[]
  before: number
  shown: readonly ColumnId[]
  meta: TableMeta
  session: RowSession
  frame: RefObject<HTMLElement | null>
  isCompact: boolean
}
