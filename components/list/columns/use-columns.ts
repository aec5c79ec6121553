'use client'

import {
  type ColumnOrderState,
  type ColumnSizingState,
  type ColumnVisibilityState,
  functionalUpdate,
  type Updater,
} from '@tanstack/react-table'
import { useCallback, useMemo } from 'react'
import {
  type ColumnList,
  type Density,
  isUsual,
  knownColumns,
  type Layout,
  type TableSettings,
  toDefaults,
  toSizes,
  WIDTH_MAX_PX,
  WIDTH_MIN_PX,
} from './column-settings.ts'
import { useSettingsCookie, useTableSettings } from './table-settings.tsx'

type NamedColumns<C extends string> = {
  /** Columns that the URL names override the settings. */
  toLayout?: (settings: Layout<C>) => Layout<C>
  /** After a change of columns. */
  onChange?: () => void
}

export type Columns = Readonly<{
  density: Density
  isNamed: boolean
  isUsual: boolean
  setDensity: (density: Density) => void
  reset: () => void
}>

/** Arguments must be stable. `options` are those of the table. */
export function useColumns<C extends string>(
  list: ColumnList<C>,
  { toLayout, onChange }: NamedColumns<C> = {},
) {
  const { settings, update } = useTableSettings(list)
  useSettingsCookie(list.path)
  const layout = useMemo(() => toLayout?.(settings) ?? settings, [settings, toLayout])
  const keep = useCallback(
    (changed: Partial<TableSettings<C>>) => {
      update(changed)
      onChange?.()
    },
    [update, onChange],
  )
  const options = useMemo(() => {
    const state = toTableState({ ...settings, ...layout })
    return {
      defaultColumn: { minSize: WIDTH_MIN_PX, maxSize: WIDTH_MAX_PX },
      state,
      columnResizeMode: 'onChange' as const,
      onColumnOrderChange: (updater: Updater<ColumnOrderState>) =>
        keep({
          order: knownColumns(functionalUpdate(updater, state.columnOrder), list.table),
          hidden: layout.hidden,
        }),
      onColumnVisibilityChange: (updater: Updater<ColumnVisibilityState>) => {
        const visibility = functionalUpdate(updater, state.columnVisibility)
        const hidden = list.table.filter((id) => visibility[id] === false)
        keep({ order: layout.order, hidden })
      },
      onColumnSizingChange: (updater: Updater<ColumnSizingState>) =>
        update({ sizes: toSizes(functionalUpdate(updater, state.columnSizing), list.table) }),
    }
  }, [settings, layout, list, keep, update])
  const columns = useMemo(
    (): Columns => ({
      density: settings.density,
      isNamed: layout !== settings,
      isUsual: isUsual({ ...settings, ...layout }, list),
      setDensity: (density) => update({ density }),
      reset: () => keep(toDefaults(list)),
    }),
    [settings, layout, list, update, keep],
  )
  return { layout, options, columns }
}

export const toTableState = ({ order, hidden, sizes }: Omit<TableSettings, 'density'>) => ({
  columnOrder: [...order],
  columnVisibility: Object.fromEntries(hidden.map((id) => [id, false])),
  columnSizing: { ...sizes },
})
