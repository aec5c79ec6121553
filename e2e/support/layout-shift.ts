import type { Page } from '@playwright/test'

/**
 * From the next load on each move of what stands on the page is noted, as far as browsers reckon it: shares of the window,
 * moved by a share of it. Gives what reads them; none is nothing that moved.
 */
export async function watchShifts(page: Page): Promise<() => Promise<number[]>> {
  await page.addInitScript(() => {
    const shifts: number[] = []
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push(Reflect.get(entry, 'value'))
    }).observe({ type: 'layout-shift', buffered: true })
    Reflect.set(window, 'readShifts', () => shifts)
  })
  return () => page.evaluate(() => Reflect.get(window, 'readShifts')())
}
