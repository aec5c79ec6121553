import type { Page } from '@playwright/test'

/** Requests that match wait until `release` is called. */
export async function holdRoute(page: Page, pattern: string | RegExp) {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(pattern, async (route) => {
    await released
    await route.continue().catch(() => undefined)
  })
  return { release }
}
