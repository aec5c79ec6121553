import type { Browser, Locator, Page } from '@playwright/test'
import { expectUnmoved, readLandmarks } from './support/landmarks.ts'
import { frame, header, nextPage, previousPage, rail, visit } from './support/ratings-page.ts'
import { expect, test } from './support/test.ts'

type Shifts = { shifts: string[] }

/** Vertical shifts only. */
const watchShifts = (page: Page) =>
  page.evaluate(() => {
    type Source = { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }
    type Shift = PerformanceEntry & { sources: readonly Source[] }
    const shifts: string[] = []
    Object.assign(window, { shifts })
    const wasAmongRows = ({ previousRect, currentRect }: Source) =>
      [...document.querySelectorAll('main section')].some((section) => {
        const { top, bottom } = section.getBoundingClientRect()
        return [previousRect, currentRect].every((rect) => rect.top >= top && rect.bottom <= bottom)
      })
    const note = (source: Source) => {
      const { node, previousRect, currentRect } = source
      const element = node instanceof Element ? node : node?.parentElement
      if (previousRect.width === 0 || currentRect.width === 0) return
      if (previousRect.y === currentRect.y || element?.closest('section, [role=dialog]')) return
      if (node === null && wasAmongRows(source)) return
      shifts.push(`${node?.textContent?.slice(0, 60)}: ${previousRect.y} → ${currentRect.y}`)
    }
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as Shift[]) entry.sources.forEach(note)
    }).observe({ type: 'layout-shift' })
  })

const readShifts = (page: Page) => page.evaluate(() => (window as unknown as Shifts).shifts)

type Click = (step: string, act: () => Promise<unknown>) => Promise<void>

async function begin(page: Page): Promise<{ click: Click; read: () => number }> {
  const before = await readLandmarks(page)
  let count = 0
  const click: Click = async (step, act) => {
    count += 1
    await act()
    await expect(frame(page)).toHaveAttribute('aria-busy', 'false', { timeout: 30_000 })
    await expectUnmoved(page, before, step)
  }
  return { click, read: () => count }
}

async function clickFilters(filters: Locator, click: Click): Promise<void> {
  const boxes = (group: string) =>
    filters.getByRole('group', { name: group, exact: true }).getByRole('checkbox')
  const symbols = filters.getByRole('list').first().getByRole('checkbox')
  for (const place of [4, 0, 5]) await click('a symbol', () => symbols.nth(place).click())
  for (const [group, places] of [
    ['Rating', [0, 3, 2]],
    ['Action', [1, 2]],
  ] as const) {
    for (const place of places) await click(group, () => boxes(group).nth(place).click())
  }
  await click('expired', () => filters.getByRole('radio', { name: 'Ended' }).click())
  for (const place of [4, 5]) await click('no symbol', () => symbols.nth(place).click())
  const takeOut = (name: string) =>
    filters.getByRole('button', { name: `Exclude ${name}`, exact: true }).click()
  for (const name of ['Strong Sell', 'Reiterated']) await click(name, () => takeOut(name))
  for (const name of ['1 y', '90 d']) {
    await click(name, () => filters.getByRole('button', { name }).click())
  }
  const users = filters.getByRole('list').nth(3).getByRole('checkbox')
  for (const place of [2, 0, 2]) await click('a user', () => users.nth(place).click())
  await click('no state', () => filters.getByRole('radio', { name: 'Ended' }).click())
  await click('no symbol', () => symbols.nth(0).click())
}

async function clickChips(page: Page, click: Click): Promise<void> {
  const chips = page.getByRole('button', { name: /^Remove filter/ })
  for (let times = 0; times < 2; times += 1) await click('a chip', () => chips.first().click())
  await click('the last chip', () => chips.last().click())
  await click('clear all', () => page.getByRole('button', { name: 'Clear all' }).click())
}

