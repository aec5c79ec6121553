import type { Locator, Page, Route } from '@playwright/test'
import { holdRoute } from './support/hold-route.ts'
import { type Shift, watchShifts } from './support/layout-shift.ts'
import { withoutLive } from './support/live.ts'
import { freshnessLine } from './support/operator.ts'
import { frame, nextPage, rows, strongSell, table } from './support/ratings-page.ts'
import { expect, expectNoAxeViolations, test, untilListening } from './support/test.ts'

const SOON = { timeout: 2000 }
const ROWS = /\/api\/ratings(\?|$)/
const STATUS = '**/api/status'

const totalOf = (shifts: Shift[]) =>
  Math.round(100 * shifts.reduce((sum, { value }) => sum + value, 0)) / 100

async function patchStatus(page: Page, patch: (data: StatusData) => void) {
  await page.route(STATUS, async (route) => {
    const response = await route.fetch()
    const body = await response.json()
    patch(body.data)
    await route.fulfill({ response, json: body })
  })
}
const afterPolling = (page: Page, isSeen: () => Promise<void>) =>
  expect(async () => {
    await page.clock.runFor(25_000)
    await isSeen()
  }).toPass({ timeout: 40_000 })

type StatusData = {
  archive: { ratings: number; generation: number; complete_to: number }
  sync: { state: string; reason: string | null; checked_at: number; next_at: number | null }
  now: number
}

const boxOf = async (locator: Locator) => {
  const box = await locator.boundingBox()
  return box && [box.x, box.y, box.width, box.height].map(Math.round)
}

for (const width of [360, 1440]) {
  test(`nothing moves at ${width} px: not as the page loads, nor at a filter, nor as pages turn`, async ({
    page,
  }) => {
    const shifts = await watchShifts(page)
    await page.setViewportSize({ width, height: 900 })
    await page.goto('/')
    await expect(rows(page).first()).toBeVisible()
    await page.waitForLoadState('networkidle')
    expect(await shifts()).toEqual([])
    if (width < 1024) {
      await page.getByRole('button', { name: /^Filters/ }).click()
      await page.getByRole('dialog', { name: 'Filters' }).waitFor()
    }
    const slow = await holdRoute(page, ROWS)
    await strongSell(page).check()
    await expect(frame(page).or(page.locator('[aria-busy="true"]')).first()).toBeAttached()
    slow.release()
    await expect(strongSell(page)).toBeChecked()
    await page.waitForLoadState('networkidle')
    if (width < 1024) await page.getByRole('button', { name: /^Show/ }).click()
    await page.unroute(ROWS)
    await nextPage(page).click()
    await expect(page).toHaveURL(/page=2/)
    await page.waitForLoadState('networkidle')
    // CLS ignores shifts right after a click.
    const unasked = (await shifts()).filter(({ moved }) => !moved.includes('asked for'))
    expect(totalOf(unasked), JSON.stringify(unasked)).toBe(0)
  })
}

test('while a slow answer loads, the old rows stay where they are, dimmed with title, chips and export, and nothing moves', async ({
  page,
}) => {
  const shifts = await watchShifts(page)
  await page.goto('/')
  await expect(rows(page)).toHaveCount(50)
  const first = await rows(page).first().innerText()
  const box = await boxOf(frame(page))
  const slow = await holdRoute(page, ROWS)
  await strongSell(page).check()
  await expect(frame(page)).toHaveAttribute('aria-busy', 'true')
  expect(await rows(page).first().innerText()).toBe(first)
  const opacity = () =>
    table(page)
      .locator('tbody')
      .first()
      .evaluate((body) => Number(getComputedStyle(body).opacity))
  await expect.poll(opacity).toBeLessThan(0.8)
  const dimmed = page.getByRole('main').locator('.dimmed')
  for (const part of [
    dimmed.getByRole('heading', { level: 1 }),
    dimmed.getByRole('button', { name: /^Remove filter: rating/ }),
    dimmed.getByRole('link', { name: 'Export CSV' }),
  ]) {
    await expect(part).toBeVisible()
  }
  expect(await boxOf(frame(page))).toEqual(box)
  slow.release()
  await expect(frame(page)).toHaveAttribute('aria-busy', 'false')
  await expect.poll(opacity).toBe(1)
  await expect(dimmed).toHaveCount(0)
  expect(await boxOf(frame(page))).toEqual(box)
  expect(totalOf(await shifts())).toBe(0)
})

