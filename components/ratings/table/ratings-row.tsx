'use client'

import { type Column, FlexRender, type Row } from '@tanstack/react-table'
import { memo, type RefObject, useSyncExternalStore } from 'react'
import { classNames } from '#components/ui/class-names.ts'
import { Cell } from '#components/ui/table.tsx'
import type { RatingRow } from '#lib/contract/answers/ratings.ts'
import type { features } from './column-cells.tsx'
import type { ColumnId } from './columns.ts'
import { MARK, type RowSession } from './table-session.ts'

type RatingsRowProps = {
  row: Row<typeof features, RatingRow>
  /** Its place on the page, from 0, and among all rows of the query, from 1. */
  index: number
  number: number
  session: RowSession
  /** The columns that are shown: with others the row is drawn again. */
  shown: readonly ColumnId[]
}

/** A row. The keyboard's place, the selection and what is open are drawn in the rows that they concern, and no other. */
export const RatingsRow = memo(function RatingsRow(props: RatingsRowProps) {
  const { row, index, number, session } = props
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
      {row.getVisibleCells().map((cell, place) => (
        <Cell
          key={cell.id}
          numeric={cell.column.columnDef.meta?.isNumeric}
          {...toCardPart(cell.column, row.original)}
        >
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

/** What a narrow screen shows of a row, in two lines; and what the table is sorted by, with its name. */
const CARD_PARTS: Readonly<Record<string, string>> = {
  symbol: 'symbol',
  rating: 'rating',
  prediction: 'prediction',
  user_id: 'user',
  created_at: 'posted',
}

function toCardPart(column: Column<typeof features, RatingRow>, row: RatingRow) {
  const part = CARD_PARTS[column.id]
  if (part !== undefined) return { 'data-card': part }
  // What the service dropped is marked there.
  const isGone = column.id === 'expired_at' && row.vanished_at !== null
  return column.getIsSorted() === false && !isGone
    ? {}
    : { 'data-sorted': column.columnDef.meta?.label }
}

export type RowsProps = {
  rows: readonly Row<typeof features, RatingRow>[]
  /** How many rows of the query come before them. */
  before: number
  shown: readonly ColumnId[]
  session: RowSession
  /** What scrolls. */
  frame: RefObject<HTMLElement | null>
  isCompact: boolean
}
