import type { Locator, Page } from '@playwright/test'
import { expect, expectNoAxeViolations, test } from './support/test.ts'

const table = (page: Page) => page.getByRole('table', { name: 'Ratings' })
const rows = (page: Page) =>
  table(page)
    .getByRole('row')
    .filter({ has: page.getByRole('cell') })
const header = (page: Page, name: string) =>
  table(page).getByRole('columnheader', { name, exact: true })
const headers = (page: Page) => table(page).getByRole('columnheader').allInnerTexts()
const names = async (page: Page) =>
  (await headers(page)).map((text) => text.replace(/[↑↓\n]/g, '').trim())
const edge = (page: Page, name: string) =>
  table(page).getByRole('separator', { name: `Width of ${name}` })
const widthOf = async (part: Locator) => Math.round((await part.boundingBox())?.width ?? 0)
const idsOf = (page: Page) =>
  rows(page).evaluateAll((all) => all.map((row) => Number((row as HTMLElement).dataset.rating)))

/** The cell of a column in a row. */
async function cell(page: Page, row: Locator, name: string): Promise<Locator> {
  return row.getByRole('cell').nth((await names(page)).indexOf(name))
}

const columnsMenu = (page: Page) => page.getByRole('dialog', { name: 'Columns' })

async function openColumns(page: Page) {
  await page.getByRole('button', { name: 'Columns' }).click()
  await expect(columnsMenu(page).getByRole('checkbox', { name: 'Symbol' })).toBeVisible()
}

/** The page as somebody finds it who has waited for its scripts. */
async function visit(page: Page, address = '/') {
  await page.goto(address)
  await expect(rows(page).first()).toBeVisible()
  await page.waitForLoadState('networkidle')
}

const NEWCOMER = [
  'Symbol',
  'User',
  'Rating',
  'Action',
  'Prediction',
  'Agree',
  'Disagree',
  'Comments',
  'Created',
  'Expires',
  'ID',
]

