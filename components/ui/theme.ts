import { toKeptName } from '#lib/contract/base-path.ts'
import { keepCookie, toKeptCookie } from './kept-cookie.ts'

/** `system` is what nobody chose: the cookie is absent then. */
export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

export const THEME_COOKIE = toKeptName('theme')

/** The theme that the root of a page or the address of a frame names; anything else is the system's. */
export const parseTheme = (value: string | null | undefined): Theme =>
  THEMES.find((theme) => theme === value) ?? 'system'

/** The theme after this one, in the order that the switch goes round. */
export const nextTheme = (theme: Theme): Theme =>
  THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'system'

/** The cookie that keeps a theme for a year, or removes it. */
export const toThemeCookie = (theme: Theme): string =>
  toKeptCookie(THEME_COOKIE, theme, { isKept: theme !== 'system' })

const CHANGED = 'themechange'

/** Changes the page that is shown, and has the browser keep it. */
export function applyTheme(theme: Theme): void {
  keepCookie(toThemeCookie(theme))
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
  window.dispatchEvent(new Event(CHANGED))
}

/** The theme that the page shows. */
export const readTheme = (): Theme => parseTheme(document.documentElement.dataset.theme)

/** Calls back after each {@link applyTheme}; gives the way to stop that. */
export function subscribeToTheme(listener: () => void): () => void {
  window.addEventListener(CHANGED, listener)
  return () => window.removeEventListener(CHANGED, listener)
}
