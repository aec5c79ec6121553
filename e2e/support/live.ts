import type { Page } from '@playwright/test'

/** Call before opening the page. 204 is the only refusal that browsers do not log. */
export async function withoutLive(page: Page): Promise<void> {
  await page.route('**/api/events', (route) => route.fulfill({ status: 204 }))
}
