'use client'

import { useCallback, useContext, useEffect, useMemo, useSyncExternalStore } from 'react'
import { keepCookie, toKeptCookie } from '#components/ui/kept-cookie.ts'
import {
  type ColumnList,
  parseSettings,
  type TableSettings,
  toSettingsCookie,
  toSettingsKey,
  toSettingsText,
} from './column-settings.ts'
import { FirstSettings } from './first-settings.tsx'

/**
 * Stored in `localStorage`, otherwise kept until the page closes. Ignores columns named in the URL:
 * use `useColumns` for those.
 */
export function useTableSettings<C extends string>(list: ColumnList<C>) {
  const { path } = list
  const first = useFirstText(path)
  const text = useSyncExternalStore(
    subscribeToSettings,
    () => loadSettingsText(path),
    () => first,
  )
  const settings = useMemo(() => parseSettings(text, list), [text, list])
  const update = useCallback(
    (changed: Partial<TableSettings<C>>) => {
      const last = parseSettings(loadSettingsText(list.path), list)
      keepSettingsText(list.path, toSettingsText({ ...last, ...changed }, list))
    },
    [list],
  )
  return { settings, update }
}

const useFirstText = (path: string) => useContext(FirstSettings)[toSettingsCookie(path)] ?? ''

const listeners = new Set<() => void>()

const unkept = new Map<string, string>()

function loadSettingsText(path: string): string {
  const text = unkept.get(path)
  if (text !== undefined) return text
  try {
    return localStorage.getItem(toSettingsKey(path)) ?? ''
  } catch {
    return ''
  }
}

function keepSettingsText(path: string, text: string): void {
  try {
    localStorage.setItem(toSettingsKey(path), text)
    unkept.delete(path)
  } catch {
    unkept.set(path, text)
  }
  writeCookie(path, text)
  for (const listener of listeners) listener()
}

export const isKept = (): boolean => unkept.size === 0

/** Updates the cookie: another tab may have stored settings while cookies were disabled. */
export function useSettingsCookie(path: string): void {
  const first = useFirstText(path)
  useEffect(() => {
    const text = loadSettingsText(path)
    if (text !== first) writeCookie(path, text)
  }, [path, first])
}

const writeCookie = (path: string, text: string) =>
  keepCookie(
    toKeptCookie(toSettingsCookie(path), encodeURIComponent(text), { isKept: text !== '' }),
  )

function subscribeToSettings(listener: () => void): () => void {
  listeners.add(listener)
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}