test.describe('columns', () => {
  test('are hidden, stay hidden after a reload without a jump, and come back by one click', async ({
    page,
  }) => {
    await visit(page)
    expect(await names(page)).toEqual(NEWCOMER)
    await openColumns(page)
    await columnsMenu(page).getByRole('checkbox', { name: 'User' }).uncheck()
    await columnsMenu(page).getByRole('checkbox', { name: 'Comments' }).uncheck()
    const left = NEWCOMER.filter((name) => name !== 'User' && name !== 'Comments')
    expect(await names(page)).toEqual(left)

    await page.addInitScript(() => {
      const shifts: number[] = []
      Object.assign(window, { shifts })
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries())
          shifts.push((entry as unknown as { value: number }).value)
      }).observe({ type: 'layout-shift', buffered: true })
    })
    await visit(page)
    expect(await names(page)).toEqual(left)
    expect(await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts)).toEqual(
      [],
    )

    await openColumns(page)
    await page.getByRole('button', { name: /^Reset columns/ }).click()
    expect(await names(page)).toEqual(NEWCOMER)
    await visit(page)
    expect(await names(page)).toEqual(NEWCOMER)
  })

  test('the first paint has them as the reader keeps them, before any script runs', async ({
    page,
    request,
  }) => {
    await visit(page)
    await openColumns(page)
    await columnsMenu(page).getByRole('checkbox', { name: 'Action' }).uncheck()
    const cookies = await page.context().cookies()
    const kept = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
    const html = await (await request.get('/', { headers: { cookie: kept } })).text()
    expect(html).toContain('data-column="rating"')
    expect(html).not.toContain('data-column="action"')
  })

  test('the last one that is shown stays', async ({ page }) => {
    await visit(page, '/?columns=symbol')
    expect(await names(page)).toEqual(['Symbol'])
    await openColumns(page)
    await expect(columnsMenu(page).getByRole('checkbox', { name: 'Symbol' })).toBeDisabled()
    await expectNoAxeViolations(page)
  })

  test('move by keyboard, one place at a time, and it is said', async ({ page }) => {
    await visit(page)
    await openColumns(page)
    const move = columnsMenu(page).getByRole('button', { name: 'Move Prediction left' })
    await move.press('Enter')
    await expect(columnsMenu(page).getByText('Prediction is column 4 of 11')).toBeAttached()
    await expect(move).toBeFocused()
    await move.press('Enter')
    expect((await names(page)).slice(0, 4)).toEqual(['Symbol', 'User', 'Prediction', 'Rating'])
    await page.keyboard.press('Escape')
    await expect(columnsMenu(page)).toBeHidden()
    await expect(page.getByRole('button', { name: 'Columns' })).toBeFocused()
  })

  test('are dragged by their header to another place, which does not sort', async ({ page }) => {
    await visit(page)
    const from = await header(page, 'Created').getByRole('button').boundingBox()
    const to = await header(page, 'User').boundingBox()
    if (!from || !to) throw new Error('The headers are not on the screen.')
    await page.mouse.move(from.x + 10, from.y + 16)
    await page.mouse.down()
    await page.mouse.move(to.x + 4, from.y + 16, { steps: 5 })
    await expect(header(page, 'User')).toHaveAttribute('data-drop', 'before')
    await page.mouse.up()
    await expect
      .poll(async () => (await names(page)).slice(0, 3))
      .toEqual(['Symbol', 'Created', 'User'])
    expect(new URL(page.url()).search).toBe('')
  })

  test('a drag that is given up by Escape moves nothing', async ({ page }) => {
    await visit(page)
    const from = await header(page, 'Created').getByRole('button').boundingBox()
    if (!from) throw new Error('The header is not on the screen.')
    await page.mouse.move(from.x + 10, from.y + 16)
    await page.mouse.down()
    await page.mouse.move(from.x - 300, from.y + 16, { steps: 5 })
    await page.keyboard.press('Escape')
    await page.mouse.up()
    expect(await names(page)).toEqual(NEWCOMER)
    expect(new URL(page.url()).search).toBe('')
  })

  test('an edge follows the pointer, no other moves, and a double click gives the width back', async ({
    page,
  }) => {
    await visit(page)
    const rating = header(page, 'Rating')
    const before = await widthOf(rating)
    const user = await widthOf(header(page, 'User'))
    const at = await edge(page, 'Rating').boundingBox()
    if (!at) throw new Error('The edge is not on the screen.')
    await page.mouse.move(at.x + at.width / 2, at.y + 30)
    await page.mouse.down()
    await page.mouse.move(at.x + at.width / 2 - 60, at.y + 30, { steps: 4 })
    await page.mouse.up()
    await expect.poll(() => widthOf(rating)).toBe(before - 60)
    expect(await widthOf(header(page, 'User'))).toBe(user)
    await expect(edge(page, 'Rating')).toHaveAttribute('aria-valuenow', String(before - 60))
    await visit(page)
    expect(await widthOf(rating)).toBe(before - 60)
    await edge(page, 'Rating').dblclick()
    await expect.poll(() => widthOf(rating)).toBe(202)
  })

  test('an edge is moved by arrow keys, within bounds', async ({ page }) => {
    await visit(page)
    const before = await widthOf(header(page, 'Action'))
    await edge(page, 'Action').focus()
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => widthOf(header(page, 'Action'))).toBe(before + 8)
    await page.keyboard.press('Shift+ArrowLeft')
    await expect.poll(() => widthOf(header(page, 'Action'))).toBe(before - 32)
    await page.keyboard.press('Home')
    await expect.poll(() => widthOf(header(page, 'Action'))).toBe(44)
    await page.keyboard.press('ArrowLeft')
    await expect(edge(page, 'Action')).toHaveAttribute('aria-valuenow', '44')
    await page.keyboard.press('Enter')
    await expect.poll(() => widthOf(header(page, 'Action'))).toBe(107)
  })

  test('an address names them: what it does not know is said, and a change makes them the reader’s', async ({
    page,
  }) => {
    await visit(page, '/?columns=prediction,nope,symbol')
    expect(await names(page)).toEqual(['Prediction', 'Symbol'])
    await expect(page.getByText(/holds nope, which is no column/)).toBeVisible()
    await openColumns(page)
    await expect(columnsMenu(page).getByText(/come with the link/)).toBeVisible()
    await columnsMenu(page).getByRole('checkbox', { name: 'ID' }).check()
    await expect(page).not.toHaveURL(/columns=/)
    expect(await names(page)).toEqual(['Prediction', 'Symbol', 'ID'])
    await visit(page)
    expect(await names(page)).toEqual(['Prediction', 'Symbol', 'ID'])
  })

  test('an address that names none that there are shows the reader’s own', async ({ page }) => {
    await visit(page, '/?columns=colour')
    expect(await names(page)).toEqual(NEWCOMER)
    await expect(page.getByText(/holds colour, which is no column/)).toBeVisible()
  })

  test('whatever storage holds, the table stands; what an earlier release kept is taken over', async ({
    page,
  }) => {
    await page.addInitScript(() => {
      if (localStorage.getItem('seen')) return
      localStorage.setItem('seen', '1')
      localStorage.setItem(
        'bellwether.ratings.table',
        '{"order":[[]],"sizes":{"id":-1e99},"hidden":7',
      )
    })
    await visit(page)
    expect(await names(page)).toEqual(NEWCOMER)
    await page.evaluate(() => {
      localStorage.removeItem('bellwether.ratings.table')
      localStorage.setItem('bellwether.ratings.hidden-columns', 'id,tally_comment')
    })
    await visit(page)
    await expect
      .poll(() => names(page))
      .toEqual(NEWCOMER.filter((name) => name !== 'ID' && name !== 'Comments'))
  })

  test('where storage is forbidden a choice lasts as long as the page, and it is said', async ({
    page,
  }) => {
    await page.addInitScript(() => {
      Object.defineProperty(window, 'localStorage', {
        get: () => {
          throw new DOMException('denied', 'SecurityError')
        },
      })
    })
    await visit(page)
    await openColumns(page)
    await columnsMenu(page).getByRole('checkbox', { name: 'ID' }).uncheck()
    expect(await names(page)).not.toContain('ID')
    await expect(columnsMenu(page).getByText(/does not let the page keep/)).toBeVisible()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Next page' }).click()
    await expect(page).toHaveURL(/page=2/)
    expect(await names(page)).not.toContain('ID')
  })

  test('rows are 31 px high, or 26 where a reader wants more of them, and stay so', async ({
    page,
  }) => {
    await visit(page)
    const heightOf = async () => Math.round((await rows(page).nth(2).boundingBox())?.height ?? 0)
    expect(await heightOf()).toBe(31)
    await openColumns(page)
    await columnsMenu(page).getByRole('radio', { name: 'Compact' }).check()
    expect(await heightOf()).toBe(26)
    await visit(page)
    expect(await heightOf()).toBe(26)
  })
})

