'use client'

import {
  functionalUpdate,
  type RowSelectionState,
  type TableOptions,
  type Updater,
  useTable,
} from '@tanstack/react-table'
import { useCallback, useMemo } from 'react'
import { knownColumns, type Layout } from '#components/list/columns/column-settings.ts'
import { type Columns, useColumns } from '#components/list/columns/use-columns.ts'
import { useAsOfHref } from '#components/time/as-of.tsx'
import { useZone } from '#components/ui/time-zone.ts'
import type { RatingRow, RatingsPage } from '#lib/contract/answers/ratings.ts'
import type { QueryProps } from '#lib/contract/ratings-view.ts'
import { columnsWith, features, type TableMeta, toColumnSizes } from './column-cells.tsx'
import { COLUMN_IDS, type ColumnId, RATINGS_TABLE, shownColumns, toLayout } from './columns.ts'
import type { RatingsTable, RowSession } from './table-session.ts'

export type TableModel = {
  table: RatingsTable
  shown: readonly ColumnId[]
  meta: TableMeta
  columns: Columns
}

type RatingsTableOptions = QueryProps & { page: RatingsPage | undefined; session: RowSession }

/** Stable while its parts are unchanged; the selection is not part of it. */
export function useRatingsTable(props: RatingsTableOptions): TableModel {
  const { query, change, page, session } = props
  const names = query.columns.join()
  const toNamed = useCallback(
    (settings: Layout<ColumnId>) => toLayout(settings, names.split(',')),
    [names],
  )
  const unname = useCallback(() => {
    if (names !== '') change((view) => ({ ...view, columns: [] }))
  }, [names, change])
  const chosen = useColumns(RATINGS_TABLE, { toLayout: toNamed, onChange: unname })
  const { columns } = chosen
  const shown = useShown(chosen.layout)
  const sizes = useMemo(() => toColumnSizes(shown, page?.data ?? NO_ROWS), [shown, page])
  const definitions = useMemo(() => columnsWith(sizes), [sizes])
  const meta = useTableMeta(page, query.sort.column)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the table is made of them; it is always the same one inside
  const options = useMemo(
    (): TableOptions<typeof features, RatingRow> => ({
      ...chosen.options,
      features,
      columns: definitions,
      data: page?.data ?? NO_ROWS,
      getRowId: (row) => String(row.id),
      onRowSelectionChange: (updater) => select(table, session, updater),
    }),
    [chosen.options, definitions, page, session],
  )
  const table: RatingsTable = useTable(options, NOTHING)
  return useMemo(() => ({ table, shown, meta, columns }), [table, shown, meta, columns])
}

/** Stable while widths and density change. */
function useShown(layout: Layout<ColumnId>): readonly ColumnId[] {
  const names = shownColumns(layout).join()
  return useMemo(() => knownColumns(names.split(','), COLUMN_IDS), [names])
}

function useTableMeta(page: RatingsPage | undefined, sorted: string): TableMeta {
  const zone = useZone()
  const toHref = useAsOfHref()
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows stay in the order that they came in, whatever is asked next
  return useMemo(
    () => ({ asOf: page?.meta.as_of ?? 0, sorted, zone, toHref }),
    [page, zone, toHref],
  )
}

const NO_ROWS: RatingRow[] = []

const NOTHING = () => null

const SELECTED_MAX = 5000

/** Keeps whole rows in order of selection; the table knows only ids. */
function select(
  table: Pick<RatingsTable, 'atoms' | 'baseAtoms' | 'getRowModel'>,
  session: RowSession,
  updater: Updater<RowSelectionState>,
) {
  const next = functionalUpdate(updater, table.atoms.rowSelection.get())
  if (Object.keys(next).length > SELECTED_MAX) {
    session.set({ note: `At most ${SELECTED_MAX} rows can be selected. Export instead.` })
    return
  }
  const rows = table.getRowModel().rows.map(({ original }) => original)
  const selected = toSelectedRows(next, session.get().selected, rows)
  table.baseAtoms.rowSelection.set(() => next)
  session.set({ selected, note: '' })
}

export function toSelectedRows(
  ids: RowSelectionState,
  before: ReadonlyMap<number, RatingRow>,
  rows: readonly RatingRow[],
): ReadonlyMap<number, RatingRow> {
  const known = [...before.values(), ...rows.filter(({ id }) => !before.has(id))]
  return new Map(known.filter(({ id }) => ids[id] === true).map((row) => [row.id, row]))
}
