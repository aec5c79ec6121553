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
 * How this reader likes the ratings table, wherever it is asked: `order` (every column, by the name of its field),
 * `hidden` (those of them that are not shown), `sizes` (CSS pixels, where a reader chose a width) and `density`; and
 * the way to change some of it. All who use it see the same at once, other tabs too. It is kept in the browser, or for
 * as long as the page stays where that is forbidden. An address that names columns is not looked at here: for what the
 * page shows, ask useRatingsTable.
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

/** The text of the cookie as the server read it: what the first paint was made of. */
export const FirstSettings = createContext('')

const listeners = new Set<() => void>()

/** What could not be kept, because storage is forbidden or full: it lasts as long as the page. */
let unkept: string | null = null

/** The text of the settings that this browser keeps, or nothing. */
function loadSettingsText(): string {
  if (unkept !== null) return unkept
  try {
    return localStorage.getItem(KEY) ?? ''
  } catch {
    return ''
  }
}

/** Keeps the settings, and says so to everyone who shows them. */
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

/** Could what was chosen last be kept? */
export const isKept = (): boolean => unkept === null

/** Copies the settings into the cookie: another tab may have stored them while cookies were off. */
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