test('on a phone the header and the first column stay in sight', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 780 })
  await visit(page)
  const frame = page.getByRole('region', { name: 'Table, scrolls sideways' })
  const first = header(page, 'Symbol')
  const before = await first.boundingBox()
  await frame.evaluate((element) => element.scrollTo(300, 400))
  const after = await first.boundingBox()
  expect(after).toEqual(before)
  const cellBox = await (await cell(page, rows(page).nth(16), 'Symbol')).boundingBox()
  expect(cellBox?.x).toBe(before?.x)
})

test.describe('many rows', () => {
  test('500 a page are a table of which the rows in sight are drawn, and the keyboard reaches all', async ({
    page,
  }) => {
    await visit(page)
    const widths = async () => Promise.all(NEWCOMER.map((name) => widthOf(header(page, name))))
    const before = await widths()
    await page.getByRole('combobox', { name: 'Rows per page' }).selectOption('500')
    await expect(page).toHaveURL(/per_page=500/)
    await expect.poll(async () => (await idsOf(page)).length).toBeGreaterThan(20)
    await expect.poll(async () => (await idsOf(page)).length).toBeLessThan(90)
    expect(await widths()).toEqual(before)
    const { data, page: info } = await (await page.request.get('/api/ratings?per_page=500')).json()
    await expect(table(page)).toHaveAttribute('aria-rowcount', String(info.total + 1))

    await rows(page).first().focus()
    await page.keyboard.press('End')
    const last = table(page).locator(`[data-rating="${data[499].id}"]`)
    await expect(last).toBeFocused()
    await expect(last).toBeInViewport()
    await expect(last).toHaveAttribute('aria-rowindex', '501')
    await page.keyboard.press('PageUp')
    await expect(table(page).locator(':focus')).toBeInViewport()
    await page.keyboard.press('Home')
    await expect(table(page).locator(`[data-rating="${data[0].id}"]`)).toBeFocused()
    await expect(table(page).locator(`[data-rating="${data[0].id}"]`)).toBeInViewport()

    const frame = page.getByRole('region', { name: 'Table, scrolls sideways' })
    await frame.evaluate((element) => element.scrollTo(0, 7000))
    const middle = table(page).locator(`[data-rating="${data[230].id}"]`)
    await expect(middle).toBeInViewport()
    // The row that the keyboard is at is there still.
    await expect(table(page).locator(`[data-rating="${data[0].id}"]`)).toBeFocused()
  })

  test('they are all in the first paint, before any script runs', async ({ request }) => {
    const html = await (await request.get('/?per_page=500')).text()
    expect(html.match(/<tr data-rating/g)?.length).toBe(500)
  })
})

