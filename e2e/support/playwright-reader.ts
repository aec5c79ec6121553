import { type BrowserContext, expect as base, type Locator, type Page } from '@playwright/test'
import { holds, type Part, READER, type Reader, WITHIN_MS } from './reader.ts'
import { untilListening } from './test.ts'

const expect = base.configure({ timeout: WITHIN_MS })

export async function openPlaywrightReader(context: BrowserContext): Promise<Reader> {
  const page = await context.newPage()
  await page.setViewportSize({ width: READER.width, height: READER.height })
  const address = () => page.url().slice(new URL(page.url()).origin.length)
  return {
    open: async (path) => {
      await page.goto(path)
      await untilListening(page)
    },
    back: async () => {
      await page.goBack()
    },
    resize: (width, height) => page.setViewportSize({ width, height }),
    click: (part) => locate(page, part).click(),
    // Over BiDi the page misses `fill`.
    fill: async (part, text) => {
      await locate(page, part).clear()
      await locate(page, part).pressSequentially(text)
    },
    choose: async (part, label) => {
      await locate(page, part).selectOption({ label })
    },
    press: (key) => page.keyboard.press(key),
    sees: async (part, text) => {
      await expect(locate(page, part)).toBeVisible()
      if (text !== undefined) await expect(locate(page, part)).toContainText(text)
    },
    seesNone: (part) => expect(locate(page, part)).toBeHidden(),
    seesFocusOn: (part) => expect(locate(page, part)).toBeFocused(),
    seesAddress: (wanted) =>
      expect(async () => {
        if (!holds(address(), wanted)) expect(address()).toBe(wanted)
      }).toPass({ timeout: WITHIN_MS }),
    textOf: (part) => locate(page, part).innerText(),
    targetOf: async (part) => (await locate(page, part).getAttribute('href')) ?? '',
    run: (script, taken) => page.evaluate(`(${script})(${JSON.stringify(taken)})`),
    picture: () => page.screenshot(),
  }
}

function locate(page: Page, { role, name, inside, place = 0 }: Part): Locator {
  const within = inside ? locate(page, inside) : page
  return within.getByRole(role, { name, exact: true }).nth(place)
}