async function brush(page: Page): Promise<void> {
  const box = await page.getByRole('listbox', { name: /Posted over time/ }).boundingBox()
  if (!box) throw new Error('The chart does not exist.')
  await page.mouse.move(box.x + box.width * 0.3, box.y + 20)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 0.9, box.y + 20, { steps: 5 })
  await page.mouse.up()
  await expect(page).toHaveURL(/from=/)
}

async function beginAt(page: Page, viewport: { width: number; height: number }) {
  test.slow()
  await page.setViewportSize(viewport)
  await visit(page)
  await expect(page.getByRole('listbox', { name: /Posted over time/ })).toBeVisible()
  await watchShifts(page)
  const begun = await begin(page)
  await begun.click('a brush over the chart', () => brush(page))
  return begun
}

for (const width of [1024, 1440, 2560]) {
  test(`forty clicks among the filters move nothing, beside the table, at ${width} px`, async ({
    page,
  }) => {
    const { click, read } = await beginAt(page, { width, height: 900 })
    await clickFilters(rail(page), click)
    for (const name of ['User', 'Prediction', 'Posted']) {
      await click(`by ${name}`, () => header(page, name).getByRole('button', { name }).click())
    }
    await clickChips(page, click)
    await click('next page', () => nextPage(page).click())
    await click('previous page', () => previousPage(page).click())
    await clickFilters(rail(page), click)
    await click('clear all', () => page.getByRole('button', { name: 'Clear all' }).click())
    expect(read()).toBeGreaterThanOrEqual(40)
    expect(await readShifts(page)).toEqual([])
  })
}

for (const width of [390, 768]) {
  test(`forty clicks among the filters move nothing, in a drawer, at ${width} px`, async ({
    page,
  }) => {
    const outside = await beginAt(page, { width, height: 844 })
    const drawer = page.getByRole('dialog', { name: 'Filters' })
    const show = drawer.getByRole('button', { name: /^Show/ })
    const clicks: number[] = []
    for (let times = 0; times < 2; times += 1) {
      await page.getByRole('button', { name: /^Filters/ }).click()
      await expect(drawer.getByRole('radio', { name: 'Ended' })).toBeVisible()
      const inside = await begin(page)
      await clickFilters(drawer, inside.click)
      clicks.push(inside.read())
      await outside.click('the way back', () => show.click())
      await clickChips(page, outside.click)
    }
    await outside.click('next page', () => nextPage(page).click())
    await outside.click('previous page', () => previousPage(page).click())
    expect(clicks.reduce((sum, count) => sum + count, outside.read())).toBeGreaterThanOrEqual(40)
    expect(await readShifts(page)).toEqual([])
  })
}

/** How many elements are restyled when a button and a checkbox come in: the least of four times. */
async function countRestyled(browser: Browser, page: Page): Promise<number> {
  const counts: number[] = []
  for (let round = 0; round < 4; round += 1) {
    await browser.startTracing(page, { categories: ['devtools.timeline'] })
    await page.getByRole('main').evaluate(async (main) => {
      const part = document.createElement('div')
      part.innerHTML = '<input type="checkbox" checked><button class="cell-button">Filter</button>'
      main.append(part)
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    })
    const trace = JSON.parse((await browser.stopTracing()).toString())
    type Event = { name: string; args: { elementCount?: number } }
    const restyles: Event[] = trace.traceEvents.filter(
      ({ name }: Event) => name === 'UpdateLayoutTree',
    )
    expect(restyles.length).toBeGreaterThan(0)
    counts.push(Math.max(...restyles.map(({ args }) => args.elementCount ?? 0)))
  }
  return Math.min(...counts)
}

for (const path of ['/', '/symbols', '/users', '/lookups']) {
  for (const width of [390, 1440]) {
    test(`what comes into ${path} at ${width} px restyles itself, not the rows`, async ({
      browser,
      page,
    }) => {
      await page.setViewportSize({ width, height: 900 })
      await page.goto(path)
      await expect(page.getByRole('row').nth(20)).toBeAttached()
      const restyled = await countRestyled(browser, page)
      expect(restyled).toBeGreaterThan(0)
      expect(restyled).toBeLessThan(100)
    })
  }
}
