import type { Locator, Page } from '@playwright/test'
import { startApp } from './support/app.ts'
import { header, nextPage, readNames, rows } from './support/ratings-page.ts'
import { startSmallService } from './support/small-service.ts'
import { expect, expectAddressOf, expectNoOverflow, test } from './support/test.ts'

const sheet = (page: Page) => page.getByRole('complementary', { name: /^Rating -?\d+$/ })
const nameOf = (id: number) => `Rating ${id}`

const ask = async (page: Page, path: string) => await (await page.request.get(path)).json()
const idsOf = async (page: Page, query: string): Promise<number[]> =>
  (await ask(page, `/api/ratings${query}`)).data.map((row: { id: number }) => row.id)

async function idAt(page: Page, place: number): Promise<number> {
  return Number(await rows(page).nth(place).getAttribute('data-rating'))
}

async function readCovered(page: Page): Promise<string[]> {
  const place = (await readNames(page)).indexOf('Posted')
  const needed: Record<string, Locator> = {
    export: page.getByRole('link', { name: /^Export/ }),
    columns: page.getByRole('button', { name: 'Columns' }),
    views: page.getByRole('button', { name: 'Views' }),
    'as of': page.getByRole('button', { name: 'As of now' }),
    chart: page.getByRole('figure', { name: /^Ratings posted over time/ }),
    rating: rows(page).nth(4).getByRole('cell').nth(2),
    posted: rows(page).nth(4).getByRole('cell').nth(place),
    'posted, its heading': header(page, 'Posted'),
    'next page': nextPage(page),
    'rows per page': page.getByRole('combobox', { name: 'Rows per page' }),
  }
  const box = await sheet(page).boundingBox()
  const covered: string[] = []
  for (const [what, part] of Object.entries(needed)) {
    const own = await part.boundingBox()
    const isBeside =
      box &&
      own &&
      (own.x + own.width <= box.x || own.y + own.height <= box.y || own.y >= box.y + box.height)
    if (!isBeside) covered.push(what)
  }
  const date = await rows(page).nth(4).getByRole('cell').nth(place).boundingBox()
  const isSeen = await page.evaluate(
    ([x, y]) => document.elementFromPoint(x, y)?.closest('td')?.innerText ?? '',
    [(date?.x ?? 0) + 60, (date?.y ?? 0) + 15] as const,
  )
  return /^20\d\d-/.test(isSeen) ? covered : [...covered, 'the date itself']
}

