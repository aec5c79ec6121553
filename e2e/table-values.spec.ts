import type { Locator, Page } from '@playwright/test'
import {
  cell,
  nextPage,
  readIds,
  readNames,
  rows,
  selectionBar,
  table,
  visit,
} from './support/ratings-page.ts'
import { expect, test } from './support/test.ts'

/** The selection code loads with the first click. */
async function tick(row: Locator): Promise<void> {
  const box = row.getByRole('checkbox')
  await box.click()
  await expect(box).toBeChecked()
}

test.describe('selection', () => {
  const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText())
  test.use({ permissions: ['clipboard-read', 'clipboard-write'] })

  test('grows by Space, Shift and arrows, is copied as CSV and as JSON, and ends by Escape', async ({
    page,
  }) => {
    await visit(page)
    const ids = await readIds(page)
    const top = (await table(page).boundingBox())?.y
    await rows(page).first().focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Space')
    await page.keyboard.press('Shift+ArrowDown')
    await page.keyboard.press('Shift+ArrowDown')
    await expect(selectionBar(page)).toContainText('3 selected')
    expect((await table(page).boundingBox())?.y).toBe(top)
    await expect(rows(page).nth(1).getByRole('checkbox')).toBeChecked()

    await selectionBar(page).getByRole('button', { name: 'Copy as CSV' }).click()
    await expect(page.getByText('Copied 3 rows as CSV.').first()).toBeVisible()
    const lines = (await clipboard(page)).trimEnd().split(/\r?\n/)
    expect(lines[0]).toMatch(/^id,user_id,symbol,rating,rating_label,/)
    expect(lines.slice(1).map((line) => Number(line.split(',')[0]))).toEqual(ids.slice(1, 4))

    await selectionBar(page).getByRole('button', { name: 'Copy as JSON' }).click()
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
    await expect(selectionBar(page)).toContainText('50 selected')
    await page.keyboard.press('Escape')
    await expect(selectionBar(page)).toBeHidden()
  })

  test('is made by checkboxes and clicks, survives pages, sorting and filters, and says what is elsewhere', async ({
    page,
  }) => {
    await visit(page)
    const ids = await readIds(page)
    await rows(page).nth(0).hover()
    await tick(rows(page).nth(0))
    await (await cell(page, rows(page).nth(3), 'Action')).click({ modifiers: ['Shift'] })
    await (await cell(page, rows(page).nth(6), 'Action')).click({ modifiers: ['ControlOrMeta'] })
    await expect(selectionBar(page)).toContainText('5 selected')
    expect(new URL(page.url()).search).toBe('')
    await nextPage(page).click()
    await expect(page).toHaveURL(/page=2/)
    await expect(selectionBar(page)).toContainText('5 selected, 5 not on this page')
    await expect.poll(async () => (await readIds(page))[0]).not.toBe(ids[0])
    await rows(page).nth(0).hover()
    await tick(rows(page).nth(0))
    await selectionBar(page).getByRole('button', { name: 'Copy as JSON' }).click()
    await expect(page.getByText('Copied 6 rows as JSON.').first()).toBeVisible()
    const copied = JSON.parse(await clipboard(page)) as { id: number }[]
    expect(copied.slice(0, 5).map(({ id }) => id)).toEqual([...ids.slice(0, 4), ids[6]])
    await selectionBar(page).getByRole('button', { name: 'Clear' }).click()
    await expect(selectionBar(page)).toBeHidden()
  })

  test('nothing is lost where the browser does not allow copying', async ({ page }) => {
    await page.addInitScript(() => {
      Object.defineProperty(navigator, 'clipboard', { value: undefined })
      document.execCommand = () => false
    })
    await visit(page)
    await rows(page).first().focus()
    await page.keyboard.press('Space')
    await selectionBar(page).getByRole('button', { name: 'Copy as CSV' }).click()
    await expect(page.getByText(/did not allow copying/).first()).toBeVisible()
    await expect(selectionBar(page)).toContainText('1 selected')
  })
})

async function readButtons(row: Element) {
  const found: { isThere: boolean; covered: string[] }[] = []
  const { top, bottom } = row.getBoundingClientRect()
  for (const cell of row.querySelectorAll('td')) {
    cell.dispatchEvent(new PointerEvent('pointerover', { bubbles: true, pointerType: 'mouse' }))
    const read = () => cell.querySelector<HTMLElement>('button[aria-label^="Filter by"]')
    for (let frames = 0; frames < 60 && !read(); frames += 1) {
      await new Promise(requestAnimationFrame)
    }
    const button = read()
    const own = button?.getBoundingClientRect()
    const covered: string[] = []
    const walker = document.createTreeWalker(row, NodeFilter.SHOW_TEXT)
    const range = document.createRange()
    while (own && walker.nextNode()) {
      const { currentNode: text } = walker
      if (text.parentElement?.closest('.sr-only')) continue
      range.selectNodeContents(text)
      for (const rect of range.getClientRects()) {
        const middle = (rect.top + rect.bottom) / 2
        const isOver = rect.left < own.right && rect.right > own.left
        if (isOver && middle > top && middle < bottom) covered.push(text.textContent ?? '')
      }
    }
    found.push({ isThere: button?.checkVisibility() ?? false, covered })
  }
  return found
}