test('where there are no old rows, their outline is as high as the rows that come', async ({
  page,
}) => {
  await page.goto('/?symbol=NOSUCHSYMBOL')
  await expect(page.getByText('No rating matches')).toBeVisible()
  const slow = await holdRoute(page, ROWS)
  await page.getByRole('button', { name: 'Clear all filters', exact: true }).click()
  await expect(frame(page)).toHaveAttribute('aria-busy', 'true')
  const outlines = table(page).locator('tbody tr')
  await expect.poll(() => outlines.count()).toBeGreaterThan(10)
  const heights = async () => [
    await boxOf(frame(page)),
    await boxOf(table(page).locator('thead')),
    await boxOf(outlines.nth(0)),
    await boxOf(outlines.nth(9)),
  ]
  const outlined = await heights()
  slow.release()
  await expect(rows(page)).toHaveCount(50)
  expect(await heights()).toEqual(outlined)
})

test('nothing matches: the filter that excludes most stands first, and one click removes it', async ({
  page,
}) => {
  await page.goto('/?symbol=NOSUCHSYMBOL&rating=5')
  await expect(page.getByText('No rating matches')).toBeVisible()
  const { page: info } = await (await page.request.get('/api/ratings?rating=5')).json()
  const way = page
    .getByRole('listitem')
    .filter({ hasText: 'NOSUCHSYMBOL' })
    .getByRole('link')
    .first()
  await expect(page.getByRole('main')).toContainText(info.total.toLocaleString('en-US'))
  await way.click()
  await expect(page).toHaveURL(/\?rating=5$/)
  await expect(rows(page)).toHaveCount(50)
})

test.describe('when an answer does not come', () => {
  test.use({ allowConsole: ['Failed to load resource', 'net::ERR'] })

  const failures: [name: string, answer: (route: Route) => Promise<void>, words: RegExp][] = [
    ['no connection', (route) => route.abort(), /could not be reached/],
    [
      'an error of ours',
      (route) =>
        route.fulfill({
          status: 500,
          json: {
            success: false,
            code: 500,
            data: [],
            error: { type: 'internal', message: 'Something went wrong on our side.' },
          },
        }),
      /Something went wrong on our side/,
    ],
    [
      'an answer cut short',
      (route) => route.fulfill({ status: 200, contentType: 'application/json', body: '{"data":[' }),
      /received an invalid response/,
    ],
    [
      'a page of somebody between',
      (route) => route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad</h1>' }),
      /answered with error 502/,
    ],
  ]
  for (const [name, answer, words] of failures) {
    test(`${name}: the cause is said, the rows stay, and a retry mends it`, async ({ page }) => {
      await page.goto('/')
      await expect(rows(page)).toHaveCount(50)
      await page.route(ROWS, answer)
      await strongSell(page).check()
      const failure = page.getByRole('main').getByRole('alert')
      await expect(failure).toContainText(words, { timeout: 20_000 })
      await expect(failure).toContainText(/rows below were loaded earlier/)
      await expect(rows(page)).toHaveCount(50)
      await page.unroute(ROWS)
      await failure.getByRole('button', { name: 'Try again' }).click()
      await expect(failure).toBeHidden()
      await expect(rows(page).first()).toContainText('Strong Sell')
    })
  }

  test('the browser itself is offline: that is said, and all is well when it is back', async ({
    page,
    context,
  }) => {
    await page.goto('/')
    await expect(rows(page)).toHaveCount(50)
    await context.setOffline(true)
    await strongSell(page).check()
    const failure = page.getByRole('main').getByRole('alert')
    await expect(failure).toContainText(/could not be reached/, { timeout: 20_000 })
    await expect(rows(page)).toHaveCount(50)
    await context.setOffline(false)
    await failure.getByRole('button', { name: 'Try again' }).click()
    await expect(rows(page).first()).toContainText('Strong Sell')
  })

  for (const status of [429, 503]) {
    test(`${status} with a time to come again: it says so, waits so long, and comes again by itself`, async ({
      page,
    }) => {
      await page.goto('/')
      await expect(rows(page)).toHaveCount(50)
      let asked = 0
      await page.route(ROWS, async (route) => {
        asked += 1
        if (asked > 1) return await route.continue()
        await route.fulfill({
          status,
          headers: { 'retry-after': '2' },
          json: {
            success: false,
            code: status,
            data: [],
            error: { type: status === 429 ? 'rate_limited' : 'busy', message: 'Too much at once.' },
          },
        })
      })
      await strongSell(page).check()
      const failure = page.getByRole('main').getByRole('alert')
      await expect(failure).toContainText('Too much at once. Retrying in 2 s.')
      expect(asked).toBe(1)
      await expect(rows(page).first()).toContainText('Strong Sell')
      await expect(failure).toBeHidden()
    })
  }

  test('the dashboard gone: the header says so and how old what is seen is, and finds it again', async ({
    page,
  }) => {
    await withoutLive(page)
    await page.clock.install()
    await page.goto('/')
    await expect(freshnessLine(page)).toContainText(/Complete to \d\d:\d\d/)
    await page.route(STATUS, (route) => route.abort())
    await afterPolling(page, () =>
      expect(freshnessLine(page)).toContainText(
        /Dashboard unreachable.*complete to \d\d:\d\d/,
        SOON,
      ),
    )
    await expect(rows(page)).toHaveCount(50)
    await page.unroute(STATUS)
    await afterPolling(page, () => expect(freshnessLine(page)).toContainText(/: Complete to/, SOON))
  })
})

