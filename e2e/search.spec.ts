import type { Page } from '@playwright/test'
import { holdRoute } from './support/hold-route.ts'
import { saveMenu } from './support/save-chart.ts'
import { searchField as field, openSearch } from './support/search.ts'
import { expect, expectAddressOf, test } from './support/test.ts'

const opener = (page: Page) => page.getByRole('button', { name: /^Search, or filter/ })
const list = (page: Page) => page.getByRole('listbox', { name: 'Suggestions' })
const option = (page: Page, name: string | RegExp) => list(page).getByRole('option', { name })
const markedOption = (page: Page) => list(page).getByRole('option', { selected: true })
const rows = (page: Page) => page.getByRole('table', { name: 'Ratings' }).getByRole('row')

async function open(page: Page, path = '/') {
  await page.goto(path)
  await expect(opener(page)).toBeVisible()
  await page.waitForFunction(() => {
    const button = document.querySelector('button[aria-keyshortcuts]')
    return button !== null && Object.keys(button).some((key) => key.startsWith('__react'))
  })
}

const addressOf = (page: Page) => decodeURIComponent(new URL(page.url()).search)

test('a filter is typed, applied with Enter, and the address and the rows say the same', {
  tag: '@core',
}, async ({ page }) => {
  await open(page)
  await openSearch(page)
  await field(page).fill(
    'symbol:AAPL,MSFT rating:>=4 prediction:>10 -user:12 posted:>=2019-01-01 sort:-prediction',
  )
  await expect(markedOption(page)).toHaveText(/Show ratings: .*\d ratings?$/)
  const promised = /([\d,]+) ratings?$/.exec((await markedOption(page).textContent()) ?? '')?.[1]
  await page.keyboard.press('Enter')
  await expect(field(page)).toBeHidden()
  await expect
    .poll(() => addressOf(page))
    .toBe(
      '?symbol=AAPL,MSFT&user=-12&rating=4,5&from=2019-01-01&prediction_above=10&sort=-prediction',
    )
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    new RegExp(`^${promised} rating`),
  )
  await expect(rows(page).nth(1)).toContainText(/AAPL|MSFT/)

  await openSearch(page, 'Control+k')
  await expect(field(page)).toHaveValue('')
  await expect(markedOption(page)).toHaveText('Edit this filter')
  await page.keyboard.press('Enter')
  await expect(field(page)).toHaveValue(
    'symbol:AAPL,MSFT -user:12 rating:4,5 prediction:>10 posted:>=2019-01-01 sort:-prediction ',
  )
  await page.keyboard.press('Control+k')
  await expect(field(page)).toBeHidden()
  await page.goBack()
  await expect.poll(() => addressOf(page)).toBe('')
})

test('a wrong word is named and selected, and nothing is applied until it is right', {
  tag: '@core',
}, async ({ page }) => {
  await open(page, '/symbols')
  await openSearch(page)
  for (const [text, words] of [
    ['rating:5 symbl:AAPL posted:2024', '“symbl:AAPL” is not a filter.'],
    ['x'.repeat(100_000), /begins a text that is too long/],
    ['symbol:A\u202e\u0000B rating:5', /A\\u202e\\u0000B” contains an unprintable character/],
    ['hello', /^Nothing found for “hello”/],
  ] as const) {
    await field(page).fill(text)
    await expect(list(page).getByRole('option')).toHaveCount(0)
    await page.keyboard.press('Enter')
    await expect(field(page)).toHaveAccessibleDescription(words)
    await expect(field(page)).toBeFocused()
  }
  await field(page).fill('rating:5 symbol: ')
  await page.keyboard.press('Enter')
  await expect(field(page)).toHaveAttribute('aria-invalid', 'true')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.type('AAPL')
  await expect(field(page)).not.toHaveAttribute('aria-invalid', 'true')
  await page.keyboard.press('Enter')
  await expect.poll(() => page.url()).toContain('/?symbol=AAPL&rating=5')
  await expect(rows(page).nth(1)).toContainText('AAPL')
})

test('a filter is completed by keyboard alone', async ({ page }) => {
  await open(page)
  await openSearch(page)
  await page.keyboard.type('sym')
  await page.keyboard.press('Tab')
  await expect(field(page)).toHaveValue('symbol:')
  await page.keyboard.type('msf')
  await expect(option(page, /^MSFT/)).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(field(page)).toHaveValue('symbol:MSFT ')
  await page.keyboard.type('rating:str')
  await page.keyboard.press('ArrowDown')
  await expect(markedOption(page)).toContainText('Strong Buy')
  const marked = await markedOption(page).getAttribute('id')
  await expect(field(page)).toHaveAttribute('aria-activedescendant', marked ?? '')
  await page.keyboard.press('Enter')
  await expect(field(page)).toHaveValue('symbol:MSFT rating:5 ')
  await page.keyboard.type('user:')
  await expect(page.getByRole('group', { name: 'Users' }).getByRole('option').first()).toBeVisible()
  for (let i = 0; i < 'user:'.length; i++) await page.keyboard.press('Backspace')
  await page.keyboard.press('Enter')
  await expect.poll(() => addressOf(page)).toBe('?symbol=MSFT&rating=5')
})

