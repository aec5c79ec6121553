import type { Page } from '@playwright/test'
import { expect } from './test.ts'

/** Positions in whole CSS px. */
export type Landmarks = Readonly<Record<string, string>>

export const readLandmarks = (page: Page): Promise<Landmarks> =>
  page.evaluate(() => {
    const found: Record<string, string> = {}
    const add = (what: string, element: Element | null | undefined) => {
      if (!element?.checkVisibility()) return
      const { x, y, width } = element.getBoundingClientRect()
      let [left, top] = [x + window.scrollX, y + window.scrollY]
      for (let around = element.parentElement; around; around = around.parentElement) {
        if (around === document.documentElement) break
        // Sticky headings do not scroll; the first one is sticky sideways too.
        const isHeading = element.localName === 'th'
        if (!isHeading || element.previousElementSibling) left += around.scrollLeft
        if (!isHeading) top += around.scrollTop
        if (around.role === 'dialog') [left, top] = [left - window.scrollX, top - window.scrollY]
      }
      found[what] = [left, top, width].map(Math.round).join(' ')
    }
    const all = (selector: string) => [...document.querySelectorAll(selector)]
    const text = (element: Element | null | undefined) => element?.textContent?.trim() ?? ''
    add('header', document.querySelector('header'))
    for (const link of all('header nav a')) add(`header: ${text(link)}`, link)
    add('chart', document.querySelector('main figure'))
    for (const heading of all('table thead th')) {
      add(`column: ${heading.getAttribute('data-column')}`, heading)
    }
    for (const name of ['As of', 'Views', 'Columns', 'Export', 'Filters']) {
      const button = all('main button, main a').find((element) => text(element).startsWith(name))
      add(`button: ${name}`, button)
    }
    for (const name of ['Previous page', 'Next page']) {
      add(`step: ${name}`, document.querySelector(`[aria-label="${name}"]`))
    }
    add('rows per page', document.querySelector('nav[aria-label="Pages"] + span select'))
    for (const group of all('aside fieldset, [role=dialog] fieldset')) {
      const legend = group.querySelector('legend')
      add(`filter: ${text(legend)}`, legend)
      for (const box of group.querySelectorAll('input[type="checkbox"], input[type="radio"]')) {
        const label = document.getElementById(box.getAttribute('aria-labelledby') ?? '')
        add(`filter: ${text(legend)}: ${text(label)}`, box)
      }
    }
    return found
  })

export async function expectUnmoved(page: Page, before: Landmarks, step: string): Promise<void> {
  const now = await readLandmarks(page)
  const moved = Object.entries(before)
    .filter(([what, place]) => now[what] !== place)
    .map(([what, place]) => `${what}: ${place} → ${now[what] ?? 'gone'}`)
  expect(moved, `moved by: ${step}`).toEqual([])
}
