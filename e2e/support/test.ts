import AxeBuilder from '@axe-core/playwright'
import { test as base, type ConsoleMessage, expect, type Page } from '@playwright/test'

export { expect }

type Watch = {
  /** Parts of console messages that the journey provokes on purpose: `test.use({ allowConsole: ['404'] })`. */
  allowConsole: string[]
  watched: undefined
}

/** How long a page may take until it listens; one without scripts never does. */
const LISTENING_WITHIN_MS = 5000

const OURS = new Set(['127.0.0.1', 'localhost', '[::1]'])

/**
 * Playwright's `test`, which also fails a journey on what nobody would see: a warning or an error in the console, an
 * exception or rejection that nothing caught, a request to any machine but this one.
 */
export const test = base.extend<Watch>({
  // A key that is pressed before the page listens is lost, and no reader is that quick.
  page: async ({ page }, use) => {
    const { goto } = page
    page.goto = async (...args) => {
      const response = await goto.apply(page, args)
      await page
        .waitForFunction(isListening, undefined, { timeout: LISTENING_WITHIN_MS })
        .catch(() => {})
      return response
    }
    await use(page)
  },
  allowConsole: [[], { option: true }],
  watched: [
    async ({ context, allowConsole }, use) => {
      const surprises: string[] = []
      context.on('console', (message) => {
        const text = toSurprise(message)
        if (text && !allowConsole.some((part) => text.includes(part))) surprises.push(text)
      })
      context.on('weberror', (webError) => {
        surprises.push(`uncaught: ${webError.error().stack ?? webError.error().message}`)
      })
      context.on('request', (request) => {
        if (leavesThisMachine(request.url())) surprises.push(`request to ${request.url()}`)
      })
      await use(undefined)
      expect(surprises, 'nothing unexpected in console, errors and requests').toEqual([])
    },
    { auto: true },
  ],
})

/** React marks the elements that it has taken over. */
const isListening = () =>
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

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** Another look changes colours and nothing else: names, roles and sizes are looked at once. */
const LOOKS = [
  { media: { colorScheme: 'light', forcedColors: 'none' }, colourOnly: false },
  { media: { colorScheme: 'dark', forcedColors: 'none' }, colourOnly: true },
  { media: { colorScheme: 'light', forcedColors: 'active' }, colourOnly: true },
] as const

/**
 * No violation of WCAG 2.2, levels A and AA, that a machine can find on the page as it stands: light, dark and in forced
 * colours. Leaves the page light, and without motion.
 */
export async function expectNoAxeViolations(page: Page): Promise<void> {
  const found: string[] = []
  for (const { media, colourOnly } of LOOKS) {
    await page.emulateMedia({ ...media, reducedMotion: 'reduce' })
    // What passes is neither described nor gathered from other frames, of which there are none: that takes most of the time.
    const axe = new AxeBuilder({ page })
      .options({ resultTypes: ['violations'] })
      .setLegacyMode(true)
    const run = colourOnly ? axe.withRules(['color-contrast']) : axe.withTags(TAGS)
    const { violations } = await run.analyze()
    const look = media.forcedColors === 'active' ? 'forced colours' : media.colorScheme
    for (const { id, help, nodes } of violations) {
      const where = nodes.map((node) => `${node.target.join(' ')}: ${node.failureSummary ?? ''}`)
      found.push(`${look}: ${id} (${help})\n  ${where.join('\n  ')}`)
    }
  }
  await page.emulateMedia({ ...LOOKS[0].media, reducedMotion: 'reduce' })
  expect(found, 'accessibility violations').toEqual([])
}

/** Looks at a page in a narrow and in a wide window; one of them loads light, the other dark. */
export async function inEachLook(page: Page, look: () => Promise<void>): Promise<void> {
  for (const [width, colorScheme] of [
    [360, 'light'],
    [1440, 'dark'],
  ] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize({ width, height: 900 })
    await look()
  }
}

/** Nothing makes the page wider than its window. */
export async function expectNoOverflow(page: Page): Promise<void> {
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect(overflow).toBe(0)
}
