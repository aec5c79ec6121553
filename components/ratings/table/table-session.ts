'use client'

import type { ReactTable, Row } from '@tanstack/react-table'
import { type RefObject, type SyntheticEvent, useSyncExternalStore } from 'react'
import type { ChangeQuery } from '#components/address/ratings-address.ts'
import type { RatingRow } from '#lib/contract/answers/ratings.ts'
import type { features } from './column-cells.tsx'
import type { ColumnId } from './columns.ts'

export type RatingsTable = ReactTable<typeof features, RatingRow, null>
type TableRow = Row<typeof features, RatingRow>

/** What a row is, added up. */
export const MARK = { selected: 1, open: 2, tabStop: 4 }

/** What a menu stands beside, in CSS pixels of the window. */
export type Place = Pick<DOMRect, 'left' | 'top' | 'bottom' | 'width' | 'height'>

/** What the values of a row or of one cell are offered in: beside what, and where the focus goes back to. */
export type MenuRequest = {
  row: RatingRow
  column: ColumnId | null
  place: Place
  origin: HTMLElement
}

type State = {
  /** The row that the keyboard is at; null where it never was in these rows. */
  cursor: number | null
  /** Where a selection by Shift begins. */
  anchor: number | null
  /**
   * The rows that the table has selected, by their id and in the order they were chosen; those of other pages too. The
   * table says that they are, and each time tells the session.
   */
  selected: ReadonlyMap<number, RatingRow>
  /** The rating in the side sheet. */
  open: number | null
  menu: MenuRequest | null
  /** What has just been done, or why it could not be: shown for a moment and said to a screen reader. */
  note: string
  /** A reader has come near the rows: from then on there are the tools that work on them. */
  isAwake: boolean
}

/**
 * What a reader does with rows, apart from the rows: each row asks for its own marks only, so that a step of the cursor
 * draws two rows and no other.
 */
export function createRowSession(open: number | null) {
  let state: State = {
    cursor: null,
    anchor: null,
    selected: new Map(),
    open,
    menu: null,
    note: '',
    isAwake: false,
  }
  const listeners = new Set<() => void>()
  return {
    get: () => state,
    set: (changed: Partial<State>) => {
      state = { ...state, ...changed }
      for (const listener of listeners) listener()
    },
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    /** The marks of a row. The first row is the keyboard's way in as long as it has been at no other. */
    marksOf: (row: Pick<TableRow, 'original' | 'getIsSelected'>, isFirst: boolean): number => {
      const { id } = row.original
      return (
        (row.getIsSelected() ? MARK.selected : 0) +
        (state.open === id ? MARK.open : 0) +
        ((state.cursor === null ? isFirst : state.cursor === id) ? MARK.tabStop : 0)
      )
    },
  }
}

export type RowSession = ReturnType<typeof createRowSession>

type SessionState = ReturnType<RowSession['get']>

/** A part of what the reader does with rows; drawn again when that part changes. */
export const useSession = <K extends keyof SessionState>(
  session: RowSession,
  part: K,
): SessionState[K] => {
  const now = () => session.get()[part]
  return useSyncExternalStore(session.subscribe, now, now)
}

/** What everything that is done with rows is given. */
export type RowContext = {
  session: RowSession
  table: RatingsTable
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
