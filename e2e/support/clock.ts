import type { Browser } from '@playwright/test'
import { shiftClock } from '../../testing/clock.mjs'

export function setClockOf(browser: Browser): void {
  const { newContext } = browser
  browser.newContext = async (...args) => {
    const context = await newContext.apply(browser, args)
    await context.addInitScript(shiftClock, Number(process.env.CLOCK_AHEAD_SECONDS) * 1000)
    return context
  }
}
