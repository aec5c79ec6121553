import type { Page } from '@playwright/test'

/** `value`: impact fraction times distance fraction. */
export type Shift = { value: number; moved: string[] }

/**
 * A full-width line that moves 10 px is 0.0006. While a busy machine still parses the document, a
 * group at the right edge that is painted without its last button causes as much.
 */
const MIN_SHIFT = { parsed: 0.0005, parsing: 0.001 }

/** Starts with the next load. */
export async function watchShifts(page: Page): Promise<() => Promise<Shift[]>> {
  await page.addInitScript((minShift) => {
    type Source = { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }
    type Entry = PerformanceEntry & { value: number; hadRecentInput: boolean; sources: Source[] }
    const placeOf = (rect: DOMRect) => [rect.x, rect.y, rect.width, rect.height].join(' ')
    const shifts: Shift[] = []
    new PerformanceObserver((list) => {
      const [navigation] = performance.getEntriesByType('navigation')
      const { domInteractive } = navigation as PerformanceNavigationTiming
      const isParsed = (time: number) => domInteractive > 0 && time >= domInteractive
      for (const { value, startTime, hadRecentInput, sources } of list.getEntries() as Entry[]) {
        if (value < (isParsed(startTime) ? minShift.parsed : minShift.parsing)) continue
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
