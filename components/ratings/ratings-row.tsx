'use client'

import { FlexRender, type Row } from '@tanstack/react-table'
import { memo, useSyncExternalStore } from 'react'
import type { ColumnId } from '#components/columns/column-facts.ts'
import { MARK, type RowSession } from '#components/rows/row-session.ts'
import { classNames } from '#components/ui/class-names.ts'
import { Cell } from '#components/ui/table.tsx'
import type { RatingRow } from '#lib/contract/answers/ratings.ts'
import type { features } from './columns.tsx'

type RatingsRowProps = {
  row: Row<typeof features, RatingRow>
  /** Its place on the page, from 0, and among all rows of the query, from 1. */
  index: number
  number: number
  session: RowSession
  /** The columns that are shown: the row is drawn again with others. */
  shown: readonly ColumnId[]
}

/** A row. The keyboard's place, the selection and what is open are drawn in the rows that they concern, and no other. */
export const RatingsRow = memo(function RatingsRow(props: RatingsRowProps) {
  const { row, index, number, session } = props
  const { id, state } = row.original
  const marksNow = () => session.marksOf(id, index === 0)
  const marks = useSyncExternalStore(session.subscribe, marksNow, marksNow)
  const isSelected = (marks & MARK.selected) !== 0
  return (
    <tr
      data-rating={id}
      data-selected={isSelected || undefined}
      // The header is the first row of all.
      aria-rowindex={number + 1}
      aria-current={(marks & MARK.open) !== 0 || undefined}
      tabIndex={(marks & MARK.tabStop) === 0 ? -1 : 0}
      className={classNames('rating-row', state === 'expired' && 'text-ink-2')}
    >
      {row.getAllCells().map((cell, place) => (
        <Cell key={cell.id} numeric={cell.column.columnDef.meta?.isNumeric}>
          {place === 0 && (
            <label className="row-check">
              <input
                type="checkbox"
                className="check"
                aria-label={`Select rating ${id}`}
                tabIndex={-1}
                checked={isSelected}
                readOnly
                // A browser that comes back to the page would check what it was.
                autoComplete="off"
              />
            </label>
          )}
          <FlexRender cell={cell} />
        </Cell>
      ))}
    </tr>
  )
})