const PATHS = ['/', '/symbols', '/symbols/AAPL', '/users', '/users/1', '/downloads', '/status']

test('every page says in its header, narrow and wide, how fresh the data are', async ({ page }) => {
  const words = /Complete to \d\d:\d\d.*checked (just now|\d+ (min|h) ago)/
  for (const path of PATHS) {
    await page.goto(path)
    for (const width of [360, 1440]) {
      await page.setViewportSize({ width, height: 800 })
      await expect(freshnessLine(page), path).toContainText(words)
      await expect(freshnessLine(page), path).toBeInViewport()
      const clipped = await freshnessLine(page).evaluate((element) =>
        [...element.querySelectorAll('*')].some(
          (part) =>
            part.scrollWidth > part.clientWidth + 1 &&
            getComputedStyle(part).textOverflow === 'ellipsis',
        ),
      )
      expect(clipped, `${path} at ${width}`).toBe(false)
    }
  }
})

test('data that are older than they should be: the header says how old, and why', async ({
  page,
}) => {
  await withoutLive(page)
  await page.clock.install()
  let reason: string | null = 'The service could not be reached.'
  await patchStatus(page, (data) => {
    data.archive.complete_to = data.now - 3 * 3600
    data.sync.state = reason ? 'waiting' : 'idle'
    data.sync.reason = reason
    data.sync.next_at = data.now - 3000
  })
  await page.goto('/')
  await afterPolling(page, () =>
    expect(freshnessLine(page)).toContainText(
      /Complete to .*3 h old, The service could not be reached/,
      SOON,
    ),
  )
  await expect(rows(page)).toHaveCount(50)
  await expectNoAxeViolations(page)
  reason = null
  await afterPolling(page, () =>
    expect(freshnessLine(page)).toContainText(/3 h old, check overdue/, SOON),
  )
})

test('newer ratings are offered with their number, and move nothing before they are asked for', async ({
  page,
}) => {
  await withoutLive(page)
  await page.clock.install()
  await page.goto('/')
  const shown = await rows(page).allInnerTexts()
  await patchStatus(page, (data) => {
    data.archive.generation += 1
    data.archive.ratings += 12
  })
  const box = await boxOf(frame(page))
  const offer = page.getByRole('button', { name: '12 new ratings' })
  await afterPolling(page, () => expect(offer).toBeVisible(SOON))
  expect(await rows(page).allInnerTexts()).toEqual(shown)
  expect(await boxOf(frame(page))).toEqual(box)
  const [request] = await Promise.all([page.waitForRequest(ROWS), offer.click()])
  expect(request.url()).toContain('/api/ratings')
})

test('a tab that nobody sees asks nothing', async ({ page }) => {
  await withoutLive(page)
  await page.clock.install()
  await page.goto('/')
  await expect(rows(page)).toHaveCount(50)
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/api/')) asked.push(request.url())
  })
  const setHidden = (isHidden: boolean) =>
    page.evaluate((hidden) => {
      const state = hidden ? 'hidden' : 'visible'
      Object.defineProperty(document, 'visibilityState', { value: state, configurable: true })
      Object.defineProperty(document, 'hidden', { value: hidden, configurable: true })
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
    }, isHidden)
  await afterPolling(page, async () => expect(asked.length).toBeGreaterThan(0))
  await setHidden(true)
  // Requests begun before are reported before this one.
  await page.evaluate(() => fetch('/icon.svg'))
  asked.length = 0
  await page.clock.runFor(300_000)
  expect(asked).toEqual([])
  await setHidden(false)
  await expect.poll(() => asked.length).toBeGreaterThan(0)
})

