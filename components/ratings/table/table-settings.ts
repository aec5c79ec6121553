'use client'

import {
  createContext,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useSyncExternalStore,
} from 'react'
import { keepCookie, toKeptCookie } from '#components/ui/kept-cookie.ts'
import { toKeptName } from '#lib/contract/base-path.ts'
import { parseSettings, SETTINGS_COOKIE, type TableSettings, toSettingsText } from './columns.ts'

/**
 * Stored in `localStorage`, otherwise kept until the page closes. Ignores columns named in the URL:
 * use `useRatingsTable` for those.
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

const KEY = toKeptName('bellwether.ratings.table')

export const FirstSettings = createContext('')

const listeners = new Set<() => void>()

let unkept: string | null = null

function loadSettingsText(): string {
  if (unkept !== null) return unkept
  try {
    return localStorage.getItem(KEY) ?? ''
  } catch {
    return ''
  }
}

function keepSettingsText(text: string): void {
  try {
    localStorage.setItem(KEY, text)
    unkept = null
  } catch {
    unkept = text
  }
  writeCookie(text)
  for (const listener of listeners) listener()
}

export const isKept = (): boolean => unkept === null

/** Updates the cookie: another tab may have stored settings while cookies were disabled. */
export function useSettingsCookie(): void {
  const first = useContext(FirstSettings)
  useEffect(() => {
    const text = loadSettingsText()
    if (text !== first) writeCookie(text)
  }, [first])
}

const writeCookie = (text: string) =>
  keepCookie(toKeptCookie(SETTINGS_COOKIE, encodeURIComponent(text), { isKept: text !== '' }))

function subscribeToSettings(listener: () => void): () => void {
  listeners.add(listener)
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}
