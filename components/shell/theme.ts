/** `system` is what nobody chose: the cookie is absent then. */
const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

export const THEME_COOKIE = 'theme'

const YEAR_SECONDS = 365 * 86_400

/** The theme that a cookie or an embed's address names; anything else is the system's. */
export const parseTheme = (value: string | null | undefined): Theme =>
  THEMES.find((theme) => theme === value) ?? 'system'

/** The theme after this one, in the order that the switch goes round. */
export const nextTheme = (theme: Theme): Theme =>
  THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'system'

/** The cookie that keeps a theme for a year, or removes it. */
export function toThemeCookie(theme: Theme): string {
  const age = theme === 'system' ? 0 : YEAR_SECONDS
  return `${THEME_COOKIE}=${theme}; path=/; max-age=${age}; samesite=lax`
}
