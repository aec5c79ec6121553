/** What stands somewhere on a page and is opened from anywhere: its export, its saved views, what saves its chart. */
export type PageAction = 'export' | 'views' | 'chart'

/** The button of the page in sight that opens it, which says so by `data-opens`; null where the page has none. */
export const findPageAction = (action: PageAction): HTMLElement | null =>
  document.querySelector<HTMLElement>(`[data-opens=${action}]`)

/** Opens it as its button does, which gets the focus, and with it comes into sight. */
export function openPageAction(action: PageAction): void {
  const button = findPageAction(action)
  button?.focus()
  button?.click()
}
