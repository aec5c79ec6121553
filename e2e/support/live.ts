import type { Page } from '@playwright/test'

/**
 * A page without events, which asks for the status again and again instead: for journeys that say themselves what the
 * status is. 204 is the one refusal that no browser reports. To be called before the page is opened.
 */
export async function withoutLive(page: Page): Promise<void> {
  await page.route('**/api/events', (route) => route.fulfill({ status: 204 }))
}