test('two tabs with other filters do not disturb each other', async ({ page, context }) => {
  await page.goto('/?symbol=AAPL')
  const other = await context.newPage()
  await other.goto('/?symbol=MSFT')
  await untilListening(other)
  await strongSell(other).check()
  await expect(other).toHaveURL(/symbol=MSFT&rating=1/)
  await expect(page).toHaveURL(/\?symbol=AAPL$/)
  await expect(rows(page).first()).toContainText('AAPL')
  await page.reload()
  await expect(rows(page).first()).toContainText('AAPL')
  await other.close()
})

const NONSENSE = {
  id: 'x',
  symbol: '"open',
  user: 'twelve',
  rating: '4;5',
  action: '1.5',
  prediction: 'ten%',
  agree: '-',
  disagree: 'a',
  comments: 'b',
  created: 'last week',
  expires: 'soon',
  from: 'yesterday',
  to: '2024-02-31',
  prediction_min: '1e5',
  prediction_max: '+',
  prediction_above: 'NaN',
  prediction_below: '∞',
  state: 'dead',
  asof: '0x10',
  sort: 'beauty',
  page: '0',
  per_page: '5000',
  open: 'sesame',
  columns: 'DROP TABLE',
  __proto__x: '1',
}

test('nonsense in every parameter: the nearest view, each of them named, and one click mends it', async ({
  page,
}) => {
  const params = new URLSearchParams({ ...NONSENSE, constructor: '1' })
  await page.goto(`/?${params}`)
  await expect(rows(page)).toHaveCount(50)
  const notice = page.getByRole('status').filter({ hasText: 'Part of the address was ignored' })
  for (const name of params.keys()) {
    await expect(
      notice.getByRole('listitem').filter({ hasText: new RegExp(`^${name}\\b`) }),
    ).toHaveCount(1)
  }
  await notice.getByRole('link', { name: 'Remove the ignored part' }).click()
  await expect(page).toHaveURL(/\/$/)
  await expect(notice).toBeHidden()
  await expect(rows(page)).toHaveCount(50)
})

test('the API refuses the same with 400 and names each', async ({ request }) => {
  const { open, columns, ...query } = NONSENSE
  for (const path of ['/api/ratings', '/api/facets', '/api/ratings.csv']) {
    const names = Object.keys(query)
    const asked =
      path === '/api/facets' ? names.filter((name) => !/^(sort|page|per_page)$/.test(name)) : names
    const params = new URLSearchParams(
      Object.entries(query).filter(([name]) => asked.includes(name)),
    )
    const response = await request.get(`${path}?${params}`)
    expect(response.status(), path).toBe(400)
    const { error } = await response.json()
    expect(error.type).toBe('bad_request')
    const named = error.issues.map((issue: { parameter: string }) => issue.parameter)
    expect(
      asked.filter((name) => !named.includes(name)),
      path,
    ).toEqual([])
  }
})

test('with storage, clipboard and popups denied, the page works', async ({ page }) => {
  await page.addInitScript(() => {
    const deny = () => {
      throw new DOMException('denied', 'SecurityError')
    }
    for (const name of ['localStorage', 'sessionStorage', 'indexedDB']) {
      Object.defineProperty(window, name, { get: deny })
    }
    Object.defineProperty(navigator, 'clipboard', { value: { writeText: () => Promise.reject() } })
    document.execCommand = () => false
    window.open = () => null
  })
  await page.goto('/')
  await expect(rows(page)).toHaveCount(50)
  await strongSell(page).check()
  await expect(page).toHaveURL(/rating=1/)
  await expect(rows(page).first()).toContainText('Strong Sell')
  await nextPage(page).click()
  await expect(page).toHaveURL(/page=2/)
  const header = table(page).getByRole('columnheader', { name: /Prediction/ })
  await header
    .getByRole('button', { name: /Prediction/ })
    .first()
    .click()
  await expect(page).toHaveURL(/sort=-?prediction/)
  await page
    .getByRole('button', { name: /^Columns/ })
    .or(page.getByText('Columns', { exact: true }))
    .first()
    .click()
  await page.keyboard.press('Escape')
  await page.reload()
  await expect(page).toHaveURL(/sort=-?prediction/)
  await expect(rows(page)).toHaveCount(50)
})
