import type { Page } from '@playwright/test'

/** `value`: impact fraction times distance fraction. */
export type Shift = { value: number; moved: string[] }

/**
 * A full-width line that moves 10 px is 0.0006. Parsing on a busy machine causes smaller shifts.
 */
const MIN_SHIFT = 0.0005

/** Starts with the next load. */
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
