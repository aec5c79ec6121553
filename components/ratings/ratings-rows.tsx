'use client'

import { FlexRender, type Row as TableRow } from '@tanstack/react-table'
import { memo } from 'react'
import { Cell, Row } from '#components/ui/table.tsx'
import type { RatingRow } from '#lib/contract/answers/ratings.ts'
import { type features, toColumnClasses } from './columns.tsx'

type RatingsRowsProps = {
  rows: readonly TableRow<typeof features, RatingRow>[]
  /** What is not shown of them: rows are drawn again when it changes, or they themselves. */
  hidden: readonly string[]
}

/** The rows of a page. A click on a filter changes the query at once and the counts soon: neither draws them again. */
export const RatingsRows = memo(function RatingsRows({ rows }: RatingsRowsProps) {
  return rows.map((row) => (
    <Row
      key={row.id}
      className={row.original.state === 'expired' ? 'bg-surface text-ink-2' : 'bg-surface'}
    >
      {row.getVisibleCells().map((cell) => (
        <Cell
          key={cell.id}
          numeric={cell.column.columnDef.meta?.isNumeric}
          className={toColumnClasses(cell.column.columnDef.meta, PINNED)}
        >
          <FlexRender cell={cell} />
        </Cell>
      ))}
    </Row>
  ))
})

/** On a narrow screen the symbol stays in view while the rest of its row passes by. */
const PINNED = 'max-lg:sticky max-lg:left-0 max-lg:z-[5] bg-inherit'
