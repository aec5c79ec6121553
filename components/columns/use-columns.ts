'use client'

import { useContext, useEffect, useMemo } from 'react'
import type { QueryProps } from '#components/ratings/query-change.ts'
import { type ColumnId, knownColumns } from './column-facts.ts'
import { type Layout, shownColumns, toLayout } from './column-layout.ts'
import { FirstSettings, loadSettingsText, repeatInCookie } from './kept-settings.ts'
import {
  type ColumnSizes,
  DEFAULT_SETTINGS,
  type Density,
  type TableSettings,
} from './table-settings.ts'
import { useTableSettings } from './use-table-settings.ts'

/** The columns as the page shows them, and how a reader changes them. */
export type Columns = Layout & {
  /** Those that are shown, in order; the same array as long as they are the same. */
  shown: readonly ColumnId[]
  sizes: ColumnSizes
  density: Density
  /** The address says which are shown, not the reader. */
  isNamed: boolean
  /** The reader's order and choice are kept from here on, and the address gives way. */
  setLayout: (layout: Layout) => void
  setSizes: (sizes: ColumnSizes) => void
  setDensity: (density: Density) => void
  /** Everything as a newcomer finds it. */
  reset: () => void
}

/** The columns that the address names, or the reader's own. The same object as long as nothing of it changed. */
export function useColumns({ query, change }: QueryProps): Columns {
  const first = useContext(FirstSettings)
  const { settings, update } = useTableSettings()
  useEffect(() => repeatInCookie(loadSettingsText(), first), [first])
  const names = query.columns.join()
  const layout = useMemo(() => toLayout(settings, names.split(',')), [settings, names])
  const shownNames = shownColumns(layout).join()
  const shown = useMemo(() => knownColumns(shownNames.split(',')), [shownNames])
  return useMemo(() => {
    const keep = (changed: Partial<TableSettings>) => {
      update(changed)
      if (names !== '') change((view) => ({ ...view, columns: [] }))
    }
    return {
      order: layout.order,
      hidden: layout.hidden,
      shown,
      sizes: settings.sizes,
      density: settings.density,
      isNamed: layout !== settings,
      setLayout: ({ order, hidden }) => keep({ order, hidden }),
      setSizes: (sizes) => update({ sizes }),
      setDensity: (density) => update({ density }),
      reset: () => keep(DEFAULT_SETTINGS),
    }
  }, [layout, shown, settings, names, update, change])
}
