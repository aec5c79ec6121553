import type { RefObject, SyntheticEvent } from 'react'
import type { ColumnId } from '#components/columns/column-facts.ts'
import type { ChangeQuery } from '#components/ratings/query-change.ts'
import type { RatingRow } from '#lib/contract/answers/ratings.ts'
import type { RowSession } from './row-session.ts'

/** What everything that is done with rows is given. */
export type RowContext = {
  session: RowSession
  /** The rows of the page. */
  rows: readonly RatingRow[]
  shown: readonly ColumnId[]
  change: ChangeQuery
  zone: string
  /** What scrolls. */
  frame: RefObject<HTMLElement | null>
}

/** A row of the table, and what it shows. */
export type Hit = { element: HTMLTableRowElement; row: RatingRow }

/** Is it about the link to a rating's own page? A plain click opens the rating here. */
export const isRatingLink = ({ target }: SyntheticEvent): boolean =>
  target instanceof Element && target.closest('a[data-open]') !== null
