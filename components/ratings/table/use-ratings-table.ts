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
  isUsual,
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

export type TableModel = {
  table: RatingsTable
  shown: readonly ColumnId[]
  meta: TableMeta
  density: Density
  /** The URL names the columns, overriding the settings. */
  isNamed: boolean
  isUsual: boolean
  setDensity: (density: Density) => void
  reset: () => void
}

type RatingsTableOptions = QueryProps & { page: RatingsPage | undefined; session: RowSession }

/** Stable while its parts are unchanged; the selection is not part of it. */
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
      isUsual: isUsual({ ...settings, ...layout }),
      setDensity: (next) => update({ density: next }),
      reset: () => keep(DEFAULT_SETTINGS),
    }),
    [table, shown, meta, settings, layout, isNamed, update, keep],
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

const NOTHING = () => null

export const toTableState = ({ order, hidden, sizes }: Omit<TableSettings, 'density'>) => ({
  columnOrder: [...order],
  columnVisibility: Object.fromEntries(hidden.map((id) => [id, false])),
  columnSizing: { ...sizes },
})

const toHidden = (visibility: ColumnVisibilityState): ColumnId[] =>
  COLUMN_IDS.filter((id) => visibility[id] === false)

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
