import type { Page } from '@playwright/test'

/** One move, as far as browsers reckon it: a share of the window, moved by a share of it, and what moved from where to where. */
export type Shift = { value: number; moved: string[] }

/**
 * The smallest shift that counts. A full-width line that moves by 10 px is 0.0006. A smaller shift happens on a busy machine
 * when the browser paints a page that it is still parsing.
 */
const MIN_SHIFT = 0.0005

/** Notes every layout shift from the next load on. Returns a function that reads them. */
export async function watchShifts(page: Page): Promise<() => Promise<Shift[]>> {
  await page.addInitScript((minShift) => {
    type Source = { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }
    type Entry = PerformanceEntry & { value: number; hadRecentInput: boolean; sources: Source[] }
    const placeOf = (rect: DOMRect) => [rect.x, rect.y, rect.width, rect.height].join(' ')
    const shifts: Shift[] = []
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput, sources } of list.getEntries() as Entry[]) {
        if (value < minShift) continue
        const moved = sources.map(({ node, previousRect, currentRect }) => {
          const element = node instanceof Element ? node : node?.parentElement
          const name = `${element?.tagName} ${element?.textContent?.slice(0, 30)}`
          return `${name}: ${placeOf(previousRect)} → ${placeOf(currentRect)}`
        })
        shifts.push({ value, moved: hadRecentInput ? ['asked for', ...moved] : moved })
      }
    }).observe({ type: 'layout-shift', buffered: true })
    Reflect.set(window, 'readShifts', () => shifts)
  }, MIN_SHIFT)
  return () => page.evaluate(() => Reflect.get(window, 'readShifts')())
}