test('Enter opens the row in a sheet, the table stays in use, Esc closes it where the reader was', {
  tag: '@core',
}, async ({ page }) => {
  await page.goto('/')
  const [third, fourth] = [await idAt(page, 2), await idAt(page, 3)]
  await rows(page).nth(2).focus()
  await page.keyboard.press('Enter')
  await expect(sheet(page)).toHaveAccessibleName(nameOf(third))
  await expect(page).toHaveURL(new RegExp(`[?&]open=${third}(&|$)`))
  await expect(sheet(page).getByText('Raw JSON')).toBeVisible()
  await expect(rows(page).nth(2)).toBeFocused()

  await page.keyboard.press('ArrowDown')
  await expect(rows(page).nth(3)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(sheet(page)).toHaveAccessibleName(nameOf(fourth))

  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await expect(sheet(page).locator(':focus')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(sheet(page)).toHaveCount(0)
  await expect(page).not.toHaveURL(/open=/)
  await expect(rows(page).nth(3)).toBeFocused()
})

test('a click on when a rating was posted opens the sheet, with a modifier its page; nothing moves up or down', async ({
  page,
  context,
}) => {
  await page.goto('/')
  const id = await idAt(page, 4)
  const link = rows(page).nth(4).locator('td.posted').getByRole('link')
  await expect(link).toHaveAttribute('href', `/ratings/${id}`)
  await page.evaluate(() => {
    type Shift = PerformanceEntry & {
      sources: readonly { previousRect: DOMRect; currentRect: DOMRect }[]
    }
    const shifts: number[] = []
    Object.assign(window, { shifts })
    new PerformanceObserver((list) => {
      for (const { sources } of list.getEntries() as Shift[]) {
        const moves = sources.map(({ previousRect, currentRect }) => currentRect.y - previousRect.y)
        shifts.push(...moves.filter((px) => px !== 0))
      }
    }).observe({ type: 'layout-shift' })
  })
  const before = await rows(page).nth(4).boundingBox()
  await link.click()
  await expect(sheet(page).getByText('Raw JSON')).toBeVisible()
  expect((await rows(page).nth(4).boundingBox())?.y).toBe(before?.y)
  await sheet(page).getByRole('button', { name: 'Close' }).click()
  await expect(sheet(page)).toHaveCount(0)
  await expect(rows(page).nth(4)).toBeFocused()
  expect(await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts)).toEqual([])

  for (const width of [1024, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    await rows(page).nth(4).press('Enter')
    await expect(sheet(page).getByText('Raw JSON')).toBeVisible()
    expect(await readCovered(page), `covered at ${width} px`).toEqual([])
    await sheet(page).getByRole('button', { name: 'Close' }).click()
  }

  const opened = context.waitForEvent('page')
  await link.click({ modifiers: ['ControlOrMeta'] })
  const other = await opened
  await expectAddressOf(other, new RegExp(`/ratings/${id}$`))
  await expect(sheet(page)).toHaveCount(0)
})

test('a link with an open rating shows the table and the sheet, and says what was said', {
  tag: '@core',
}, async ({ page }) => {
  const { data } = await ask(page, '/api/ratings?action=2&per_page=1')
  const [row] = data
  const html = await (await page.request.get(`/?open=${row.id}`)).text()
  expect(html).toContain('href="/symbols/')
  await page.goto(`/?symbol=${row.symbol}&action=2&open=${row.id}`)
  await expect(sheet(page).getByRole('heading', { level: 2 })).toContainText(row.symbol)
  await expect(sheet(page).getByRole('heading', { level: 2 })).toContainText(row.rating_label)
  await expect(
    sheet(page)
      .getByText(/^1 of /)
      .first(),
  ).toBeVisible()
})

test('previous and next walk through the whole result, over the edge of a page and back', async ({
  page,
}) => {
  const ids = await idsOf(page, '?symbol=AAPL&per_page=50')
  const [last, first, second] = [ids[24] ?? 0, ids[25] ?? 0, ids[26] ?? 0]
  await page.goto(`/?symbol=AAPL&per_page=25&open=${last}`)
  await expect(sheet(page).getByText(/^25 of /)).toBeVisible()
  await sheet(page).getByRole('button', { name: 'Next rating' }).click()
  await expect(sheet(page)).toHaveAccessibleName(nameOf(first))
  await expect(page).toHaveURL(/[?&]page=2(&|$)/)
  await expect(sheet(page).getByText(/^26 of /)).toBeVisible()
  await page.keyboard.press('j')
  await expect(sheet(page)).toHaveAccessibleName(nameOf(second))
  await page.keyboard.press('k')
  await page.keyboard.press('k')
  await expect(sheet(page)).toHaveAccessibleName(nameOf(last))
  await expect(page).not.toHaveURL(/[?&]page=/)
})

test('a rating that the filters leave out stays open, and the sheet says so', async ({ page }) => {
  const [id] = await idsOf(page, '?symbol=AAPL&per_page=1')
  const [first] = await idsOf(page, '?symbol=MSFT&per_page=1')
  await page.goto(`/?symbol=MSFT&open=${id}`)
  await expect(
    sheet(page).getByText('Not on this page of the results.', { exact: true }),
  ).toBeVisible()
  await expect(sheet(page).getByRole('heading', { level: 2 })).toContainText('AAPL')
  await page.keyboard.press('j')
  await expect(sheet(page)).toHaveAccessibleName(nameOf(first ?? 0))
})

test('back closes the sheet, forward opens it again; steps leave no trail', async ({ page }) => {
  await page.goto('/')
  await rows(page).nth(1).focus()
  await page.keyboard.press('Enter')
  await expect(sheet(page)).toBeVisible()
  const stepped = await idAt(page, 3)
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await expect(sheet(page)).toHaveAccessibleName(nameOf(stepped))
  await page.goBack()
  await expect(sheet(page)).toHaveCount(0)
  await expect(rows(page).first()).toBeVisible()
  await page.goForward()
  await expect(sheet(page)).toHaveAccessibleName(nameOf(stepped))
})

test('letters that are typed into a field do not step', async ({ page }) => {
  const [id] = await idsOf(page, '?per_page=1')
  await page.goto(`/?open=${id}`)
  await expect(sheet(page)).toBeVisible()
  await page.getByRole('combobox', { name: 'Symbol' }).pressSequentially('jk')
  await page.keyboard.press('Escape')
  await expect(sheet(page)).toHaveAccessibleName(nameOf(id ?? 0))
})

test('the link is copied whole, and the raw JSON is what the API says', async ({
  page,
  context,
  baseURL,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const [id] = await idsOf(page, '?action=3&per_page=1')
  await page.goto(`/?symbol=AAPL&sort=id&page=3&open=${id}`)
  await sheet(page).getByRole('button', { name: 'Copy link' }).click()
  await expect(sheet(page).getByRole('button', { name: 'Copied' })).toBeVisible()
  const readClipboard = () => page.evaluate(() => navigator.clipboard.readText())
  expect(await readClipboard()).toBe(`${baseURL}/ratings/${id}`)
  await sheet(page).getByText('Raw JSON').click()
  const shown = await sheet(page).getByRole('region', { name: 'Raw JSON' }).textContent()
  const { data } = await ask(page, `/api/ratings/${id}`)
  expect(JSON.parse(shown ?? '')).toEqual(data)
  expect(Object.keys(JSON.parse(shown ?? ''))).toEqual(Object.keys(data))
  await sheet(page).getByRole('button', { name: 'Copy JSON' }).click()
  await expect.poll(readClipboard).toBe(shown)
})

test('where the clipboard is forbidden, the link stands there to be taken by hand', async ({
  page,
  baseURL,
}) => {
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'clipboard', {
      value: { writeText: () => Promise.reject(new Error('denied')) },
    })
    document.execCommand = () => false
  })
  const [id] = await idsOf(page, '?per_page=1')
  await page.goto(`/?open=${id}`)
  await sheet(page).getByRole('button', { name: 'Copy link' }).click()
  const field = sheet(page).getByRole('textbox', { name: /did not allow copying/ })
  await expect(field).toHaveValue(`${baseURL}/ratings/${id}`)
})

