'use client'

import type { ReactTable, Row } from '@tanstack/react-table'
import { type RefObject, useSyncExternalStore } from 'react'
import type { MenuAnchor } from '#components/ui/menu.tsx'
import type { RatingRow } from '#lib/contract/answers/ratings.ts'
import type { ChangeQuery } from '#lib/contract/ratings-view.ts'
import type { features } from './column-cells.tsx'
import type { ColumnId } from './columns.ts'

export type RatingsTable = ReactTable<typeof features, RatingRow, null>
type TableRow = Row<typeof features, RatingRow>

/** Bit flags. */
export const MARK = { selected: 1, open: 2, tabStop: 4 }

export type MenuRequest = {
  row: RatingRow
  column: ColumnId | null
  anchor: MenuAnchor
  origin: HTMLElement
}

type State = {
  cursor: number | null
  anchor: number | null
  /** In the order of selection, across pages. */
  selected: ReadonlyMap<number, RatingRow>
  open: number | null
  menu: MenuRequest | null
  note: string
}

/** A store outside of React, so that moving the cursor renders only two rows. */
export function createRowSession(open: number | null) {
  let state: State = {
    cursor: null,
    anchor: null,
    selected: new Map(),
    open,
    menu: null,
    note: '',
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

export const useSession = <K extends keyof SessionState>(
  session: RowSession,
  part: K,
): SessionState[K] => {
  const now = () => session.get()[part]
  return useSyncExternalStore(session.subscribe, now, now)
}

export type RowContext = {
  session: RowSession
  table: RatingsTable
  rows: readonly RatingRow[]
  shown: readonly ColumnId[]
  change: ChangeQuery
  zone: string
  frame: RefObject<HTMLElement | null>
}

export type FoundRow = { element: HTMLTableRowElement; row: RatingRow }
