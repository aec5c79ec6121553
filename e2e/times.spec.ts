import type { Locator, Page } from '@playwright/test'
import { watchShifts } from './support/layout-shift.ts'
import { useLocalZone, zoneSelect } from './support/local-zone.ts'
import { readColumn, table } from './support/ratings-page.ts'
import { expect, test } from './support/test.ts'

/** A time on its own. */
const INSTANT = /^\d{4}-\d\d-\d\d \d\d:\d\d$/

const posted = (page: Page) => table(page).locator('tbody td.posted')
const instantOf = async (cell: Locator) =>
  new Date(1000 * Number(await cell.getAttribute('data-at'))).toISOString()
const card = (page: Page) =>
  page.getByRole('dialog', { name: /^\w{3} \d{1,2} \w{3} \d{4}, \d\d:\d\d / })

const clockOf = (page: Page, instant: string, timeZone: string) =>
  page.evaluate(
    ([iso = '', name]) =>
      new Intl.DateTimeFormat('sv-SE', {
        timeZone: name,
        dateStyle: 'short',
        timeStyle: 'short',
      }).format(new Date(iso)),
    [instant, timeZone] as const,
  )

const utcOf = (instant: string) => instant.slice(0, 16).replace('T', ' ')

const chooseLocal = async (page: Page) => {
  await zoneSelect(page).focus()
  await zoneSelect(page).selectOption({ label: 'Europe/Berlin (local)' })
}

/** A day in Europe/Berlin. */
const FILTERED = '/?from=2026-03-28T23:00:00Z&to=2026-03-29T22:00:00Z&rating=4'

test.describe('the zone', () => {
  test('is UTC, and the browser’s, once chosen, is in every time and stays', {
    tag: '@core',
  }, async ({ page }) => {
    const readShifts = await watchShifts(page)
    // The oldest rating stays the first row while newer ones arrive.
    await page.goto('/?symbol=AAPL&sort=created_at')
    await expect(zoneSelect(page)).toHaveValue('UTC')
    const first = posted(page).first()
    const instant = await instantOf(first)
    await expect(first).toHaveText(utcOf(instant))

    await chooseLocal(page)
    const local = await clockOf(page, instant, 'Europe/Berlin')
    await expect(first).toHaveText(local)
    expect(await readShifts()).toEqual([])

    await page.reload()
    await expect(first).toHaveText(local)
    await expect(zoneSelect(page)).toHaveValue('Europe/Berlin')
    expect(await readShifts()).toEqual([])

    await page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name: 'Symbols' })
      .click()
    await expect(page).toHaveURL('/symbols')
    await expect(zoneSelect(page)).toHaveValue('Europe/Berlin')

    await page.goBack()
    await expect(page).toHaveURL('/?symbol=AAPL&sort=created_at')
    await expect(first).toHaveText(local)
    await zoneSelect(page).selectOption('UTC')
    await expect(first).toHaveText(utcOf(instant))
  })

  test('is followed by another tab', async ({ page, context }) => {
    await page.goto('/?symbol=AAPL&sort=created_at')
    const other = await context.newPage()
    await other.goto('/?symbol=AAPL&sort=created_at')
    const first = posted(other).first()
    const instant = await instantOf(first)
    await chooseLocal(page)
    await expect(first).toHaveText(await clockOf(page, instant, 'Europe/Berlin'))
    await zoneSelect(page).selectOption('UTC')
    await expect(first).toHaveText(utcOf(instant))
  })

  test('is not known to the server, which writes UTC', async ({ request }) => {
    const html = await (await request.get('/?tz=America/New_York&page=3')).text()
    const times = [...html.matchAll(/ data-at="(\d+)"[^>]*>(\d{4}-\d\d-\d\d \d\d:\d\d)</g)]
    expect(times.length).toBe(50)
    for (const [, seconds, text] of times) {
      expect(text).toBe(utcOf(new Date(1000 * Number(seconds)).toISOString()))
    }
  })

  test('of an address is ignored, and the reader is told, on every page', async ({ page }) => {
    for (const path of ['/', '/symbols', '/users', '/symbols/AAPL']) {
      await page.goto(`${path}?tz=America/New_York`)
      await expect(page.getByText('tz “America/New_York” is not a parameter here')).toBeVisible()
      await expect(zoneSelect(page)).toHaveValue('UTC')
    }
  })

  test('of the browser moves nothing while pages load', async ({ page }) => {
    await useLocalZone(page)
    const readShifts = await watchShifts(page)
    for (const path of [
      '/',
      '/?asof=2024-08-02',
      '/symbols/AAPL',
      '/users/1',
      '/changes',
      FILTERED,
    ]) {
      await page.goto(path)
      await expect(zoneSelect(page)).toHaveValue('Europe/Berlin')
      expect(await readShifts(), path).toEqual([])
    }
  })

  test('decides where days begin: a day on which clocks change has 23 hours', async ({ page }) => {
    await useLocalZone(page)
    await page.goto('/')
    await page.getByLabel('From', { exact: true }).fill('2026-03-29')
    await page.getByLabel('To', { exact: true }).fill('2026-03-29')
    await expect(page).toHaveURL('/?from=2026-03-28T23:00:00Z&to=2026-03-29T22:00:00Z')
    await expect(page.getByText('on 2026-03-29', { exact: true })).toBeVisible()
    // As the server writes it.
    await expect(page).toHaveTitle(/posted 2026-03-28 23:00 to 2026-03-29 22:00/)
    await expect
      .poll(async () =>
        (await posted(page).allInnerTexts()).filter(
          (text) => /^\d{4}-/.test(text) && !text.startsWith('2026-03-29 '),
        ),
      )
      .toEqual([])
    await zoneSelect(page).selectOption('UTC')
    await expect(
      page.getByText('2026-03-28 23:00 to 2026-03-29 22:00', { exact: true }),
    ).toBeVisible()
  })

  test.describe('on a phone', () => {
    test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } })

    test('is chosen beside the theme', async ({ page }) => {
      await page.goto('/?symbol=AAPL&sort=created_at')
      const first = posted(page).first()
      const instant = await instantOf(first)
      await page.getByRole('button', { name: 'More', exact: true }).tap()
      await chooseLocal(page)
      await expect(first).toHaveText(await clockOf(page, instant, 'Europe/Berlin'))
      await expect(page.getByRole('button', { name: /^Theme: / })).toBeVisible()
    })
  })
})

