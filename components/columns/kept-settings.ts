import { createContext } from 'react'
import { SETTINGS_COOKIE } from './table-settings.ts'

const KEY = 'bellwether.ratings.table'
/** Where earlier releases kept the names of the hidden columns. */
const OLD_KEY = 'bellwether.ratings.hidden-columns'

const YEAR_SECONDS = 365 * 86_400

/** The text of the cookie as the server read it: what the first paint was made of. */
export const FirstSettings = createContext('')

const listeners = new Set<() => void>()

/** What could not be kept, because storage is forbidden or full: it lasts as long as the page. */
let unkept: string | null = null

/** The text of the settings that this browser keeps, or nothing. */
export function loadSettingsText(): string {
  if (unkept !== null) return unkept
  try {
    return localStorage.getItem(KEY) ?? localStorage.getItem(OLD_KEY) ?? ''
  } catch {
    return ''
  }
}

/** Keeps the settings, and says so to everyone who shows them. */
export function keepSettingsText(text: string): void {
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

/** Storage may hold what another tab wrote while cookies were off, or an earlier release. */
export function repeatInCookie(text: string, first: string): void {
  if (text !== first) writeCookie(text)
}

function writeCookie(text: string) {
  const age = text === '' ? 0 : YEAR_SECONDS
  const value = encodeURIComponent(text)
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API needs HTTPS, which a local network lacks
  document.cookie = `${SETTINGS_COOKIE}=${value}; path=/; max-age=${age}; samesite=lax`
}

export function subscribeToSettings(listener: () => void): () => void {
  listeners.add(listener)
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}
