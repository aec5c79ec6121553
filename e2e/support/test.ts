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
  /** Parts of console messages that the journey provokes on purpose: `test.use({ allowConsole: ['404'] })`. */
  allowConsole: string[]
  watched: undefined
}

/** How long a page may take until it listens; one whose scripts are held back never does. */
const LISTENING_WITHIN_MS = 15_000

const OURS = new Set(['127.0.0.1', 'localhost', '[::1]'])

/**
 * Playwright's `test`, which also fails a journey on what nobody would see: a warning or an error in the console, an
 * exception or rejection that nothing caught, a request to any machine but this one.
 */
export const test = base.extend<Watch>({
  browser: [
    async ({ browser }, use) => {
      setClockOf(browser)
      await use(browser)
    },
    { scope: 'worker' },
  ],
  // A key that is pressed before the page listens is lost, and no reader is that quick.
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

/** From now on everything is noted that nobody would see; what it gives fails where there was any. */
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

/**
 * Waits until a tab that a page has opened shows this address, as the tab itself says: where it comes at once, the driver
 * may miss that it has arrived.
 */
export async function expectAddressOf(tab: Page, pattern: RegExp): Promise<void> {
  await expect.poll(() => tab.evaluate(() => window.location.href).catch(() => '')).toMatch(pattern)
}

export async function untilListening(page: Page): Promise<void> {
  await page
    .waitForFunction(isListening, undefined, { polling: 50, timeout: LISTENING_WITHIN_MS })
    .catch(() => {})
}

/** Runs in the page. React marks the elements that it has taken over. */
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

/** Another look changes colours and nothing else: names, roles and sizes are looked at once. */
const LOOKS = [
  { media: { colorScheme: 'light', forcedColors: 'none' }, runOnly: TAGS },
  { media: { colorScheme: 'dark', forcedColors: 'none' }, runOnly: ['color-contrast'] },
  { media: { colorScheme: 'light', forcedColors: 'active' }, runOnly: ['color-contrast'] },
] as const

/**
 * No violation of WCAG 2.2, levels A and AA, or of what is held to be good practice, that a machine can find on the page as
 * it stands: light, dark and in forced colours, or the first of these `looks`. Leaves the page light, and without motion.
 */
export async function expectNoAxeViolations(
  page: Page,
  looks: number = LOOKS.length,
): Promise<void> {
  const found: string[] = []
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  // What waits for its answer is dimmed on purpose.
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

/**
 * Runs in the page. Fifty rows are drawn as one is, and looking at each takes most of the time: of texts that have the
 * same colour, size and weight over the same backgrounds the first is looked at, and a row in which nothing is made or
 * drawn otherwise than in those before it is hidden, until `showAllRows`.
 */
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

  /** The backgrounds that an element stands on: its own, its ancestors', and what lies beside them out of the flow. */
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
    // What something lies over stands for no other.
    const { x, y, width, height } = element.getBoundingClientRect()
    const top = document.elementFromPoint(x + width / 2, y + height / 2)
    if (top && !element.contains(top) && !top.contains(element)) continue
    const { color, fontSize, fontWeight, textShadow } = look(element).style
    const key = [color, fontSize, fontWeight, textShadow, lookBehind(element)].join()
    if (!isNew(key, element)) repeated.push(element)
  }
  const hidden = [...document.querySelectorAll('tr')].filter((row) => !rowsWithNews.has(row))
  // Not within the loop: each mark would make the page lay itself out again for the next look.
  for (const element of repeated) element.setAttribute(alike, '')
  for (const row of hidden) row.style.visibility = 'hidden'
  const { axe } = window as unknown as { axe: typeof import('axe-core') }
  axe.configure({ rules: [{ id: 'color-contrast', selector: `:not([${alike}])` }] })
  // What passes is not described.
  const { violations } = await axe.run(document, { runOnly, resultTypes: ['violations'] })
  return violations.map(({ id, help, nodes }) => {
    const where = nodes.map((node) => `${node.target.join(' ')}: ${node.failureSummary ?? ''}`)
    return `${id} (${help})\n  ${where.join('\n  ')}`
  })
}

/** Runs in the page. */
function showAllRows(): void {
  for (const row of document.querySelectorAll('tr')) row.style.visibility = ''
}

/** Links and labels find the first element of an id only. */
export async function expectUniqueIds(page: Page): Promise<void> {
  const repeated = await page.evaluate(() => {
    const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id)
    return ids.filter((id, index) => ids.indexOf(id) !== index)
  })
  expect(repeated, 'repeated ids').toEqual([])
}

/** Nothing makes the page wider than its window. */
export async function expectNoOverflow(page: Page): Promise<void> {
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect(overflow).toBe(0)
}