test('a page is gone to by its number; what is no page is refused where it stands', async ({
  page,
}) => {
  await visit(page)
  const { page: info } = await (await page.request.get('/api/ratings')).json()
  const field = page.getByRole('textbox', { name: 'Go to page' })
  for (const nonsense of ['0', '-3', '1e3', 'seven', String(info.pages + 1)]) {
    await field.fill(nonsense)
    await field.press('Enter')
    await expect(
      page.getByText(`A page from 1 to ${info.pages.toLocaleString('en-US')}`),
    ).toBeVisible()
    await expect(field).toHaveAttribute('aria-invalid', 'true')
    await expect(field).toHaveValue(nonsense)
  }
  expect(new URL(page.url()).search).toBe('')
  await expectNoAxeViolations(page)
  await field.fill('12')
  await field.press('Enter')
  await expect(page).toHaveURL(/page=12/)
  await expect(page.getByText(/^551–600 of/)).toBeVisible()
})

test.describe('the keyboard between rows', () => {
  test('rows are one stop for Tab, arrows move in them, Enter opens and Escape closes', async ({
    page,
  }) => {
    await visit(page)
    const ids = await idsOf(page)
    const row = (index: number) => table(page).locator(`[data-rating="${ids[index]}"]`)
    await expect(table(page).locator('tr[tabindex="0"]')).toHaveCount(1)
    await edge(page, 'ID').focus()
    await page.keyboard.press('Tab')
    await expect(row(0)).toBeFocused()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await expect(row(2)).toBeFocused()
    await page.keyboard.press('ArrowUp')
    await expect(row(1)).toBeFocused()
    await page.keyboard.press('End')
    await expect(row(49)).toBeFocused()
    await expect(row(49)).toBeInViewport()
    await page.keyboard.press('PageUp')
    await page.keyboard.press('Home')
    await expect(row(0)).toBeFocused()
    const [head, first] = [
      await table(page).getByRole('columnheader').first().boundingBox(),
      await row(0).boundingBox(),
    ]
    expect(first?.y).toBeGreaterThanOrEqual((head?.y ?? 0) + (head?.height ?? 0) - 1)

    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(new RegExp(`open=${ids[1]}`))
    await expect(row(1)).toHaveAttribute('aria-current', 'true')
    await page.keyboard.press('Escape')
    await expect(page).not.toHaveURL(/open=/)
    await expect(row(1)).not.toHaveAttribute('aria-current', 'true')
  })

  test('Tab leads through what the row holds, and on behind the table', async ({ page }) => {
    await visit(page)
    await rows(page).nth(0).focus()
    await page.keyboard.press('ArrowDown')
    const row = rows(page).nth(1)
    await expect(row).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(row.getByRole('checkbox')).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(row.getByRole('link').first()).toBeFocused()
    // The links of this row, the button in it, and no other row's.
    const isWithin = () => table(page).locator(':focus').count()
    for (let stops = 0; stops < 5 && (await isWithin()) > 0; stops += 1) {
      await expect(row.locator(':focus')).toHaveCount(1)
      await page.keyboard.press('Tab')
    }
    expect(await isWithin()).toBe(0)
    await page.keyboard.press('Shift+Tab')
    await expect(row.locator(':focus')).toHaveCount(1)
  })

  test('the keyboard goes on in the rows that came when its row has gone', async ({ page }) => {
    await visit(page)
    await rows(page).nth(4).focus()
    await page.keyboard.press('f')
    const menu = page.getByRole('menu')
    await menu.getByRole('menuitem', { name: /^Symbol/ }).press('Enter')
    await menu.getByRole('menuitem', { name: /^Not / }).press('Enter')
    await expect(page).toHaveURL(/symbol=-/)
    await expect(rows(page).first()).toBeFocused()
  })
})

