export type PageAction = 'export' | 'views' | 'chart'

export const findPageAction = (action: PageAction): HTMLElement | null =>
  document.querySelector<HTMLElement>(`[data-opens=${action}]`)

export function openPageAction(action: PageAction): void {
  const button = findPageAction(action)
  button?.focus()
  button?.click()
}
