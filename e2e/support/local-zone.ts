import type { Locator, Page } from '@playwright/test'
import { storeFirst } from './stored.ts'

export const zoneSelect = (page: Page): Locator =>
  page.getByRole('combobox', { name: 'Times in', exact: true })

/** Times are in Europe/Berlin, the zone of the journeys' browser, from the next load. */
export async function useLocalZone(page: Page): Promise<void> {
  await storeFirst(page, { zone: 'local' })
}