test('the user’s other ratings on the symbol open in the sheet, or as their page', async ({
  page,
}) => {
  const { data } = await ask(page, '/api/ratings?action=4&per_page=1')
  const { history } = await ask(page, `/api/ratings/${data[0].id}`)
  const earlier = history.ratings.at(-2)
  await page.goto(`/?open=${data[0].id}`)
  const list = sheet(page).getByRole('region', { name: /^User .* on / })
  await list.locator(`a[href="/ratings/${earlier.id}"]`).click()
  await expect(sheet(page)).toHaveAccessibleName(nameOf(earlier.id))
  await expect(list.locator('[aria-current]')).toHaveAttribute('href', `/ratings/${earlier.id}`)
  await sheet(page).getByRole('link', { name: 'Open page' }).click()
  await expect(page).toHaveURL(new RegExp(`/ratings/${earlier.id}$`))
  await expect(page.getByRole('heading', { level: 1 })).toContainText(data[0].symbol)
  await page.goBack()
  await expect(sheet(page)).toHaveAccessibleName(nameOf(earlier.id))
})

test('on a phone the sheet is a dialog of the whole width, and Esc leads back', {
  tag: '@core',
}, async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  const [first, second] = await idsOf(page, '?per_page=2')
  await page.goto(`/?open=${first}`)
  const dialog = page.getByRole('dialog', { name: /^Rating/ })
  await expect(dialog).toHaveAccessibleName(nameOf(first ?? 0))
  await expect(dialog.getByText('Raw JSON')).toBeVisible()
  expect(await dialog.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true)
  await dialog.getByRole('button', { name: 'Next rating' }).click()
  await expect(dialog).toHaveAccessibleName(nameOf(second ?? 0))
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(page).not.toHaveURL(/open=/)
})

test.describe('what does not exist', () => {
  test.use({ allowConsole: ['404', 'ERR_FAILED', '500'] })

  test('an unknown rating says so in the sheet, and the table stays', async ({ page }) => {
    await page.goto('/?open=987654321')
    await expect(sheet(page).getByText('There is no rating 987654321')).toBeVisible()
    await expect(rows(page)).toHaveCount(50)
  })

  test('a rating that cannot be loaded says why, and can be tried again', async ({ page }) => {
    const isDown = { now: true }
    await page.route(/\/api\/ratings\/\d+/, async (route) => {
      if (isDown.now) await route.abort()
      else await route.continue()
    })
    await page.goto('/')
    await rows(page).first().focus()
    await page.keyboard.press('Enter')
    await expect(sheet(page).getByText(/could not be loaded/)).toBeVisible({ timeout: 20_000 })
    await expect(sheet(page).getByText(/could not be reached/)).toBeVisible()
    await expect(rows(page)).toHaveCount(50)
    isDown.now = false
    await sheet(page).getByRole('button', { name: 'Try again' }).click()
    await expect(sheet(page).getByText('Raw JSON')).toBeVisible()
  })

  test('the next page that cannot be loaded is said; the open rating stays', async ({ page }) => {
    const ids = await idsOf(page, '?symbol=AAPL&per_page=25')
    await page.route(/\/api\/ratings\?.*page=2/, (route) => route.abort())
    await page.goto(`/?symbol=AAPL&per_page=25&open=${ids[24]}`)
    await sheet(page).getByRole('button', { name: 'Next rating' }).click()
    await expect(sheet(page).getByRole('alert')).toContainText(
      'next page of the results could not be loaded',
      { timeout: 20_000 },
    )
    await expect(sheet(page)).toHaveAccessibleName(nameOf(ids[24] ?? 0))
  })

  test('the page of an unknown rating says so, and leads to all ratings', async ({ page }) => {
    const response = await page.goto('/ratings/987654321')
    expect(response?.status()).toBe(404)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('There is no rating 987654321')
    await expect(page).toHaveTitle('Rating 987654321 · Bellwether')
    await page.getByRole('main').getByRole('link', { name: 'All ratings' }).click()
    await expect(rows(page).first()).toBeVisible()
  })
})

