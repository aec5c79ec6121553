import {
  cell,
  edge,
  frame,
  header,
  NEWCOMER,
  readIds,
  rows,
  table,
  visit,
  widthOf,
} from './support/ratings-page.ts'
import { expect, expectAddressOf, test } from './support/test.ts'

test('in a narrow window the header and the first column stay in sight', async ({ page }) => {
  await page.setViewportSize({ width: 700, height: 780 })
  await visit(page)
  const first = header(page, 'Symbol')
  const before = await first.boundingBox()
  await frame(page).evaluate((element) => element.scrollTo(300, 400))
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
    await expect.poll(async () => (await readIds(page)).length).toBeGreaterThan(20)
    await expect.poll(async () => (await readIds(page)).length).toBeLessThan(90)
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

    await frame(page).evaluate((element) => element.scrollTo(0, 7000))
    const middle = table(page).locator(`[data-rating="${data[230].id}"]`)
    await expect(middle).toBeInViewport()
    await expect(table(page).locator(`[data-rating="${data[0].id}"]`)).toBeFocused()
  })

  test('they are all in the first paint, before any script runs', async ({ request }) => {
    const html = await (await request.get('/?per_page=500')).text()
    expect(html.match(/<tr data-rating/g)?.length).toBe(500)
  })
})

test.describe('the keyboard between rows', () => {
  test('rows are one stop for Tab, arrows move in them, Enter opens and Escape closes', {
    tag: '@core',
  }, async ({ page }) => {
    await visit(page)
    const ids = await readIds(page)
    const row = (index: number) => table(page).locator(`[data-rating="${ids[index]}"]`)
    await expect(table(page).locator('tr[tabindex="0"]')).toHaveCount(1)
    await edge(page, 'Expires').focus()
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
    const [id] = await readIds(page)
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
    const [id] = await readIds(page)
    const link = rows(page).first().locator('td.posted').getByRole('link')
    await expect(link).toHaveAttribute('href', `/ratings/${id}`)
    const [tab] = await Promise.all([
      context.waitForEvent('page'),
      link.click({ modifiers: ['ControlOrMeta'] }),
    ])
    await expectAddressOf(tab, new RegExp(`/ratings/${id}$`))
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
  await expect(await cell(page, row, 'Rating')).toHaveAccessibleName(/^\S.* to \S/)
  await expect(await cell(page, row, 'Prediction')).toHaveAccessibleName(/% to [−+]?\d/)
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
  expect(inner?.x).toBeGreaterThanOrEqual(outer?.x ?? 0)
})