test.describe('opening by pointer', () => {
  test('a click on a row opens it, one on its links does not', async ({ page }) => {
    await visit(page)
    const [id] = await idsOf(page)
    await (await cell(page, rows(page).first(), 'Action')).click()
    await expect(page).toHaveURL(new RegExp(`open=${id}`))
    await visit(page)
    await rows(page).first().getByRole('link').first().click()
    await expect(page).toHaveURL(/\/symbols\//)
  })

  test('the link to a rating opens it here by a plain click, and elsewhere by any other', async ({
    page,
    context,
  }) => {
    await visit(page)
    const [id] = await idsOf(page)
    const link = rows(page)
      .first()
      .getByRole('link', { name: String(id) })
    await expect(link).toHaveAttribute('href', `/ratings/${id}`)
    const [tab] = await Promise.all([
      context.waitForEvent('page'),
      link.click({ modifiers: ['ControlOrMeta'] }),
    ])
    await expect(tab).toHaveURL(new RegExp(`/ratings/${id}$`))
    await tab.close()
    await link.click()
    await expect(page).toHaveURL(new RegExp(`open=${id}`))
  })

  test('marking a text opens nothing', async ({ page }) => {
    await visit(page)
    const at = await (await cell(page, rows(page).nth(2), 'Action')).boundingBox()
    if (!at) throw new Error('The row is not on the screen.')
    await page.mouse.move(at.x + 40, at.y + 16)
    await page.mouse.down()
    await page.mouse.move(at.x + 80, at.y + 16, { steps: 5 })
    await page.mouse.up()
    expect(await page.evaluate(() => window.getSelection()?.toString())).not.toBe('')
    expect(new URL(page.url()).search).toBe('')
  })
})

test.describe('selection', () => {
  const bar = (page: Page) => page.getByRole('region', { name: 'Selection' })
  const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText())
  test.use({ permissions: ['clipboard-read', 'clipboard-write'] })

  test('grows by Space, Shift and arrows, is copied as CSV and as JSON, and ends by Escape', async ({
    page,
  }) => {
    await visit(page)
    const ids = await idsOf(page)
    const top = (await table(page).boundingBox())?.y
    await rows(page).first().focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Space')
    await page.keyboard.press('Shift+ArrowDown')
    await page.keyboard.press('Shift+ArrowDown')
    await expect(bar(page)).toContainText('3 selected')
    expect((await table(page).boundingBox())?.y).toBe(top)
    await expect(rows(page).nth(1).getByRole('checkbox')).toBeChecked()

    await bar(page).getByRole('button', { name: 'Copy as CSV' }).click()
    await expect(page.getByText('Copied 3 rows as CSV.').first()).toBeVisible()
    const lines = (await clipboard(page)).trimEnd().split(/\r?\n/)
    expect(lines[0]).toMatch(/^id,user_id,symbol,rating,rating_label,/)
    expect(lines.slice(1).map((line) => Number(line.split(',')[0]))).toEqual(ids.slice(1, 4))

    await bar(page).getByRole('button', { name: 'Copy as JSON' }).click()
    await expect(page.getByText('Copied 3 rows as JSON.').first()).toBeVisible()
    const { data } = await (await page.request.get('/api/ratings')).json()
    expect(JSON.parse(await clipboard(page))).toEqual(data.slice(1, 4))

    await rows(page).nth(3).focus()
    await page.keyboard.press('ControlOrMeta+c')
    await expect(page.getByText('Copied 3 rows as cells.').first()).toBeVisible()
    const cells = (await clipboard(page)).split('\n').map((line) => line.split('\t'))
    expect(cells[0]?.slice(0, 3)).toEqual(['Symbol', 'User', 'Rating'])
    expect(cells).toHaveLength(4)

    await page.keyboard.press('ControlOrMeta+a')
    await expect(bar(page)).toContainText('50 selected')
    await page.keyboard.press('Escape')
    await expect(bar(page)).toBeHidden()
  })

  test('is made by checkboxes and clicks, survives pages, sorting and filters, and says what is elsewhere', async ({
    page,
  }) => {
    await visit(page)
    const ids = await idsOf(page)
    await rows(page).nth(0).hover()
    await rows(page).nth(0).getByRole('checkbox').check()
    await (await cell(page, rows(page).nth(3), 'Action')).click({ modifiers: ['Shift'] })
    await (await cell(page, rows(page).nth(6), 'Action')).click({ modifiers: ['ControlOrMeta'] })
    await expect(bar(page)).toContainText('5 selected')
    expect(new URL(page.url()).search).toBe('')
    await page.getByRole('button', { name: 'Next page' }).click()
    await expect(page).toHaveURL(/page=2/)
    await expect(bar(page)).toContainText('5 selected, 5 not on this page')
    await expect.poll(async () => (await idsOf(page))[0]).not.toBe(ids[0])
    await rows(page).nth(0).hover()
    await rows(page).nth(0).getByRole('checkbox').check()
    await bar(page).getByRole('button', { name: 'Copy as JSON' }).click()
    await expect(page.getByText('Copied 6 rows as JSON.').first()).toBeVisible()
    const copied = JSON.parse(await clipboard(page)) as { id: number }[]
    expect(copied.slice(0, 5).map(({ id }) => id)).toEqual([...ids.slice(0, 4), ids[6]])
    await bar(page).getByRole('button', { name: 'Clear' }).click()
    await expect(bar(page)).toBeHidden()
  })

  test('nothing is lost where the browser does not allow copying', async ({ page }) => {
    await page.addInitScript(() => {
      Object.defineProperty(navigator, 'clipboard', { value: undefined })
      document.execCommand = () => false
    })
    await visit(page)
    await rows(page).first().focus()
    await page.keyboard.press('Space')
    await bar(page).getByRole('button', { name: 'Copy as CSV' }).click()
    await expect(page.getByText(/did not allow copying/).first()).toBeVisible()
    await expect(bar(page)).toContainText('1 selected')
  })
})