test('a rating has a page of its own, with everything in it before any script runs', {
  tag: '@core',
}, async ({ page }) => {
  const { data } = await ask(page, '/api/ratings?action=2&per_page=1')
  const { id, symbol, user_id, rating_label } = data[0]
  const response = await page.request.get(`/ratings/${id}`)
  expect(response.status()).toBe(200)
  const html = await response.text()
  for (const text of ['Raw JSON', `href="/users/${user_id}"`]) {
    expect(html).toContain(text)
  }
  await page.goto(`/ratings/${id}`)
  await expect(page).toHaveTitle(
    new RegExp(`^${symbol}: .* → ${rating_label} by user ${user_id} · Bellwether$`),
  )
  const description = page.locator('meta[name="description"]')
  await expect(description).toHaveAttribute(
    'content',
    new RegExp(`Upgraded by user ${user_id} on `),
  )
  await expect(page.getByRole('heading', { level: 1 })).toContainText(rating_label)
  const all = page.getByRole('main').getByRole('link', { name: 'All ratings', exact: false })
  await expect(all.first()).toHaveAttribute('href', '/')
})

test('a rating’s page stands as it stood then, where the address asks for it', async ({ page }) => {
  const { data } = await ask(page, '/api/ratings?action=4&state=expired&per_page=1')
  const { id, created_at } = data[0]
  await page.goto(`/ratings/${id}?asof=${created_at}&nonsense=1`)
  await expect(page.getByText('Part of the address was ignored')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Time machine' })).toBeVisible()
  await expect(page.getByText('Active', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Back to now' }).click()
  await expect(page.getByText(/^(Replaced|Expired)$/)).toBeVisible()
  expect((await page.request.get(`/ratings/${id}?asof=${created_at - 1}`)).status()).toBe(404)
})

test('an address that is no rating’s is a 404, however it is mangled', async ({ request }) => {
  for (const id of ['abc', '-0', '1e3', '007', '1.5', '%00', '9'.repeat(400), '+1']) {
    const response = await request.get(`/ratings/${id}`)
    expect(response.status(), id).toBe(404)
  }
})

test('unknown fields of any kind are shown, and contained', async ({ browser }) => {
  test.setTimeout(120_000)
  const service = await startSmallService('hostile-key')
  const hostile = {
    note: '<img src=x onerror="window.wasHit = true"><script>window.wasHit = true</script>',
    'a name that is far too long to stand beside anything at all, and has no end to it': 1,
    deep: Array.from({ length: 40 }).reduce<unknown>((inner) => ({ inner }), 'end'),
    long: 'W'.repeat(30_000),
    turned: 'abc\u202edef\u0000',
    constructor: { name: 'x' },
  }
  Object.assign(service.ratings.at(-1) ?? {}, hostile, {
    symbol: 'A/B C&D<i>',
    rating: 77,
    rating_label: 'An opinion that takes its time '.repeat(6),
    action_label: 'Reconsidered after long and careful thought '.repeat(4),
    prediction: '-999999999999.999999',
    tally_agree: 2_147_483_647,
    expired_at: 1,
  })
  const app = await startApp({
    env: { RATINGS_BASE_URL: service.url, RATINGS_API_KEY: service.key },
  })
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  try {
    const page = await context.newPage()
    await expect
      .poll(async () => (await ask(page, `${app.url}/api/ratings/30`)).data?.extra ?? null)
      .not.toBeNull()
    for (const [path, width] of [
      ['/?open=30', 1440],
      ['/?open=30', 360],
      ['/ratings/30', 1440],
      ['/ratings/30', 360],
    ] as const) {
      await page.setViewportSize({ width, height: 900 })
      await page.goto(app.url + path)
      const said = page.locator('header', {
        has: page.getByRole('heading', { name: /^A\/B C&D<i>/ }),
      })
      expect(await said.evaluate((part) => part.scrollWidth - part.clientWidth), path).toBe(0)
      await expectNoOverflow(page)
      await page.getByText('Raw JSON', { exact: true }).click()
      const shown = await page.getByRole('region', { name: 'Raw JSON' }).textContent()
      const { data } = await ask(page, `${app.url}/api/ratings/30`)
      expect(JSON.parse(shown ?? '')).toEqual(data)
      expect(await page.evaluate(() => 'wasHit' in window)).toBe(false)
    }
  } finally {
    await context.close()
    await app.stop()
    await service.stop()
  }
})
