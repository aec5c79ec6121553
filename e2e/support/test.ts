import {
  type BrowserContext,
  test as base,
  type ConsoleMessage,
  expect,
  type Page,
} from '@playwright/test'
import axe from 'axe-core'
import { setClockOf } from './clock.ts'

export { expect }

type Watch = {
  allowConsole: string[]
  watched: undefined
}

const LISTENING_WITHIN_MS = 15_000

const OURS = new Set(['127.0.0.1', 'localhost', '[::1]'])

/** Fails on console warnings, uncaught errors and requests to other machines. */
export const test = base.extend<Watch>({
  browser: [
    async ({ browser }, use, { project }) => {
      setClockOf(browser)
      if (project.use.baseURL) await untilFilled(project.use.baseURL)
      await use(browser)
    },
    { scope: 'worker' },
  ],
  // Keys before hydration are lost.
  page: async ({ page, javaScriptEnabled }, use) => {
    if (javaScriptEnabled === false) return await use(page)
    const { goto, reload } = page
    page.goto = async (...args) => {
      const response = await goto.apply(page, args)
      await untilListening(page)
      return response
    }
    page.reload = async (...args) => {
      const response = await reload.apply(page, args)
      await untilListening(page)
      return response
    }
    await use(page)
    // A route handler may still be waiting for a response.
    if (!page.isClosed()) await page.unrouteAll({ behavior: 'ignoreErrors' })
  },
  allowConsole: [[], { option: true }],
  watched: [
    async ({ context, allowConsole }, use) => {
      const expectNoSurprises = watch(context, allowConsole)
      await use(undefined)
      expectNoSurprises()
    },
    { auto: true },
  ],
})

/** Returns the final check. */
export function watch(context: BrowserContext, allowed: readonly string[] = []): () => void {
  const surprises: string[] = []
  context.on('console', (message) => {
    const text = toSurprise(message)
    if (text && !allowed.some((part) => text.includes(part))) surprises.push(text)
  })
  context.on('weberror', (webError) => {
    surprises.push(`uncaught: ${webError.error().stack ?? webError.error().message}`)
  })
  context.on('request', (request) => {
    if (leavesThisMachine(request.url())) surprises.push(`request to ${request.url()}`)
  })
  return () => expect(surprises, 'nothing unexpected in console, errors and requests').toEqual([])
}

/** Playwright may miss a fast navigation. */
export async function expectAddressOf(tab: Page, pattern: RegExp): Promise<void> {
  await expect.poll(() => tab.evaluate(() => window.location.href).catch(() => '')).toMatch(pattern)
}

/** A server that answers may still be reading prices and look-ups, which change its pages. */
async function untilFilled(baseURL: string): Promise<void> {
  const read = async (path: string) => (await (await fetch(baseURL + path)).json()).data
  await expect
    .poll(async () => {
      const [status, lookups] = await Promise.all([read('/api/status'), read('/api/lookups')])
      return status.prices.read_at !== null && lookups.length > 0
    }, 'prices and look-ups are read')
    .toBe(true)
}

export async function untilListening(page: Page): Promise<void> {
  await page
    .waitForFunction(isListening, undefined, { polling: 50, timeout: LISTENING_WITHIN_MS })
    .catch(() => {})
}

/** React marks hydrated elements. */
export const isListening = (): boolean =>
  [...document.querySelectorAll('header, main button, main a')].every((element) =>
    Object.keys(element).some((key) => key.startsWith('__react')),
  )

function toSurprise(message: ConsoleMessage): string | null {
  if (message.type() !== 'error' && message.type() !== 'warning') return null
  return `${message.type()}: ${message.text()} (${message.location().url})`
}

function leavesThisMachine(address: string): boolean {
  const { protocol, hostname } = new URL(address)
  return /^(https?|wss?):$/.test(protocol) && !OURS.has(hostname)
}

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Other themes only change colors. */
const LOOKS = [
  { media: { colorScheme: 'light', forcedColors: 'none' }, runOnly: TAGS },
  { media: { colorScheme: 'dark', forcedColors: 'none' }, runOnly: ['color-contrast'] },
  { media: { colorScheme: 'light', forcedColors: 'active' }, runOnly: ['color-contrast'] },
] as const

