import { expect, expectNoAxeViolations, test } from './support/test.ts'

test('a reader goes from the table to a symbol and reads its chart', async ({ page }) => {
  await page.goto('/?symbol=AAPL')
  await page
    .getByRole('table', { name: 'Ratings' })
    .getByRole('link', { name: 'AAPL' })
    .first()
    .click()
  await expect(page).toHaveURL(/\/symbols\/AAPL$/)
  await expect(page.getByRole('heading', { level: 1, name: 'AAPL' })).toBeVisible()
  const figure = page.getByRole('figure', { name: 'Rating and prediction over time, AAPL' })
  await expect(figure).toBeVisible()
  await expect(figure.getByRole('application').first()).toBeVisible()
})

test('the chart and its table say the same as the API', async ({ page }) => {
  await page.goto('/symbols/AAPL?bucket=month')
  const { data } = await (await page.request.get('/api/symbols/AAPL/series?bucket=month')).json()
  await page.getByRole('button', { name: 'Show as table' }).click()
  const twin = page.getByRole('table', { name: /Rating and prediction over time, AAPL/ })
  await expect(twin).toBeVisible()
  const last = data.points.at(-1)
  const month = new Date(last.t * 1000).toISOString().slice(0, 7)
  const row = twin.getByRole('row').filter({ hasText: month })
  await expect(row).toContainText(Number(last.active).toLocaleString('en-US'))
})

test('a range and a bucket stand in the address, and come back with it', async ({ page }) => {
  await page.goto('/symbols/AAPL')
  await page
    .getByRole('radio', { name: '1Y' })
    .or(page.getByRole('button', { name: '1Y' }))
    .or(page.getByRole('link', { name: '1Y' }))
    .first()
    .click()
  await expect(page).toHaveURL(/from=\d{4}-\d{2}-\d{2}/)
  await page.reload()
  await expect(page).toHaveURL(/from=\d{4}-\d{2}-\d{2}/)
  await expect(
    page.getByRole('figure', { name: 'Rating and prediction over time, AAPL' }),
  ).toBeVisible()
})

test('case does not count in a symbol', async ({ page }) => {
  await page.goto('/symbols/aapl')
  await expect(page.getByRole('heading', { level: 1, name: 'AAPL' })).toBeVisible()
})

test('the league table sorts and finds', async ({ page }) => {
  await page.goto('/symbols')
  const table = page.getByRole('table', { name: 'Symbols' })
  await expect(table.getByRole('link', { name: 'AAPL' })).toBeVisible()
  await table
    .getByRole('columnheader', { name: /Consensus/ })
    .getByRole('button')
    .or(table.getByRole('columnheader', { name: /Consensus/ }).getByRole('link'))
    .first()
    .click()
  await expect(page).toHaveURL(/sort=-?consensus/)
  await page
    .getByRole('searchbox')
    .or(page.getByRole('textbox', { name: /symbol/i }))
    .first()
    .fill('NVD')
  await expect(page).toHaveURL(/q=NVD/)
  await expect(table.getByRole('link', { name: 'NVDA' })).toBeVisible()
})

test('members have a table and a page', async ({ page }) => {
  await page.goto('/users')
  const first = page
    .getByRole('table', { name: 'Users' })
    .getByRole('cell')
    .getByRole('link')
    .first()
  const id = (await first.innerText()).replace(/\D/g, '')
  await first.click()
  await expect(page).toHaveURL(new RegExp(`/users/${id}$`))
  await expect(page.getByRole('heading', { level: 1 })).toContainText(id)
})

test.describe('what nobody rated, and who never rated', () => {
  test.use({ allowConsole: ['404'] })

  test('an unknown symbol is a page that says so, with 404', async ({ page }) => {
    const response = await page.goto('/symbols/NOSUCH')
    expect(response?.status()).toBe(404)
    await expect(page.getByText(/NOSUCH/).first()).toBeVisible()
  })

  test('an unknown member is a page that says so, with 404', async ({ page }) => {
    for (const path of ['/users/999999999', '/users/abc']) {
      const response = await page.goto(path)
      expect(response?.status()).toBe(404)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    }
  })

  test('an unknown address is a page that says so, with 404', async ({ page }) => {
    const response = await page.goto('/nowhere')
    expect(response?.status()).toBe(404)
    await expect(page.getByRole('link', { name: /ratings/i }).first()).toBeVisible()
  })
})

for (const path of ['/symbols', '/symbols/AAPL', '/users', '/users/1', '/downloads', '/status']) {
  for (const scheme of ['light', 'dark'] as const) {
    test(`${path} has no accessibility violation in ${scheme}, narrow and wide`, async ({
      page,
    }) => {
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
      for (const width of [360, 1440]) {
        await page.setViewportSize({ width, height: 900 })
        await page.goto(path)
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
        await expectNoAxeViolations(page)
        const overflow = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        )
        expect(overflow).toBe(0)
      }
    })
  }
}