test.describe('the card of a time', () => {
  test('opens under the pointer, stays while it is in it, and goes with Escape', async ({
    page,
  }) => {
    await page.goto('/')
    const first = posted(page).first()
    const instant = await instantOf(first)
    await first.hover()
    await expect(card(page)).toBeVisible()
    await expect(card(page)).toContainText(`${instant.slice(0, 19).replace('T', ' ')}Z`)
    await expect(card(page)).toContainText(await clockOf(page, instant, 'Europe/Berlin'))
    await expect(card(page)).toContainText(await clockOf(page, instant, 'America/New_York'))
    await expect(card(page)).toContainText(String(Date.parse(instant) / 1000))
    await expect(card(page)).toContainText(/ago|just now/)

    await card(page).getByText('Epoch').hover()
    await page.mouse.move(0, 0)
    await expect(card(page)).toBeHidden()
    await first.hover()
    await expect(card(page)).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(card(page)).toBeHidden()
  })

  test('is reached from a row by key, and the focus goes back there', async ({ page }) => {
    await page.goto('/')
    const row = table(page).getByRole('row').nth(1)
    const copies = card(page).getByRole('button', { name: /^Copy / })
    await expect(async () => {
      await row.press('t')
      await expect(copies.first()).toBeFocused({ timeout: 1000 })
    }).toPass()
    const name = await card(page).getAttribute('aria-label')
    await page.keyboard.press('t')
    await expect(card(page)).not.toHaveAttribute('aria-label', name ?? '')
    await page.keyboard.press('Escape')
    await expect(card(page)).toBeHidden()
    await expect(row).toBeFocused()
  })

  test('is a button elsewhere: Enter leads into it, Tab out of it', async ({ page }) => {
    await page.goto('/symbols/AAPL')
    const time = page.getByRole('button', { name: INSTANT }).first()
    await time.focus()
    await expect(card(page)).toBeVisible()
    await page.keyboard.press('Enter')
    const copies = card(page).getByRole('button', { name: /^Copy / })
    await expect(copies.first()).toBeFocused()
    await page.keyboard.press('Shift+Tab')
    await expect(time).toBeFocused()
    await expect(card(page)).toBeVisible()
    await page.keyboard.press('Tab')
    await expect(card(page)).toBeHidden()
  })

  test('stays closed where the focus passes over its time', async ({ page }) => {
    await page.clock.install()
    await page.goto('/symbols/AAPL')
    const time = page.getByRole('button', { name: INSTANT }).first()
    await time.focus()
    await expect(card(page)).toBeVisible()
    await page.keyboard.press('Escape')
    const elsewhere = page.getByRole('banner').getByRole('link', { name: /^Watching/ })
    await elsewhere.focus()
    await page.clock.pauseAt(Date.now() + 3_600_000)
    await time.focus()
    await elsewhere.focus()
    await page.clock.runFor(1000)
    await expect(card(page)).toBeHidden()
    await time.focus()
    await page.clock.runFor(1000)
    await expect(card(page)).toBeVisible()
  })

  test('moves nothing on the page', async ({ page }) => {
    await page.goto('/')
    await page.evaluate(() => {
      const sum = { shift: 0 }
      Object.assign(window, { sum })
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries())
          sum.shift += (entry as unknown as { value: number }).value
      }).observe({ type: 'layout-shift' })
    })
    await posted(page).nth(5).hover()
    await expect(card(page)).toBeVisible()
    expect(
      await page.evaluate(() => (window as unknown as { sum: { shift: number } }).sum.shift),
    ).toBe(0)
  })

  test.describe('with a clipboard', () => {
    test.use({ permissions: ['clipboard-read', 'clipboard-write'] })

    test('copies each form by a click', async ({ page }) => {
      await page.goto('/')
      const first = posted(page).first()
      const instant = await instantOf(first)
      await first.hover()
      await card(page).getByRole('button', { name: 'Copy Epoch' }).click()
      await expect(card(page).getByText('Copied', { exact: true })).toBeVisible()
      const copied = () => page.evaluate(() => navigator.clipboard.readText())
      expect(await copied()).toBe(String(Date.parse(instant) / 1000))
      await card(page).getByRole('button', { name: 'Copy UTC' }).click()
      await expect.poll(copied).toBe(`${instant.slice(0, 19).replace('T', ' ')}Z`)
    })
  })

  test('says so where the browser refuses to copy', async ({ page }) => {
    await page.addInitScript(() => {
      Object.defineProperty(navigator, 'clipboard', { value: undefined })
      document.execCommand = () => false
    })
    await page.goto('/')
    await posted(page).first().hover()
    await card(page).getByRole('button', { name: 'Copy UTC' }).click()
    await expect(card(page).getByText('Not copied', { exact: true })).toBeVisible()
  })

  test.describe('on a phone', () => {
    test.use({ hasTouch: true, isMobile: true, viewport: { width: 360, height: 740 } })

    test('opens by a tap and is in sight as a whole', async ({ page }) => {
      await page.goto('/symbols/AAPL')
      await page.getByRole('button', { name: INSTANT }).first().tap()
      await expect(card(page)).toBeVisible()
      const box = await card(page).boundingBox()
      expect(box?.x).toBeGreaterThanOrEqual(0)
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(360)
      const texts = card(page).locator('dd:not(:has(button))')
      for (const text of await texts.all()) {
        const fits = await text.evaluate((element) => element.scrollWidth <= element.clientWidth)
        expect(fits, await text.innerText()).toBe(true)
      }
      await page.getByRole('heading', { level: 1, name: 'AAPL' }).tap()
      await expect(card(page)).toBeHidden()
    })
  })
})

test.describe('a browser in German', () => {
  test.use({ locale: 'de-DE' })

  // A hydration error in the console fails the journey.
  test('gets the same page as any other, with numbers in English', async ({ page }) => {
    const read = async (language: string) =>
      (await page.request.get('/', { headers: { 'accept-language': language } })).text()
    // The cached page may expire in between.
    await expect(async () => expect(await read('de-DE')).toBe(await read('en-US'))).toPass({
      intervals: [0],
      timeout: 10_000,
    })
    const headline = (await read('de-DE')).match(/<h1[^>]*>([^<]*)</)?.[1] ?? ''
    expect(headline).toMatch(/^\d{2},\d{3} ratings$/)
    await page.goto('/')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(headline)
    const texts = await readColumn(page, 'Prediction')
    expect(texts.length).toBe(50)
    for (const text of texts) {
      expect(text.split('\n').at(-1)?.trim()).toMatch(/^[+−]?\d+(,\d{3})*\.\d+%$/)
    }
    for (const path of ['/symbols', '/symbols/AAPL', '/users', '/status', '/downloads']) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    }
  })
})
