import type { Page } from '@playwright/test'

/** Call before opening the page. Browsers do not log a 204. */
export async function withoutLive(page: Page): Promise<void> {
  await page.route('**/api/events', (route) => route.fulfill({ status: 204 }))
}
