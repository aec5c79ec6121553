import type { Page } from '@playwright/test'
import { holdRoute } from './support/hold-route.ts'
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
    'symbol:AAPL,MSFT rating:>=4 prediction:>10 -user:12 from:2019-01-01 sort:-prediction',
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

  await openSearch(page)
  await expect(field(page)).toHaveValue('')
  await expect(markedOption(page)).toHaveText('Edit this filter')
  await page.keyboard.press('Enter')
  await expect(field(page)).toHaveValue(
    'symbol:AAPL,MSFT -user:12 rating:4,5 prediction:>10 from:2019-01-01 sort:-prediction ',
  )
  await page.keyboard.press('Escape')
  await page.goBack()
  await expect.poll(() => addressOf(page)).toBe('')
})

test('from another page a filter leads to the table', async ({ page }) => {
  await open(page, '/symbols')
  await openSearch(page)
  await expect(field(page)).toHaveValue('')
  await field(page).fill('AAPL rating:5')
  await page.keyboard.press('Enter')
  await expect.poll(() => page.url()).toContain('/?symbol=AAPL&rating=5')
  await expect(rows(page).nth(1)).toContainText('AAPL')
})

test('a wrong word is marked where it stands, named, and nothing is applied until it is right', {
  tag: '@core',
}, async ({ page }) => {
  await open(page)
  await openSearch(page)
  await field(page).fill('rating:5 symbl:AAPL from:2024-01-01')
  const wrong = page.locator('[data-wrong]', { hasText: /^symbl:AAPL$/ })
  await expect(wrong).toHaveCount(1)
  await expect(field(page)).toHaveAttribute('aria-invalid', 'true')
  await expect(field(page)).toHaveAccessibleDescription(
    '“symbl:” is not a filter. Did you mean symbol?',
  )
  const [line, whole] = await Promise.all([wrong.boundingBox(), field(page).boundingBox()])
  const letter = await field(page).evaluate((input: HTMLInputElement) => {
    const context = document.createElement('canvas').getContext('2d')
    if (!context) return 0
    const { fontFamily, fontSize } = getComputedStyle(input)
    context.font = `${fontSize} ${fontFamily}`
    return context.measureText('0'.repeat(100)).width / 100
  })
  expect(Math.abs((line?.x ?? 0) - (whole?.x ?? 0) - 9 * letter)).toBeLessThan(1.5)
  expect(Math.abs((line?.width ?? 0) - 10 * letter)).toBeLessThan(1.5)

  await page.keyboard.press('Enter')
  await expect(field(page)).toBeFocused()
  expect(addressOf(page)).toBe('')
  expect(
    await field(page).evaluate((input: HTMLInputElement) =>
      input.value.slice(input.selectionStart ?? 0, input.selectionEnd ?? 0),
    ),
  ).toBe('symbl:AAPL')

  await option(page, 'symbol:AAPL').click()
  await expect(field(page)).toHaveValue('rating:5 symbol:AAPL from:2024-01-01')
  await expect(field(page)).not.toHaveAttribute('aria-invalid', 'true')
  await page.keyboard.press('Enter')
  await expect.poll(() => addressOf(page)).toBe('?symbol=AAPL&rating=5&from=2024-01-01')
})