test('a symbol, a user, a rating and a page are reached from anywhere', async ({ page }) => {
  await open(page, '/downloads')
  const { release } = await holdRoute(page, '**/api/symbols?**')
  await openSearch(page, 'Control+k')
  await page.keyboard.type('tsla', { delay: 0 })
  await page.keyboard.press('Enter')
  await expect(page.getByText('Looking for symbols…').first()).toBeVisible()
  release()
  await expect(page).toHaveURL(/\/symbols\/TSLA$/)

  await openSearch(page, 'Control+k')
  await page.keyboard.type('amber acorn')
  await expect(markedOption(page)).toHaveText(/^SymbolAAPL/)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/symbols\/AAPL$/)

  await openSearch(page, 'Control+k')
  await page.keyboard.type('aapl')
  await option(page, /^Show ratings: AAPL/).click()
  await expect(page).toHaveURL(/\/\?symbol=AAPL$/)

  const { data } = await (await page.request.get('/api/ratings?per_page=1')).json()
  const { id, user_id } = data[0]
  await openSearch(page, 'Control+k')
  await page.keyboard.type(`#${user_id}`)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/users/${user_id}$`))

  await openSearch(page, 'Control+k')
  await page.keyboard.type(String(id))
  await option(page, `Rating #${id}`).click()
  await expect(page).toHaveURL(new RegExp(`/ratings/${id}$`))

  await openSearch(page, 'Control+k')
  await page.keyboard.type('stat')
  await option(page, /^Page Status/).click()
  await expect(page).toHaveURL(/\/status$/)

  await openSearch(page, 'Control+k')
  await field(page).fill('consensus')
  await expect(markedOption(page)).toHaveText(/^Wordconsensus/)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/docs\/glossary#consensus$/)
  await expect(page.getByRole('row', { name: /^consensus/ })).toBeInViewport()
})

test('what is highlighted is always in sight', async ({ page }) => {
  await open(page)
  await openSearch(page)
  const first = await list(page).getByRole('option').first().textContent()
  await page.keyboard.press('ArrowUp')
  await expect(markedOption(page)).not.toHaveText(first ?? '')
  await expect(markedOption(page)).toBeInViewport({ ratio: 1 })
  await page.keyboard.type('s')
  await expect(list(page).getByRole('option').first()).toHaveAttribute('aria-selected', 'true')
  await expect(markedOption(page)).toBeInViewport({ ratio: 1 })
})

test('actions of the page are found by their names', async ({ page }) => {
  await open(page, '/symbols/AAPL')
  await openSearch(page, 'Control+k')
  await page.keyboard.type('embed chart')
  await option(page, /^Save or embed the chart/).click()
  await expect(saveMenu(page)).toBeVisible()

  await open(page, '/?symbol=AAPL')
  await openSearch(page, 'Control+k')
  await page.keyboard.type('csv')
  await option(page, /^Export these rows/).click()
  await expect(page.getByRole('dialog', { name: /^Export [\d,]+ rows?$/ })).toBeVisible()
  expect(addressOf(page)).toBe('?symbol=AAPL')
})

test('Escape gives the focus back to where it was', async ({ page }) => {
  await open(page)
  const link = page.getByRole('link', { name: 'Users', exact: true })
  await link.focus()
  await openSearch(page)
  await page.keyboard.press('Escape')
  await expect(field(page)).toBeHidden()
  await expect(link).toBeFocused()
})

test('a new tab is opened on request', async ({ page, context }) => {
  await open(page)
  await openSearch(page)
  await field(page).fill('rating:5')
  const [tab] = await Promise.all([
    context.waitForEvent('page'),
    page.keyboard.press('Control+Enter'),
  ])
  await expectAddressOf(tab, /\?rating=5$/)
  expect(addressOf(page)).toBe('')
})

test.describe('when nothing can be looked up', () => {
  test.use({ allowConsole: ['Failed to load resource', 'net::ERR'] })

  test('that is said, and filters and pages still work', async ({ page }) => {
    await open(page, '/status')
    await page.route('**/api/symbols?**', (route) => route.abort())
    await openSearch(page)
    await page.keyboard.type('symbol:aapl')
    await expect(page.getByText('Symbols could not be looked up.').first()).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/\?symbol=AAPL$/)
  })
})

test('? lists the keys; single keys are switched off by choice, and the choice is kept', async ({
  page,
}) => {
  await open(page)
  const keys = page.getByRole('dialog', { name: 'Keys' })
  await openSearch(page)
  await page.keyboard.type('?')
  await expect(field(page)).toHaveValue('?')
  await page.getByRole('button', { name: 'All keys' }).click()
  await expect(keys.getByText('opens the rating beside the table')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(keys).toBeHidden()

  await page.getByRole('combobox', { name: 'Symbol' }).focus()
  await page.keyboard.type('?/')
  await expect(page.getByRole('combobox', { name: 'Symbol' })).toHaveValue('?/')
  // The list of options hides the rest of the page from a screen reader.
  await page.keyboard.press('Escape')
  await opener(page).focus()
  await page.keyboard.press('?')
  await expect(keys).toBeVisible()
  await keys.getByRole('checkbox', { name: /^Single-key shortcuts/ }).uncheck()
  await page.keyboard.press('Escape')

  await page.reload()
  await openSearch(page, 'Control+k')
  await page.keyboard.press('Escape')
  await page.keyboard.press('/')
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('what is typed before the search has loaded stands in it', async ({ page }) => {
  await open(page)
  const { release } = await holdRoute(page, '**/_next/static/chunks/**')
  const asked = page.waitForRequest('**/_next/static/chunks/**')
  await opener(page).click()
  await asked
  await page.keyboard.type('user:1')
  release()
  await expect(field(page)).toBeFocused()
  await page.keyboard.type('2')
  await expect(field(page)).toHaveValue('user:12')
})