/** Leaves the page light and without motion. */
export async function expectNoAxeViolations(
  page: Page,
  looks: number = LOOKS.length,
): Promise<void> {
  const found: string[] = []
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  // Pending content is dimmed on purpose.
  await page
    .waitForFunction(() => !document.querySelector('[aria-busy="true"]'), undefined, {
      timeout: LISTENING_WITHIN_MS,
    })
    .catch(() => {})
  for (const { media, runOnly } of LOOKS.slice(0, looks)) {
    await page.emulateMedia({ ...media, reducedMotion: 'reduce' })
    const violations = await page.evaluate(runAxe, [...runOnly])
    const look = media.forcedColors === 'active' ? 'forced colours' : media.colorScheme
    found.push(...violations.map((violation) => `${look}: ${violation}`))
  }
  await page.evaluate(showAllRows)
  await page.emulateMedia({ ...LOOKS[0].media, reducedMotion: 'reduce' })
  expect(found, 'accessibility violations').toEqual([])
}

/** Runs in the page. Hides repeated rows until `showAllRows`, for speed. */
async function runAxe(runOnly: string[]): Promise<string[]> {
  type Drawn = { style: CSSStyleDeclaration; background: string; own: string }
  const drawn = new Map<Element, Drawn>()
  const behind = new Map<Element | null, string>([[null, '']])

  function look(element: Element): Drawn {
    const known = drawn.get(element)
    if (known) return known
    const style = getComputedStyle(element)
    const { backgroundColor, backgroundImage, opacity, position } = style
    const isClear = backgroundColor === 'rgba(0, 0, 0, 0)' && backgroundImage === 'none'
    const background = isClear ? '' : `${backgroundColor} ${backgroundImage}`
    const place = position === 'static' || position === 'relative' ? '' : position
    const own = [background, opacity === '1' ? '' : opacity, place].join(' ').trim()
    drawn.set(element, { style, background, own })
    return { style, background, own }
  }

  function lookBehind(element: Element | null): string {
    const known = behind.get(element)
    if (known !== undefined || !element) return known ?? ''
    const beside = [...element.children]
      .map(look)
      .filter(({ style, background }) => background && style.position === 'absolute')
      .map(({ background }) => background)
    const own = [look(element).own, ...beside].filter(Boolean).join(' + ')
    const all = lookBehind(element.parentElement) + (own && ` / ${own}`)
    behind.set(element, all)
    return all
  }

  const alike = 'data-drawn-alike'
  for (const marked of document.querySelectorAll(`[${alike}]`)) marked.removeAttribute(alike)
  const seen = new Set<string>()
  const repeated: Element[] = []
  const rowsWithNews = new Set<Element | null>()
  const isNew = (key: string, element: Element) => {
    if (seen.has(key)) return false
    seen.add(key)
    rowsWithNews.add(element.closest('tr'))
    return true
  }
  for (const element of document.body.querySelectorAll('*')) {
    if (element.closest<HTMLElement>('tr')?.style.visibility === 'hidden') continue
    isNew([element.localName, ...element.getAttributeNames(), element.className].join(), element)
    const hasText = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE)
    if (!hasText || !element.checkVisibility({ visibilityProperty: true })) continue
    const { x, y, width, height } = element.getBoundingClientRect()
    const top = document.elementFromPoint(x + width / 2, y + height / 2)
    if (top && !element.contains(top) && !top.contains(element)) continue
    const { color, fontSize, fontWeight, textShadow } = look(element).style
    const key = [color, fontSize, fontWeight, textShadow, lookBehind(element)].join()
    if (!isNew(key, element)) repeated.push(element)
  }
  const hidden = [...document.querySelectorAll('tr')].filter((row) => !rowsWithNews.has(row))
  // Writing in the loop would force layouts.
  for (const element of repeated) element.setAttribute(alike, '')
  for (const row of hidden) row.style.visibility = 'hidden'
  const { axe } = window as unknown as { axe: typeof import('axe-core') }
  axe.configure({
    rules: [
      { id: 'color-contrast', selector: `:not([${alike}])` },
      // A menu opens beside the page's landmarks.
      { id: 'region', selector: 'body *:not([data-base-ui-portal], [data-base-ui-portal] *)' },
    ],
  })
  // Focus guards are focusable by design.
  const context = { exclude: ['[data-base-ui-focus-guard]'] }
  const { violations } = await axe.run(context, { runOnly, resultTypes: ['violations'] })
  return violations.map(({ id, help, nodes }) => {
    const where = nodes.map((node) => `${node.target.join(' ')}: ${node.failureSummary ?? ''}`)
    return `${id} (${help})\n  ${where.join('\n  ')}`
  })
}

function showAllRows(): void {
  for (const row of document.querySelectorAll('tr')) row.style.visibility = ''
}

export async function expectUniqueIds(page: Page): Promise<void> {
  const repeated = await page.evaluate(() => {
    const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id)
    return ids.filter((id, index) => ids.indexOf(id) !== index)
  })
  expect(repeated, 'repeated ids').toEqual([])
}

export async function expectNoOverflow(page: Page): Promise<void> {
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect(overflow).toBe(0)
}
