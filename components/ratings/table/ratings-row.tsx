'use client'

import type { Row } from '@tanstack/react-table'
import { memo, type RefObject, useSyncExternalStore } from 'react'
import { classNames } from '#components/ui/class-names.ts'
import type { RatingRow } from '#lib/contract/answers/ratings.ts'
import { cellAttributes, drawCell, type features, type TableMeta } from './column-cells.tsx'
import type { ColumnId } from './columns.ts'
import { MARK, type RowSession } from './table-session.ts'

type RatingsRowProps = {
  row: Row<typeof features, RatingRow>
  /** Its place on the page, from 0, and among all rows of the query, from 1. */
  index: number
  number: number
  session: RowSession
  /** The columns that are shown, and what their values are written with. */
  shown: readonly ColumnId[]
  meta: TableMeta
}

/** A row. The keyboard's place, the selection and what is open are drawn in the rows that they concern, and no other. */
export const RatingsRow = memo(function RatingsRow(props: RatingsRowProps) {
  const { row, index, number, session, shown, meta } = props
  const { id, state } = row.original
  const marksNow = () => session.marksOf(row, index === 0)
  const marks = useSyncExternalStore(session.subscribe, marksNow, marksNow)
  const isSelected = (marks & MARK.selected) !== 0
  return (
    <tr
      data-rating={id}
      // Where “Skip to the table” leads.
      id={index === 0 ? 'rows' : undefined}
      data-selected={isSelected || undefined}
      // The header is the first row of all.
      aria-rowindex={number + 1}
      aria-current={(marks & MARK.open) !== 0 || undefined}
      tabIndex={(marks & MARK.tabStop) === 0 ? -1 : 0}
      className={classNames('rating-row', state === 'expired' && 'text-ink-2')}
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
              // A browser that comes back to the page would check what it was.
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
  /** How many rows of the query come before them. */
  before: number
  shown: readonly ColumnId[]
  meta: TableMeta
  session: RowSession
  /** What scrolls. */
  frame: RefObject<HTMLElement | null>
  isCompact: boolean
}
