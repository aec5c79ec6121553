import { APPEARANCE_COOKIES } from './appearance.ts'
import { keepCookie, toKeptCookie } from './kept-cookie.ts'

/** `system` is the default and removes the cookie. */
export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

export const parseTheme = (value: string | null | undefined): Theme =>
  THEMES.find((theme) => theme === value) ?? 'system'

export const nextTheme = (theme: Theme): Theme =>
  THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'system'

export const toThemeCookie = (theme: Theme): string =>
  toKeptCookie(APPEARANCE_COOKIES.theme, theme, { isKept: theme !== 'system' })

const CHANGED = 'themechange'

export function applyTheme(theme: Theme): void {
  keepCookie(toThemeCookie(theme))
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
  window.dispatchEvent(new Event(CHANGED))
}

export const readTheme = (): Theme => parseTheme(document.documentElement.dataset.theme)

export function subscribeToTheme(listener: () => void): () => void {
  window.addEventListener(CHANGED, listener)
  return () => window.removeEventListener(CHANGED, listener)
}
