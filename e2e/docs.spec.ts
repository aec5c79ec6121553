import { visit } from './support/ratings-page.ts'
import { expect, expectNoOverflow, test } from './support/test.ts'

test('from the index to a document, to an operation that is tried, to the keys', {
  tag: '@core',
}, async ({ page }) => {
  await page.goto('/docs')
  await page.getByRole('link', { name: 'How figures are defined' }).click()
  await expect(
    page.getByRole('heading', { level: 1, name: 'How figures are defined' }),
  ).toBeVisible()
  await expect(page.getByRole('region', { name: /^Table: / }).first()).toBeVisible()
  await page.getByRole('contentinfo').getByRole('link', { name: 'API' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'The API' })).toBeVisible()

  const route = '/api/symbols/{symbol}/series'
  await page.getByRole('link', { name: `GET ${route}`, exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: `GET ${route}` })).toBeVisible()
  const form = page.getByRole('form', { name: `Try ${route}` })
  await form.getByRole('textbox', { name: 'symbol' }).fill('aapl')
  await form.getByRole('combobox', { name: 'bucket' }).selectOption('month')
  await form.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByText(/^200 OK in [\d,]+ ms, application\/json, [\d.]+ kB$/)).toBeVisible()
  const answer = page.getByRole('region', { name: `Response of ${route}` })
  await expect(answer).toContainText('"bucket": "month"')
  const asked = page.getByRole('link', { name: '/api/symbols/aapl/series?bucket=month' })
  await expect(asked).toBeVisible()

  await form.getByRole('textbox', { name: 'from' }).fill('soon')
  await form.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByText(/^400 Bad Request/)).toBeVisible()
  await expect(answer).toContainText('"parameter": "from"')

  await page.getByRole('contentinfo').getByRole('link', { name: 'Help' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Help' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Table of ratings' })).toBeVisible()
})

test.use({ allowConsole: ['400 (Bad Request)'] })

test('without scripts a form leads on to the address that its fields ask', async ({ request }) => {
  const series = await request.get(
    '/docs/api/try?operation=getSeries&symbol=aapl&bucket=month&from=&nope=1',
  )
  expect(new URL(series.url()).pathname).toBe('/api/symbols/aapl/series')
  expect(new URL(series.url()).search).toBe('?bucket=month')
  expect((await series.json()).data.bucket).toBe('month')
  const nowhere = await request.get('/docs/api/try?operation=https://example.org')
  expect(new URL(nowhere.url()).pathname).toBe('/docs/api')
})

test.describe('somebody who comes for the first time', () => {
  test.use({ storageState: { cookies: [], origins: [] } })

  test('is told in one line what these ratings are, until it is put away', async ({ page }) => {
    const line = page.getByRole('complementary', { name: 'For newcomers' })
    await visit(page)
    await expect(line).toContainText(/^Demo data: [\d,]+ fictional users rate [\d,]+ stocks/)
    await expect(line.getByRole('link', { name: 'About Bellwether' })).toBeVisible()
    await expectNoOverflow(page)
    const tall = () => page.evaluate(() => document.documentElement.scrollHeight)
    expect(await tall()).toBe(await page.evaluate(() => window.innerHeight))
    await line.getByRole('button', { name: 'Hide' }).click()
    await expect(line).toBeHidden()
    expect(await tall()).toBe(await page.evaluate(() => window.innerHeight))
    await page.reload()
    await expect(page.getByRole('table', { name: 'Ratings' })).toBeVisible()
    await expect(line).toBeHidden()
  })
})

test('the texts in the pictures of /about are whole', async ({ page }) => {
  await page.goto('/about')
  const pictures = page.getByRole('main').getByRole('img')
  await expect(pictures.first()).toBeVisible()
  const cut = await pictures.evaluateAll((all) =>
    all.flatMap((picture) => {
      const box = picture.getBoundingClientRect()
      return [...picture.querySelectorAll('text')]
        .filter((text) => {
          const { top, right, bottom, left } = text.getBoundingClientRect()
          return top < box.top || right > box.right || bottom > box.bottom || left < box.left
        })
        .map((text) => text.textContent)
    }),
  )
  expect(cut).toEqual([])
})
