import { type Browser, chromium, type Page } from '@playwright/test'
import { type Figure, median, quantile } from './measure.ts'

declare global {
  interface Window {
    pageClock: PageClock
  }
}

const ROUNDS = 24
const ROWS = 'table tbody'
const COUNTS = 'aside[aria-label="Filters"]'
const OPTIONS = '[role="listbox"]:has([id*="option"])'

export async function measureScreen(url: string): Promise<Figure[]> {
  const browser = await openBrowser()
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    // esbuild wraps functions in `__name`, which the page lacks.
    await page.addInitScript('globalThis.__name = (made) => made')
    await page.addInitScript(installPageClock)
    await open(page, url)
    const filters = await timeFilters(page)
    await open(page, `${url}/?per_page=50`)
    const turns = await timeTurns(page)
    await open(page, url)
    const typed = await timeTyping(page)
    const { interactions, shifts } = await playJourney(page, url)
    return [
      latency('filter click to painted rows', filters.rows, 150),
      latency('filter click to painted counts', filters.counts, 250),
      latency('page turn to painted rows', turns, 100),
      latency('letter typed to painted suggestions', typed, 100),
      latency('interaction to next paint, 75th percentile of a journey', interactions, 200, 0.75),
      {
        what: 'cumulative layout shift of that journey',
        got: shifts.toFixed(4),
        aim: '0',
        met: shifts === 0,
        floor: '–',
      },
    ]
  } finally {
    await browser.close()
  }
}

const latency = (what: string, times: number[], aimMs: number, q = 0.5): Figure => ({
  what: `${what}, 1,000,000 ratings`,
  got: `${quantile(times, q).toFixed(0)} ms (median ${median(times).toFixed(0)}, p90 ${quantile(times, 0.9).toFixed(0)}, n=${times.length})`,
  aim: `≤ ${aimMs} ms`,
  met: quantile(times, q) <= aimMs,
  floor: '–',
})

async function open(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await page.getByRole('table', { name: 'Ratings' }).getByRole('row').nth(5).waitFor()
  await page.waitForLoadState('networkidle')
}

const begin = async (page: Page, selector: string) =>
  await page.evaluate((at) => window.pageClock.begin(at), selector)
const painted = async (page: Page) => await page.evaluate(() => window.pageClock.painted())

async function timeFilters(page: Page) {
  const rows: number[] = []
  const counts: number[] = []
  const names = ['Strong Buy', 'Moderate Buy', 'Hold', 'Moderate Sell', 'Strong Sell']
  const actions = ['Initiated', 'Upgraded', 'Downgraded', 'Reiterated']
  const boxes = [
    ...names.map((name) =>
      page.getByRole('group', { name: 'Rating' }).getByRole('checkbox', { name }),
    ),
    ...actions.map((name) =>
      page.getByRole('group', { name: 'Action' }).getByRole('checkbox', { name }),
    ),
  ]
  for (let round = 0; round < ROUNDS; round += 1) {
    const box = boxes[(round * 4) % boxes.length]
    if (!box) continue
    const [selector, times] =
      round % 2 === 0 ? ([ROWS, rows] as const) : ([COUNTS, counts] as const)
    await begin(page, selector)
    await box.click()
    times.push(await painted(page))
    await page.waitForLoadState('networkidle')
  }
  return { rows, counts }
}

async function timeTurns(page: Page): Promise<number[]> {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    await begin(page, ROWS)
    await page.getByRole('button', { name: 'Next page' }).click()
    times.push(await painted(page))
    await page.waitForLoadState('networkidle')
  }
  return times
}

async function timeTyping(page: Page): Promise<number[]> {
  const times: number[] = []
  const field = page.getByRole('combobox', { name: 'Symbol' })
  await field.click()
  await page.getByRole('option').first().waitFor()
  for (const word of ['NV', 'MS', 'TS', 'GO', 'AM', 'BR', 'CO', 'DI']) {
    for (const letter of word) {
      await begin(page, OPTIONS)
      await page.keyboard.type(letter)
      times.push(await painted(page).catch(() => Number.NaN))
    }
    for (const _letter of word) await page.keyboard.press('Backspace')
    await page.waitForLoadState('networkidle')
  }
  return times.filter((time) => !Number.isNaN(time))
}

async function playJourney(page: Page, url: string) {
  await open(page, url)
  const quiet = async () => await page.waitForLoadState('networkidle')
  const table = page.getByRole('table', { name: 'Ratings' })
  for (const name of ['Strong Buy', 'Hold']) {
    await page.getByRole('group', { name: 'Rating' }).getByRole('checkbox', { name }).click()
    await quiet()
  }
  for (const name of ['Prediction', 'Symbol', 'Posted']) {
    await table.getByRole('columnheader', { name }).getByRole('button', { name }).first().click()
    await quiet()
  }
  for (let turn = 0; turn < 4; turn += 1) {
    await page.getByRole('button', { name: 'Next page' }).click()
    await quiet()
  }
  await page.getByRole('combobox', { name: 'Symbol' }).pressSequentially('AAP', { delay: 60 })
  await page.getByRole('option', { name: /^AAPL/ }).click()
  await quiet()
  await page.keyboard.press('Escape')
  for (let back = 0; back < 3; back += 1) {
    await page.goBack()
    await quiet()
  }
  return await page.evaluate(() => ({
    interactions: window.pageClock.interactions(),
    shifts: window.pageClock.shifts().unexpected,
  }))
}

type PageClock = {
  /** Milliseconds from the last click or key. */
  begin(selector: string): void
  painted(): Promise<number>
  interactions(): number[]
  shifts(): { value: number; unexpected: number }
}

/** Runs in the page. */
function installPageClock(): void {
  let began = 0
  let before = ''
  let region = ''
  const longest = new Map<number, number>()
  const shifts = { value: 0, unexpected: 0 }
  for (const type of ['pointerdown', 'click', 'keydown', 'input']) {
    const note = (event: Event) => {
      began = event.timeStamp
    }
    window.addEventListener(type, note, { capture: true })
  }
  type Timing = PerformanceEntry & { interactionId?: number }
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as Timing[]) {
      const id = entry.interactionId ?? 0
      if (id > 0) longest.set(id, Math.max(longest.get(id) ?? 0, entry.duration))
    }
  }).observe({ type: 'event', durationThreshold: 16, buffered: true } as PerformanceObserverInit)
  type Shift = PerformanceEntry & { value: number; hadRecentInput: boolean }
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as Shift[]) {
      shifts.value += entry.value
      if (!entry.hadRecentInput) shifts.unexpected += entry.value
    }
  }).observe({ type: 'layout-shift', buffered: true })

  const read = () => document.querySelector(region)?.textContent ?? ''
  const isBusy = () => document.querySelector(region)?.closest('[aria-busy="true"]') !== null
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
  const clock: PageClock = {
    begin(selector) {
      region = selector
      before = read()
      began = 0
    },
    async painted() {
      const limit = performance.now() + 10_000
      while (began === 0 || read() === before || isBusy()) {
        if (performance.now() > limit) throw new Error(`nothing changed in ${region}`)
        await frame()
      }
      await frame()
      return performance.now() - began
    },
    interactions: () => [...longest.values()],
    shifts: () => shifts,
  }
  Object.assign(window, { pageClock: clock })
}

export async function openBrowser(): Promise<Browser> {
  return await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH || undefined,
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  })
}
