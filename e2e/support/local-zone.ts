import type { Locator, Page } from '@playwright/test'

export const zoneSelect = (page: Page): Locator =>
  page.getByRole('combobox', { name: 'Times in', exact: true })

/** Times are in Europe/Berlin, the zone of the journeys' browser, from the next load. */
export async function useLocalZone(page: Page): Promise<void> {
  await page.addInitScript(() => localStorage.setItem('bellwether.time-zone', 'local'))
}
