'use client'

import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useSyncExternalStore,
} from 'react'
import { setCookie } from '#components/store/cookie.ts'
import { updateStored, useStored } from '#components/store/store.ts'
import {
  type ColumnList,
  parseSettings,
  type TableSettings,
  toSettingsCookie,
  toSettingsText,
} from './column-settings.ts'

/** The settings cookies of the request, by name. */
export type SettingsCookies = Readonly<Record<string, string>>

const RequestSettings = createContext<SettingsCookies>({})

type SettingsProviderProps = { value: SettingsCookies; children: ReactNode }

export const SettingsProvider = ({ value, children }: SettingsProviderProps) => (
  <RequestSettings value={value}>{children}</RequestSettings>
)

/** During hydration, the settings of the request. */
function useSettingsText(path: string): string {
  const requestText = useContext(RequestSettings)[toSettingsCookie(path)] ?? ''
  return useSyncExternalStore(
    useStored.subscribe,
    () => useStored.getState().columns[path] ?? '',
    () => requestText,
  )
}

/** Ignores columns named in the URL: use `useColumns` for those. */
export function useTableSettings<C extends string>(list: ColumnList<C>) {
  const text = useSettingsText(list.path)
  const settings = useMemo(() => parseSettings(text, list), [text, list])
  const update = useCallback(
    (changed: Partial<TableSettings<C>>) =>
      updateStored(({ columns }) => {
        const last = parseSettings(columns[list.path] ?? '', list)
        const next = toSettingsText({ ...last, ...changed }, list)
        return { columns: { ...columns, [list.path]: next } }
      }),
    [list],
  )
  return { settings, update }
}

/** Writes the cookie that the server renders from. */
export function useSettingsCookie(path: string): void {
  const text = useSettingsText(path)
  useEffect(() => setCookie(toSettingsCookie(path), encodeURIComponent(text)), [path, text])
}