test('the rest of a text can be applied without its wrong words', async ({ page }) => {
  await open(page)
  await openSearch(page)
  await field(page).fill('page:zz rating:5 ')
  await option(page, /^Apply the rest: Strong Buy/).click()
  await expect.poll(() => addressOf(page)).toBe('?rating=5')
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
  await expect(option(page, /Strong Buy/)).toBeVisible()
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
  await openSearch(page, 'Control+k')
  await page.keyboard.type('tsl')
  await page.getByRole('group', { name: 'Go to' }).getByRole('option', { name: /TSLA/ }).click()
  await expect(page).toHaveURL(/\/symbols\/TSLA$/)

  const { data } = await (await page.request.get('/api/ratings?per_page=1')).json()
  const { id, user_id } = data[0]
  await openSearch(page, 'Control+k')
  await page.keyboard.type(`#${user_id}`)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/users/${user_id}$`))

  await openSearch(page, 'Control+k')
  await page.keyboard.type(String(id))
  const rating = option(page, `Rating #${id}`)
  await expect(rating).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByRole('option', { name: `User #${id}`, exact: true })).toHaveCount(0)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/ratings/${id}$`))

  await openSearch(page, 'Control+k')
  await page.keyboard.type('stat')
  await option(page, /^Page Status/).click()
  await expect(page).toHaveURL(/\/status$/)
})

test('one symbol, one user or two symbols lead to their page, and “not” takes out what stands behind it', async ({
  page,
}) => {
  await open(page)
  let answer = () => {}
  const answered = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route('**/api/symbols?**', async (route) => {
    await answered
    await route.fallback()
  })
  await openSearch(page, 'Control+k')
  await page.keyboard.type('aapl', { delay: 0 })
  await page.keyboard.press('Enter')
  await expect(page.getByText('Looking for symbols…').first()).toBeVisible()
  answer()
  await expect(page).toHaveURL(/\/symbols\/AAPL$/)

  await openSearch(page, 'Control+k')
  await page.keyboard.type('aapl')
  await expect(markedOption(page)).toHaveText(/^SymbolAAPL/)
  await page.keyboard.press('ArrowDown')
  await expect(markedOption(page)).toHaveText(/^Show ratings: AAPL/)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/\?symbol=AAPL$/)

  await openSearch(page, 'Control+k')
  await page.keyboard.type('user 64')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/users\/64$/)

  await openSearch(page, 'Control+k')
  await page.keyboard.type('not user 64')
  await expect(markedOption(page)).toHaveText(/^Show ratings: not user #64/)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/\?user=-64$/)

  await openSearch(page, 'Control+k')
  await page.keyboard.type('compare aapl with msft and nosuch')
  await expect(page.getByText('NOSUCH has no ratings.').first()).toBeVisible()
  await expect(markedOption(page)).toHaveText(/^CompareAAPL and MSFT/)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/symbols\/AAPL\?vs=MSFT$/)
  await expect(page.getByRole('figure', { name: /^Consensus compared, AAPL, MSFT/ })).toBeVisible()
})

test('what can be done is found by its name: an export, a view, the chart, a link, the dumps', async ({
  page,
  context,
}) => {
  const panel = page.getByRole('dialog', { name: /^Export [\d,]+ rows?$/ })
  const say = async (text: string) => {
    await openSearch(page, 'Control+k')
    await page.keyboard.type(text)
    await page.keyboard.press('Enter')
  }
  await open(page, '/?symbol=AAPL')
  await say('csv')
  await expect(panel).toBeVisible()
  await expect(panel.getByRole('radio', { name: 'CSV' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(panel).toBeHidden()
  expect(addressOf(page)).toBe('?symbol=AAPL')

  await say('save view')
  await expect(page.getByRole('dialog', { name: 'Saved views' })).toBeVisible()
  await page.keyboard.press('Escape')

  await open(page, '/symbols/AAPL')
  await say('embed')
  await expect(page.getByRole('dialog', { name: 'Save chart' })).toBeVisible()
  await page.keyboard.press('Escape')
  await say('export')
  await expect(page).toHaveURL(/\/\?symbol=AAPL$/)
  await expect(panel).toBeVisible()

  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.keyboard.press('Escape')
  await say('copy link')
  await expect(field(page)).toHaveAccessibleDescription('The link to this page is copied.')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(page.url())
  await page.keyboard.press('Escape')
  await say('dumps')
  await expect(page).toHaveURL(/\/downloads$/)
})

test('actions and words are found on every page, a filtered one too', async ({ page }) => {
  for (const path of ['/?symbol=AAPL&rating=5', '/symbols/AAPL', '/status', '/docs/glossary']) {
    await open(page, path)
    await openSearch(page, 'Control+k')
    for (const [text, first] of [
      ['alert', /^New alert/],
      ['feed', /^Follow new ratings in a feed reader/],
      ['export', /^Export (these )?ratings/],
      ['theme', /^System theme/],
      ['compare AAPL MSFT', /^CompareAAPL and MSFT/],
      ['consensus', /^Wordconsensus/],
      ['vanished', /^Wordvanished/],
    ] as const) {
      await field(page).fill(text)
      await expect(markedOption(page), `${text} on ${path}`).toHaveText(first)
    }
    await field(page).fill('star')
    const star = path.includes('AAPL') ? /^Watch AAPL/ : /^PageWatching/
    await expect(markedOption(page)).toHaveText(star)
  }
  await field(page).fill('backups')
  await page.getByRole('group', { name: 'Docs' }).getByRole('option').first().click()
  await expect(page).toHaveURL(/\/docs\/[a-z]+(#|$)/)
  await openSearch(page, 'Control+k')
  await field(page).fill('vanished')
  await expect(markedOption(page)).toHaveText(/^Wordvanished/)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/docs\/glossary#vanished$/)
  await expect(page.getByRole('row', { name: /^vanished/ })).toBeInViewport()
})

test('an option stays under the pointer though answers come late, and what is pressed is taken', async ({
  page,
}) => {
  await open(page, '/downloads')
  const { release } = await holdRoute(page, '**/api/symbols?**')
  await openSearch(page, 'Control+k')
  await page.keyboard.type('s')
  const status = option(page, /^Page Status/)
  await expect(status).toBeVisible()
  const box = await status.boundingBox()
  if (!box) throw new Error('The option has no place.')
  await page.mouse.move(box.x + 60, box.y + 4)
  await page.mouse.move(box.x + 60, box.y + box.height / 2)
  await page.mouse.down()
  const answered = page.waitForResponse('**/api/symbols?**')
  release()
  await (await answered).finished()
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  )
  expect(await status.boundingBox()).toEqual(box)
  await page.mouse.up()
  await expect(page).toHaveURL(/\/status$/)
})

test('Ctrl K opens an empty field on a filtered page; again, it closes', async ({ page }) => {
  await open(page, '/?symbol=AAPL')
  await openSearch(page, 'Control+k')
  await expect(field(page)).toHaveValue('')
  await page.keyboard.type('down')
  await expect(field(page)).toHaveValue('down')
  await page.keyboard.press('Control+k')
  await expect(field(page)).toBeHidden()
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

test('recent searches survive a reload, are applied by Enter, and are forgotten when asked', async ({
  page,
}) => {
  await open(page)
  for (const text of ['rating:5 ', 'user:12 ']) {
    await openSearch(page)
    await field(page).fill(text)
    await page.keyboard.press('Enter')
    await expect(field(page)).toBeHidden()
  }
  await open(page, '/')
  await openSearch(page)
  const recent = page.getByRole('group', { name: 'Recent searches' }).getByRole('option')
  await expect(recent).toHaveText(['user:12', 'rating:5', 'Forget recent searches'])
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect.poll(() => addressOf(page)).toBe('?rating=5')
  await openSearch(page, 'Control+k')
  await page.keyboard.type('tlsa')
  await page
    .getByRole('group', { name: 'Symbols like TLSA' })
    .getByRole('option', { name: /TSLA/ })
    .click()
  await expect(page).toHaveURL(/\/symbols\/TSLA$/)
  await openSearch(page)
  await expect(recent).toHaveText(['SymbolTSLA', 'rating:5', 'user:12', 'Forget recent searches'])
  await option(page, 'Forget recent searches').click()
  await expect(recent).toHaveCount(0)
  await field(page).fill('dark')
  await option(page, 'Dark theme').click()
  await expect(field(page)).toBeHidden()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await expect(page.getByRole('button', { name: 'Theme: dark' })).toBeVisible()
})

test('where storage is forbidden, recent searches last until the page is closed, and that is said', async ({
  page,
}) => {
  await page.addInitScript(() => {
    const refuse = () => {
      throw new DOMException('denied', 'SecurityError')
    }
    Storage.prototype.setItem = refuse
    Storage.prototype.getItem = refuse
    Storage.prototype.removeItem = refuse
  })
  await open(page)
  await openSearch(page)
  await field(page).fill('rating:5')
  await page.keyboard.press('Enter')
  await expect.poll(() => addressOf(page)).toBe('?rating=5')
  await openSearch(page)
  await expect(option(page, 'rating:5')).toBeVisible()
  await expect(page.getByText('The browser stores nothing').first()).toBeVisible()
})

test('a new tab is opened on request, and where it is not, that is said', async ({
  page,
  context,
}) => {
  await open(page)
  await openSearch(page)
  await field(page).fill('rating:5')
  const [tab] = await Promise.all([
    context.waitForEvent('page'),
    page.keyboard.press('Control+Enter'),
  ])
  await expectAddressOf(tab, /\?rating=5$/)
  await tab.close()
  expect(addressOf(page)).toBe('')

  await page.evaluate(() => {
    window.open = () => null
  })
  await openSearch(page)
  await field(page).fill('rating:4')
  await page.keyboard.press('Control+Enter')
  await expect(field(page)).toHaveAccessibleDescription(/did not open a new tab/)
  await expect(field(page)).toHaveValue('rating:4')
})

test.describe('when nothing can be looked up', () => {
  test.use({ allowConsole: ['Failed to load resource', 'net::ERR'] })

  test('that is said, and filters and pages still work', async ({ page }) => {
    await open(page, '/status')
    await page.route('**/api/symbols?**', (route) => route.abort())
    await openSearch(page)
    await page.keyboard.type('aapl')
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

test('hostile text is refused in words, and the page stays as it was', async ({ page }) => {
  await open(page)
  await openSearch(page)
  for (const [text, words] of [
    ['x'.repeat(100_000), /more than 40000 characters/],
    ['symbol:A\u202e\u0000B x', /symbol “A\\u202e\\u0000B” contains an unprintable character/],
    ['rating:"5 x', /a quote that does not end/],
    ['__proto__:1 x', /“__proto__:” is not a filter/],
  ] as const) {
    await field(page).fill(text)
    await page.keyboard.press('Enter')
    await expect(field(page)).toHaveAccessibleDescription(words)
    expect(addressOf(page)).toBe('')
  }
})

test('an answer to Enter that comes late leaves what was selected since', async ({ page }) => {
  await open(page)
  await openSearch(page)
  const { release } = await holdRoute(page, /\/api\/symbols\?/)
  await field(page).fill('hello world')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Control+a')
  release()
  await expect(page.getByText(/^Nothing found for “hello world”/)).toBeVisible()
  await page.keyboard.type('downloads')
  await expect(field(page)).toHaveValue('downloads')
})

test('unknown words are no symbols: nothing is offered for them, and examples that work are', {
  tag: '@core',
}, async ({ page }) => {
  await open(page)
  await openSearch(page)
  const line = page.getByText(/^Nothing found for “.*”/)
  for (const text of ['hello', 'hello ', 'hello world', '😀']) {
    await field(page).fill(text)
    await expect(line).toContainText(text.trim())
    await expect(list(page)).toHaveCount(0)
    await page.keyboard.press('Enter')
    await expect(field(page)).toHaveAccessibleDescription(/^No symbol is called/)
    expect(addressOf(page)).toBe('')
  }
  const examples = line.getByRole('button')
  await expect(examples).toHaveCount(2)
  for (const at of [0, 1]) {
    await field(page).fill('hello')
    await expect(line).toBeVisible()
    await examples.nth(at).click()
    await expect(markedOption(page)).toHaveText(at === 0 ? /^Symbol/ : /\d ratings$/)
  }
})

test('a company is found by several words of its name, which are replaced as one', async ({
  page,
}) => {
  await open(page)
  await openSearch(page)
  await field(page).fill('hold amber aco')
  await expect(option(page, /^symbol:AAPL/)).toBeVisible()
  await expect(option(page, /Acorn/)).toHaveCount(2)
  await option(page, /^symbol:AAPL/).click()
  await expect(field(page)).toHaveValue('hold symbol:AAPL ')
  await field(page).fill('amber acorn')
  await option(page, /^Symbol\s*AAPL/).click()
  await expect(page).toHaveURL(/\/symbols\/AAPL$/)
})

test('a year that is said is the span that the date fields set, and an address of a year shows it there', async ({
  page,
}) => {
  const filters = page.getByRole('complementary', { name: 'Filters' })
  const first = filters.getByRole('textbox', { name: 'From', exact: true })
  const last = filters.getByRole('textbox', { name: 'To', exact: true })
  await open(page)
  await first.fill('2025-03-01')
  await last.fill('2025-03-31')
  await expect.poll(() => addressOf(page)).toBe('?from=2025-03-01&to=2025-04-01')
  await open(page)
  await openSearch(page)
  await field(page).fill('march 2025')
  await expect(markedOption(page)).toHaveText(/\d ratings?$/)
  await page.keyboard.press('Enter')
  await expect.poll(() => addressOf(page)).toBe('?from=2025-03-01&to=2025-04-01')
  await expect(first).toHaveValue('2025-03-01')
  await expect(last).toHaveValue('2025-03-31')
  await open(page, '/?created=2025')
  await expect(first).toHaveValue('2025-01-01')
  await first.fill('2025-06-01')
  await expect.poll(() => addressOf(page)).toBe('?from=2025-06-01&to=2026-01-01')
})

test('an instant that is said rewinds the page in sight, and leaves its filter', async ({
  page,
}) => {
  for (const [path, address] of [
    ['/?rating=5', '?rating=5&asof=2025-03-01'],
    ['/symbols/AAPL', '?asof=2025-03-01'],
    ['/users', '?asof=2025-03-01'],
  ] as const) {
    await open(page, path)
    await openSearch(page)
    await field(page).fill('on 2025-03-01')
    await expect(markedOption(page)).toHaveText('Rewind this page to 2025-03-01')
    await page.keyboard.press('Enter')
    await expect.poll(() => addressOf(page)).toBe(address)
    await expect(page.getByText(/2025-03-01/).first()).toBeVisible()
  }
  await open(page, '/status')
  await openSearch(page)
  await field(page).fill('a year ago')
  await expect(markedOption(page)).toHaveText(/^Show ratings: as of \d{4}-\d\d-\d\d/)
})

test('a filter that no rating matches is told, and not applied', async ({ page }) => {
  await open(page)
  await openSearch(page)
  await field(page).fill('symbol:HELLO rating:5')
  await expect(page.getByText('No rating matches: HELLO, Strong Buy').first()).toBeVisible()
  await expect(list(page).getByRole('option', { name: /Show ratings/ })).toHaveCount(0)
  await page.keyboard.press('Enter')
  await expect(field(page)).toHaveAccessibleDescription('No rating matches this filter.')
  expect(addressOf(page)).toBe('')
})

test('lines that are pasted are words', async ({ page }) => {
  await open(page)
  await openSearch(page)
  await field(page).evaluate((input) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text', 'symbol:AAPL\r\nrating:5')
    input.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    )
  })
  await expect(field(page)).toHaveValue('symbol:AAPL rating:5')
})

test('what is typed before the palette has loaded stands in it', async ({ page }) => {
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

test('the header does not move: neither as it loads, nor as the palette opens', async ({
  page,
}) => {
  await page.addInitScript(() => {
    const shifts: number[] = []
    Object.assign(window, { shifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const shift = entry as unknown as Shift
        const isPalette = shift.sources.every(({ node }) =>
          (node instanceof Element ? node : node?.parentElement)?.closest('dialog'),
        )
        // Parsing may shift content.
        const [read] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
        const isRead = read && read.domInteractive > 0 && entry.startTime > read.domInteractive
        if (isRead && !shift.hadRecentInput && !isPalette) shifts.push(shift.value)
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
  type Shift = { value: number; hadRecentInput: boolean; sources: { node: Node | null }[] }
  for (const width of [360, 800, 1440]) {
    await page.setViewportSize({ width, height: 800 })
    await open(page)
    await expect(rows(page).nth(1)).toBeVisible()
    await opener(page).click()
    await field(page).pressSequentially('aap')
    await expect(option(page, /symbol:AAPL/)).toBeVisible()
    await page.keyboard.press('Escape')
    const shifts = await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts)
    expect(shifts, `${width} px`).toEqual([])
  }
})