test.describe('a value becomes a filter', () => {
  const menu = (page: Page) => page.getByRole('menu')
  const item = (page: Page, name: string | RegExp) =>
    menu(page).getByRole('menuitem', { name, exact: true })

  test('by a right click on it: only this, not this, and back', { tag: '@core' }, async ({
    page,
  }) => {
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
    const posted = await cell(page, rows(page).nth(1), 'Posted')
    const day = (await posted.innerText()).slice(0, 10)
    await posted.hover()
    await posted.getByRole('button', { name: `Filter by ${day}` }).click()
    await item(page, `Only ${day.slice(0, 7)}`).click()
    await expect(page).toHaveURL(new RegExp(`created=${day.slice(0, 7)}$`))
  })

  test('every column has that button, and it covers no value', async ({ page }) => {
    await page.setViewportSize({ width: 1440, height: 900 })
    await visit(page)
    await rows(page).first().hover()
    const button = page.getByRole('button', { name: /^Filter by/ })
    await expect(button).toBeVisible()
    const names = await readNames(page)
    for (const width of [1440, 1280]) {
      await page.setViewportSize({ width, height: 900 })
      for (const place of [0, 6, 7]) {
        const buttons = await rows(page).nth(place).evaluate(readButtons)
        const covered = buttons.flatMap((button) => button.covered)
        expect(covered, `in row ${place} at ${width} px`).toEqual([])
        // A value may fill its cell, as the longest change of a rating does.
        const missing = names.filter((_, index) => !buttons[index]?.isThere)
        const filled = place === 0 ? [] : ['Rating']
        if (width === 1440) {
          expect(
            missing.filter((name) => !filled.includes(name)),
            `without a button in row ${place}`,
          ).toEqual([])
        }
      }
    }
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
    await expect(item(page, /^Prediction/)).toBeFocused()
    await page.keyboard.press('End')
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
    await ratingOf(rows(page).nth(3)).click({ button: 'right' })
    await expect(item(page, /^Only /).first()).toBeFocused()
    const box = await menu(page).boundingBox()
    if (!box) throw new Error('The menu is not on the screen.')
    expect(box.x).toBeGreaterThanOrEqual(0)
    expect(box.x + box.width).toBeLessThanOrEqual(360)
    expect(box.y + box.height).toBeLessThanOrEqual(640)
    await page.mouse.click(4, 4)
    await expect(menu(page)).toBeHidden()
  })
})

const ratingOf = (row: Locator) => row.getByText(/^(Strong|Moderate) |^Hold$/).last()

async function pressRating(page: Page): Promise<() => Promise<unknown>> {
  const rating = ratingOf(rows(page).first())
  await rating.scrollIntoViewIfNeeded()
  const at = await rating.boundingBox()
  if (!at) throw new Error('The row is not on the screen.')
  const touch = await page.context().newCDPSession(page)
  const point = { x: at.x + at.width / 2, y: at.y + at.height / 2 }
  await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [point] })
  return async () =>
    await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
}

test.describe('by touch', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 360, height: 740 } })

  test('a tap opens the rating, and nothing else', async ({ page }) => {
    await page.clock.install()
    await visit(page)
    // A slow machine must not trigger the long press.
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000)
    const letGo = await pressRating(page)
    await page.clock.runFor(350)
    await letGo()
    await page.clock.resume()
    await expect(page.getByRole('dialog', { name: /^Rating \d+$/ })).toBeVisible()
    await page.clock.fastForward(1500)
    await expect(page.getByRole('menu')).toHaveCount(0)
  })

  test('a finger that rests on a value opens its menu, and does not open the row', async ({
    page,
  }) => {
    await visit(page)
    const letGo = await pressRating(page)
    await expect(page.getByRole('menuitem', { name: /^Only / })).toBeVisible()
    await letGo()
    await expect(page.getByRole('menuitem', { name: /^Only / })).toBeVisible()
    expect(new URL(page.url()).search).toBe('')
    await page.getByRole('menuitem', { name: 'Select row' }).tap()
    await expect(selectionBar(page)).toContainText('1 selected')
  })
})