test.describe('a value becomes a filter', () => {
  const menu = (page: Page) => page.getByRole('menu')
  const item = (page: Page, name: string | RegExp) =>
    menu(page).getByRole('menuitem', { name, exact: true })

  test('by a right click on it: only this, not this, and back', async ({ page }) => {
    await visit(page)
    const symbol = await cell(page, rows(page).first(), 'Symbol')
    const name = (await symbol.innerText()).trim()
    await symbol.click({ button: 'right' })
    await expect(item(page, `Only ${name}`)).toBeFocused()
    await item(page, `Only ${name}`).click()
    await expect(page).toHaveURL(new RegExp(`symbol=${name}`))
    await expect(menu(page)).toBeHidden()
    await expect
      .poll(async () => (await (await cell(page, rows(page).last(), 'Symbol')).innerText()).trim())
      .toBe(name)
    await symbol.click({ button: 'right' })
    await expect(item(page, `Only ${name}`)).toHaveCount(0)
    await item(page, 'Any symbol').click()
    await expect(page).not.toHaveURL(/symbol=/)
    await (await cell(page, rows(page).first(), 'Rating')).click({ button: 'right' })
    await item(page, /^Not /).click()
    await expect(page).toHaveURL(/rating=-\d/)
  })

  test('by the button that a cell has under the pointer', async ({ page }) => {
    await visit(page)
    const created = await cell(page, rows(page).nth(1), 'Created')
    const day = (await created.innerText()).slice(0, 10)
    await created.hover()
    await created.getByRole('button', { name: `Filter by ${day}` }).click()
    await item(page, `Only ${day.slice(0, 7)}`).click()
    await expect(page).toHaveURL(new RegExp(`created=${day.slice(0, 7)}$`))
  })

  test('by keyboard: the row’s values, each with what it can do, and the focus comes back', async ({
    page,
  }) => {
    await visit(page)
    const row = rows(page).nth(2)
    await row.focus()
    for (const key of ['f', 'Shift+F10', 'ContextMenu']) {
      await page.keyboard.press(key)
      await expect(item(page, /^Symbol/)).toBeFocused()
      await page.keyboard.press('Escape')
      await expect(menu(page)).toBeHidden()
      await expect(row).toBeFocused()
    }
    await page.keyboard.press('f')
    await page.keyboard.press('p')
    await expect(item(page, /^Prediction/)).toBeFocused()
    await page.keyboard.press('ArrowRight')
    await expect(item(page, /^Only /)).toBeFocused()
    await page.keyboard.press('ArrowLeft')
    await expect(item(page, /^Symbol/)).toBeFocused()
    await page.keyboard.press('ArrowUp')
    await expect(item(page, /^Select row/)).toBeFocused()
    await page.keyboard.press('p')
    await page.keyboard.press('Enter')
    await item(page, / or more$/).press('Enter')
    await expect(page).toHaveURL(/prediction_min=/)
  })

  test('Shift with a right click leaves the browser its own menu', async ({ page }) => {
    await visit(page)
    await rows(page)
      .first()
      .click({ button: 'right', modifiers: ['Shift'] })
    await rows(page).nth(1).hover()
    await expect(menu(page)).toHaveCount(0)
  })

  test('stands in sight at 360 px, wherever the cell is, and goes with a click elsewhere', async ({
    page,
  }) => {
    await page.setViewportSize({ width: 360, height: 640 })
    await visit(page)
    const frame = page.getByRole('region', { name: 'Table, scrolls sideways' })
    await frame.evaluate((element) => element.scrollTo(700, 0))
    await (await cell(page, rows(page).nth(3), 'Expires')).click({ button: 'right' })
    await expect(item(page, /^Only /).first()).toBeFocused()
    const box = await menu(page).boundingBox()
    if (!box) throw new Error('The menu is not on the screen.')
    expect(box.x).toBeGreaterThanOrEqual(0)
    expect(box.x + box.width).toBeLessThanOrEqual(360)
    expect(box.y + box.height).toBeLessThanOrEqual(640)
    await expectNoAxeViolations(page)
    await page.mouse.click(4, 4)
    await expect(menu(page)).toBeHidden()
  })
})

