import type { Locator, Page } from '@playwright/test'
import { watchShifts } from './support/layout-shift.ts'
import { useLocalZone, zoneSelect } from './support/local-zone.ts'
import { readColumn, table } from './support/ratings-page.ts'
import { expect, test } from './support/test.ts'

const posted = (page: Page) => table(page).locator('tbody td.posted')
/** Of a cell in UTC. */
const instantOf = async (cell: Locator) =>
  ((await cell.getAttribute('title')) ?? '').replace(' UTC', 'Z').replace(' ', 'T')

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
    const html = await (await request.get('/?page=3')).text()
    const times = html.match(/ title="(\d{4}-\d\d-\d\d \d\d:\d\d):\d\d UTC"[^>]*><a [^>]*>\1</g)
    expect(times?.length).toBe(50)
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
