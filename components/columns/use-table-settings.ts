'use client'

import { useCallback, useContext, useMemo, useSyncExternalStore } from 'react'
import {
  FirstSettings,
  keepSettingsText,
  loadSettingsText,
  subscribeToSettings,
} from './kept-settings.ts'
import { parseSettings, type TableSettings, toSettingsText } from './table-settings.ts'

/**
 * How this reader likes the ratings table, wherever it is asked: `order` (every column, by the name of its field),
 * `hidden` (those of them that are not shown), `sizes` (CSS pixels, where a reader chose a width) and `density`; and
 * the way to change some of it. All who use it see the same at once, other tabs too. It is kept in the browser, or for
 * as long as the page stays where that is forbidden. An address that names columns is not looked at here: for what the
 * page shows, ask useColumns.
 */
export function useTableSettings() {
  const first = useContext(FirstSettings)
  const text = useSyncExternalStore(subscribeToSettings, loadSettingsText, () => first)
  const settings = useMemo(() => parseSettings(text), [text])
  const update = useCallback((changed: Partial<TableSettings>) => {
    const last = parseSettings(loadSettingsText())
    keepSettingsText(toSettingsText({ ...last, ...changed }))
  }, [])
  return { settings, update }
}
