'use client'

import {
  type ColumnVisibilityState,
  functionalUpdate,
  type RowSelectionState,
  type TableOptions,
  type Updater,
  useTable,
} from '@tanstack/react-table'
import { useMemo } from 'react'
import { useZone, useZonedHref } from '#components/address/outlook.tsx'
import type { QueryProps } from '#components/address/ratings-address.ts'
import { useFormats } from '#components/format/use-formats.tsx'
import { useSame } from '#components/ui/use-same.ts'
import type { RatingRow, RatingsPage } from '#lib/contract/answers/ratings.ts'
import { columnsWith, features, type TableMeta } from './column-cells.tsx'
import {
  COLUMN_IDS,
  type ColumnId,
  DEFAULT_SETTINGS,
  type Density,
  knownColumns,
  shownColumns,
  type TableSettings,
  toLayout,
  toSizes,
  WIDTH_MAX_PX,
  WIDTH_MIN_PX,
} from './columns.ts'
import type { RatingsTable, RowSession } from './table-session.ts'
import { useSettingsCookie, useTableSettings } from './table-settings.ts'

/** The table that the page shows, and what a reader may change of it beside what the table itself has. */
export type TableModel = {
  table: RatingsTable
  /** The columns that are shown, in order; the same array as long as they are the same. */
  shown: readonly ColumnId[]
  /** What values are written with. */
  meta: TableMeta
  density: Density
  /** The address says which are shown, not the reader. */
  isNamed: boolean
  setDensity: (density: Density) => void
  /** Everything as a newcomer finds it. */
  reset: () => void
}

type RatingsTableOptions = QueryProps & { page: RatingsPage | undefined; session: RowSession }

/**
 * The table of a page of ratings: order, filter and page are the server's, the columns are those that the address
 * names, or the reader's own. The same object as long as nothing of it changed; what is selected is no part of that,
 * since the rows that it concerns draw it themselves.
 */
export function useRatingsTable(props: RatingsTableOptions): TableModel {
  const { query, change, page, session } = props
  const { settings, update } = useTableSettings()
  useSettingsCookie()
  const names = query.columns.join()
  const layout = useMemo(() => toLayout(settings, names.split(',')), [settings, names])
  const shown = useSame(shownColumns(layout))
  const keep = useMemo(
    () => (changed: Partial<TableSettings>) => {
      update(changed)
      // What the reader chooses is his from here on, and the address gives way.
      if (names !== '') change((view) => ({ ...view, columns: [] }))
    },
    [update, names, change],
  )
  const columns = useMemo(() => columnsWith(shown[0]), [shown])
  const state = useMemo(() => toTableState({ ...settings, ...layout }), [settings, layout])
  const meta = useTableMeta(page, query.sort.column)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the table is made of them; it is always the same one inside
  const options = useMemo(
    (): TableOptions<typeof features, RatingRow> => ({
      features,
      columns,
      data: page?.data ?? NO_ROWS,
      getRowId: (row) => String(row.id),
      defaultColumn: { minSize: WIDTH_MIN_PX, maxSize: WIDTH_MAX_PX },
      state,
      onColumnOrderChange: (updater) =>
        keep({
          order: knownColumns(functionalUpdate(updater, state.columnOrder)),
          hidden: layout.hidden,
        }),
      onColumnVisibilityChange: (updater) => {
        const hidden = toHidden(functionalUpdate(updater, state.columnVisibility))
        // The last one that is shown stays.
        if (hidden.length < COLUMN_IDS.length) keep({ order: layout.order, hidden })
      },
      onColumnSizingChange: (updater) =>
        update({ sizes: toSizes(functionalUpdate(updater, state.columnSizing)) }),
      onRowSelectionChange: (updater) => select(table, session, updater),
    }),
    [columns, page, state, layout, session, keep, update],
  )
  const table: RatingsTable = useTable(options, NOTHING)
  const isNamed = layout !== settings
  return useMemo(
    () => ({
      table,
      shown,
      meta,
      density: settings.density,
      isNamed,
      setDensity: (next) => update({ density: next }),
      reset: () => keep(DEFAULT_SETTINGS),
    }),
    [table, shown, meta, settings.density, isNamed, update, keep],
  )
}

function useTableMeta(page: RatingsPage | undefined, sorted: string): TableMeta {
  const formats = useFormats()
  const zone = useZone()
  const toHref = useZonedHref()
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows stay in the order that they came in, whatever is asked next
  return useMemo(
    () => ({ asOf: page?.meta.as_of ?? 0, sorted, zone, formats, toHref }),
    [page, zone, formats, toHref],
  )
}

const NO_ROWS: RatingRow[] = []

/** Whatever else a page shows of the table comes with its options. */
const NOTHING = () => null

/** What the table is told of a reader's settings. */
export const toTableState = ({ order, hidden, sizes }: Omit<TableSettings, 'density'>) => ({
  columnOrder: [...order],
  columnVisibility: Object.fromEntries(hidden.map((id) => [id, false])),
  columnSizing: { ...sizes },
})

const toHidden = (visibility: ColumnVisibilityState): ColumnId[] =>
  COLUMN_IDS.filter((id) => visibility[id] === false)

/** More than this nobody picks by hand, and the browser keeps them: that is what the export is for. */
const SELECTED_MAX = 5000

/**
 * Has the table select, and keeps the rows themselves: it knows no more than the ids of what is on other pages, and
 * those in no order of choosing.
 */
function select(
  table: Pick<RatingsTable, 'atoms' | 'baseAtoms' | 'getRowModel'>,
  session: RowSession,
  updater: Updater<RowSelectionState>,
) {
  const next = functionalUpdate(updater, table.atoms.rowSelection.get())
  if (Object.keys(next).length > SELECTED_MAX) {
    session.set({ note: `No more than ${SELECTED_MAX} rows can be selected: export them instead.` })
    return
  }
  const rows = table.getRowModel().rows.map(({ original }) => original)
  const selected = toSelectedRows(next, session.get().selected, rows)
  table.baseAtoms.rowSelection.set(() => next)
  session.set({ selected, note: '' })
}

/** The rows that are selected, those that were so already first: each by its id. */
export function toSelectedRows(
  ids: RowSelectionState,
  before: ReadonlyMap<number, RatingRow>,
  rows: readonly RatingRow[],
): ReadonlyMap<number, RatingRow> {
  const known = [...before.values(), ...rows.filter(({ id }) => !before.has(id))]
  return new Map(known.filter(({ id }) => ids[id] === true).map((row) => [row.id, row]))
}