test.describe('by touch', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 360, height: 740 } })

  test('a finger that rests on a value opens its menu, and does not open the row', async ({
    page,
  }) => {
    await visit(page)
    const rating = await cell(page, rows(page).first(), 'Rating')
    await rating.scrollIntoViewIfNeeded()
    const at = await rating.boundingBox()
    if (!at) throw new Error('The row is not on the screen.')
    const touch = await page.context().newCDPSession(page)
    const point = { x: at.x + 30, y: at.y + 12 }
    await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [point] })
    await expect(page.getByRole('menuitem', { name: /^Only / })).toBeVisible()
    await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    await expect(page.getByRole('menuitem', { name: /^Only / })).toBeVisible()
    expect(new URL(page.url()).search).toBe('')
    await page.getByRole('menuitem', { name: 'Select row' }).tap()
    await expect(page.getByRole('region', { name: 'Selection' })).toContainText('1 selected')
  })
})

test('a change is written before and after, and what was before steps back where there is no room', async ({
  page,
}) => {
  await visit(page, '/?action=2')
  const { data } = await (await page.request.get('/api/ratings?action=2')).json()
  const at = data.findIndex(
    (row: {
      previous_rating: number | null
      previous_prediction: string | null
      prediction: string
    }) => row.previous_rating !== null && row.previous_prediction !== row.prediction,
  )
  const row = rows(page).nth(at)
  await expect(await cell(page, row, 'Rating')).toContainText('→')
  await expect(await cell(page, row, 'Prediction')).toContainText('→')
  for (const name of ['Rating', 'Prediction']) {
    await edge(page, name).focus()
    await page.keyboard.press('Home')
  }
  const prediction = (await cell(page, row, 'Prediction')).locator('span').last()
  await expect(prediction).toHaveCSS('text-overflow', 'ellipsis')
  const [inner, outer] = [
    await prediction.boundingBox(),
    await (await cell(page, row, 'Prediction')).boundingBox(),
  ]
  // The sign and the first digits are what may never be cut off.
  expect(inner?.x).toBeGreaterThanOrEqual(outer?.x ?? 0)
})

for (const width of [360, 1440]) {
  test(`no accessibility violation in the tools of the table at ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 })
    await visit(page, '/?per_page=25')
    await rows(page).first().focus()
    await page.keyboard.press('Space')
    await page.keyboard.press('ArrowDown')
    await expect(page.getByRole('region', { name: 'Selection' })).toBeVisible()
    await expectNoAxeViolations(page)
    await page.keyboard.press('f')
    await expect(page.getByRole('menu')).toBeVisible()
    await expectNoAxeViolations(page)
    await page.keyboard.press('Escape')
    await openColumns(page)
    await expectNoAxeViolations(page)
  })
}
