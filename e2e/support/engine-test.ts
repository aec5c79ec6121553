import { test as base } from '@playwright/test'
import { setClockOf } from './clock.ts'
import { answerForFirefox } from './firefox-bidi.ts'
import { openPlaywrightReader } from './playwright-reader.ts'
import type { Reader } from './reader.ts'
import { watch } from './test.ts'
import { startWebDriver } from './webdriver.ts'
import { openWebDriverReader } from './webdriver-reader.ts'

export { expect } from '@playwright/test'

export type BrowserDriver = {
  by: 'playwright' | 'webdriver'
  driver?: string
  screen?: string | null
}

type Visit = { reader: Reader; end(): Promise<void> }

type Fixtures = { reader: Reader }
type WorkerFixtures = { driven: BrowserDriver; comeIn: (baseURL: string) => Promise<Visit> }

export const test = base.extend<Fixtures, WorkerFixtures>({
  driven: [{ by: 'playwright' }, { option: true, scope: 'worker' }],
  comeIn: [
    async ({ driven, playwright, browserName, launchOptions, channel }, use) => {
      if (driven.by === 'webdriver') {
        const driver = await startWebDriver(driven.driver ?? '', driven.screen ?? null)
        await use(async (baseURL) => {
          const session = await driver.start()
          const reader = await openWebDriverReader(session, baseURL)
          return { reader, end: () => session.end() }
        })
        await driver.stop()
        return
      }
      if (channel === 'moz-firefox') answerForFirefox()
      const browser = await playwright[browserName].launch({ ...launchOptions, channel })
      setClockOf(browser)
      await use(async () => {
        const context = await browser.newContext()
        const expectNoSurprises = watch(context)
        const end = async () => {
          await context.close()
          expectNoSurprises()
        }
        return { reader: await openPlaywrightReader(context), end }
      })
      await browser.close()
    },
    { scope: 'worker' },
  ],
  reader: async ({ comeIn, baseURL }, use, info) => {
    const { reader, end } = await comeIn(baseURL ?? '')
    await use(reader)
    if (info.status !== info.expectedStatus) {
      const body = await reader.picture().catch(() => null)
      if (body) await info.attach('picture', { body, contentType: 'image/png' })
    }
    await end()
  },
})
