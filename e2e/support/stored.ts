import type { Page } from '@playwright/test'

export const STORED = 'bellwether'

/** Stored before the next load, unless the page has stored something itself. */
export async function storeFirst(page: Page, state: object): Promise<void> {
  const text = JSON.stringify({ state, version: 1 })
  await page.addInitScript(
    ([key, first]) => {
      if (localStorage.getItem(key) === null) localStorage.setItem(key, first)
    },
    [STORED, text] as const,
  )
}
