import { watchShifts } from './support/layout-shift.ts'
import {
  columnsMenu,
  edge,
  frame,
  header,
  NEWCOMER,
  nextPage,
  openColumns,
  readNames,
  rows,
  visit,
  widthOf,
} from './support/ratings-page.ts'
import { storeFirst } from './support/stored.ts'
import { expect, expectNoAxeViolations, test } from './support/test.ts'

test.describe('columns', () => {
  test('are hidden, stay hidden after a reload without a jump, and come back by one click', {
    tag: '@core',
  }, async ({ page }) => {
    await visit(page)
    await expect.poll(() => readNames(page)).toEqual(NEWCOMER)
    await openColumns(page)
    await columnsMenu(page).getByRole('checkbox', { name: 'User' }).uncheck()
    await columnsMenu(page).getByRole('checkbox', { name: 'Comments' }).uncheck()
    const left = NEWCOMER.filter((name) => name !== 'User' && name !== 'Comments')
    await expect.poll(() => readNames(page)).toEqual(left)

    const readShifts = await watchShifts(page)
    await visit(page)
    await expect.poll(() => readNames(page)).toEqual(left)
    expect(await readShifts()).toEqual([])

    await openColumns(page)
    await page.getByRole('button', { name: /^Reset columns/ }).click()
    await expect.poll(() => readNames(page)).toEqual(NEWCOMER)
    await visit(page)
    await expect.poll(() => readNames(page)).toEqual(NEWCOMER)
  })

  for (const width of [768, 960, 1024, 1152, 1216, 1280]) {
    test(`at ${width} px leave before the table scrolls sideways, except the one that it is sorted by`, async ({
      page,
    }) => {
      await page.setViewportSize({ width, height: 800 })
      for (const [sort, name] of [
        ['-created_at', 'Posted'],
        ['-tally_comment', 'Comments'],
        ['-tally_disagree', 'Disagree'],
        ['expired_at', 'Expires'],
      ] as const) {
        await visit(page, `/?sort=${sort}`)
        await expect(header(page, name)).toBeVisible()
        const beyond = await frame(page).evaluate(
          ({ scrollWidth, clientWidth }) => scrollWidth - clientWidth,
        )
        expect(beyond, sort).toBe(0)
      }
    })
  }

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
    await expect.poll(() => readNames(page)).toEqual(['Symbol'])
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
    await expect
      .poll(async () => (await readNames(page)).slice(0, 4))
      .toEqual(['Symbol', 'User', 'Prediction', 'Rating'])
    await page.keyboard.press('Escape')
    await expect(columnsMenu(page)).toBeHidden()
    await expect(page.getByRole('button', { name: 'Columns' })).toBeFocused()
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
    await page.mouse.move(at.x + at.width / 2 - 60, at.y + 30, { steps: 5 })
    await expect.poll(() => widthOf(rating)).toBe(before - 60)
    await page.mouse.up()
    await expect.poll(() => widthOf(rating)).toBe(before - 60)
    expect(await widthOf(header(page, 'User'))).toBe(user)
    await expect(edge(page, 'Rating')).toHaveAttribute('aria-valuenow', String(before - 60))
    await visit(page)
    await expect.poll(() => widthOf(rating)).toBe(before - 60)
    await edge(page, 'Rating').dblclick()
    await expect.poll(() => widthOf(rating)).toBe(193)
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
    await expect.poll(() => readNames(page)).toEqual(['Prediction', 'Symbol'])
    await expect(page.getByText(/holds nope, which is not a column/)).toBeVisible()
    await openColumns(page)
    await expect(columnsMenu(page).getByText(/come from the link/)).toBeVisible()
    await columnsMenu(page).getByRole('checkbox', { name: 'ID' }).check()
    await expect(page).not.toHaveURL(/columns=/)
    await expect.poll(() => readNames(page)).toEqual(['Prediction', 'Symbol', 'ID'])
    await visit(page)
    await expect.poll(() => readNames(page)).toEqual(['Prediction', 'Symbol', 'ID'])
  })

  test('an address that names none that there are shows the reader’s own', async ({ page }) => {
    await visit(page, '/?columns=colour')
    await expect.poll(() => readNames(page)).toEqual(NEWCOMER)
    await expect(page.getByText(/holds colour, which is not a column/)).toBeVisible()
  })

  test('whatever storage holds, the table is shown', async ({ page }) => {
    const ratings = '{"order":[[]],"sizes":{"id":-1e99},"hidden":7'
    await storeFirst(page, { columns: { ratings } })
    await visit(page)
    await expect.poll(() => readNames(page)).toEqual(NEWCOMER)
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
    await columnsMenu(page).getByRole('checkbox', { name: 'Comments' }).uncheck()
    await expect.poll(() => readNames(page)).not.toContain('Comments')
    await expect(columnsMenu(page).getByText(/does not let the page store/)).toBeVisible()
    await page.keyboard.press('Escape')
    await nextPage(page).click()
    await expect(page).toHaveURL(/page=2/)
    await expect.poll(() => readNames(page)).not.toContain('Comments')
  })

  test('rows are 31 px high, or 26 where a reader wants more of them, and stay so', async ({
    page,
  }) => {
    await visit(page)
    const heightOf = async () => Math.round((await rows(page).nth(2).boundingBox())?.height ?? 0)
    await expect.poll(heightOf).toBe(31)
    await openColumns(page)
    await columnsMenu(page).getByRole('radio', { name: 'Compact' }).check()
    await expect.poll(heightOf).toBe(26)
    await visit(page)
    await expect.poll(heightOf).toBe(26)
  })
})
