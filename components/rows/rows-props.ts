import type { Row } from '@tanstack/react-table'
import type { RefObject } from 'react'
import type { ColumnId } from '#components/columns/column-facts.ts'
import type { features } from '#components/ratings/columns.tsx'
import type { RatingRow } from '#lib/contract/answers/ratings.ts'
import type { RowSession } from './row-session.ts'

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
