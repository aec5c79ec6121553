import type { Locator, Page } from '@playwright/test'
import { useLocalZone } from './support/local-zone.ts'
import { heading, rail, table } from './support/ratings-page.ts'
import { expect, expectNoOverflow, test } from './support/test.ts'

const bars = (page: Page) => page.getByRole('listbox', { name: /Posted over time/ })
const begin = (page: Page) => page.getByRole('slider', { name: 'Start of the range' })
const end = (page: Page) => page.getByRole('slider', { name: 'End of the range' })

const params = (page: Page) => new URL(page.url()).searchParams
const load = async (page: Page, path: string) => (await page.request.get(path)).json()
const totalOf = async (page: Page, search: string) =>
  (await load(page, `/api/ratings${search}`)).page.total as number
const counted = (count: number) => `${count.toLocaleString('en-US')} rating`

async function open(page: Page, path: string) {
  await page.goto(path)
  await expect(page.getByRole('slider').first()).toBeEnabled()
}

async function boxOf(locator: Locator) {
  const box = await locator.boundingBox()
  if (!box) throw new Error('It is not on the page.')
  return box
}

async function drag(page: Page, on: Locator, [from, to]: [number, number]) {
  const { x, y, width, height } = await boxOf(on)
  await page.mouse.move(x + from * width, y + height / 2)
  await page.mouse.down()
  await page.mouse.move(x + to * width, y + height / 2, { steps: 12 })
}

test('a drag over the timeline asks nothing until it ends, then shows exactly what was brushed', {
  tag: '@core',
}, async ({ page }) => {
  await open(page, '/')
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  const { created } = (await load(page, '/api/facets')).data
  await drag(page, bars(page), [0.301, 0.599])
  await expect(page.getByText(/^20\d\d-\d\d-\d\d to 20\d\d-\d\d-\d\d$/)).toBeVisible()
  expect(asked.filter((url) => /\/api\/(ratings|facets)/.test(url))).toEqual([])
  expect(params(page).size).toBe(0)
  await page.mouse.up()
  await expect(page).toHaveURL(/from=\d{4}-\d{2}-\d{2}&to=\d{4}-\d{2}-\d{2}$/)
  const [from, to] = ['from', 'to'].map((name) => Date.parse(params(page).get(name) ?? '') / 1000)
  const inside = created.filter(
    (bin: { from: number }) => bin.from >= (from ?? 0) && bin.from < (to ?? 0),
  )
  const sum = inside.reduce((all: number, { count }: { count: number }) => all + count, 0)
  await expect(heading(page)).toContainText(counted(sum))
  expect(created.map((bin: { from: number }) => bin.from)).toEqual(
    expect.arrayContaining([from, to]),
  )
})

test('Esc gives a drag up, and the span is as it was', async ({ page }) => {
  await open(page, '/?from=2020-01-01&to=2021-01-01')
  const before = await boxOf(begin(page))
  await drag(page, bars(page), [0.1, 0.2])
  expect((await boxOf(begin(page))).x).not.toBeCloseTo(before.x, 0)
  await page.keyboard.press('Escape')
  await expect.poll(async () => (await boxOf(begin(page))).x).toBeCloseTo(before.x, 0)
  await page.mouse.up()
  await expect(page).toHaveURL(/\?from=2020-01-01&to=2021-01-01$/)
})

test('the span is moved as a whole, and either end alone', async ({ page }) => {
  await open(page, '/')
  await drag(page, bars(page), [0.301, 0.399])
  await page.mouse.up()
  await expect(page).toHaveURL(/from=/)
  const length = () =>
    Date.parse(params(page).get('to') ?? '') - Date.parse(params(page).get('from') ?? '')
  const [first, span] = [params(page).get('from'), length()]
  await drag(page, bars(page), [0.35, 0.55])
  await page.mouse.up()
  await expect.poll(() => params(page).get('from')).not.toBe(first)
  expect(length()).toBe(span)

  const [from, to] = [params(page).get('from'), params(page).get('to')]
  const [grip, { x, width, y }] = [await boxOf(end(page)), await boxOf(bars(page))]
  await page.mouse.move(grip.x + grip.width / 2, grip.y + grip.height / 2)
  await page.mouse.down()
  await page.mouse.move(x + width * 0.8, y + 20, { steps: 8 })
  await page.mouse.up()
  await expect.poll(() => params(page).get('to')).not.toBe(to)
  expect(params(page).get('from')).toBe(from)
})

test('a click picks a bar, a second one gives it up, a double click and the × clear', async ({
  page,
}) => {
  await open(page, '/')
  const { x, y, width } = await boxOf(bars(page))
  const click = () => page.mouse.click(x + width * 0.72, y + 30)
  await click()
  await expect(page).toHaveURL(/from=.*to=/)
  await click()
  await expect(page).not.toHaveURL(/from=/)

  await drag(page, bars(page), [0.2, 0.4])
  await page.mouse.up()
  await expect(page).toHaveURL(/from=/)
  await page.mouse.dblclick(x + width * 0.8, y + 30)
  await expect(page).not.toHaveURL(/from=|to=/)

  await drag(page, bars(page), [0.2, 0.4])
  await page.mouse.up()
  await expect(page).toHaveURL(/from=/)
  await page.getByRole('button', { name: 'Clear the range' }).click()
  await expect(page).not.toHaveURL(/from=|to=/)
})

test('by keyboard alone: the ends of the span say where they are and move', async ({ page }) => {
  await open(page, '/')
  await expect(begin(page)).toHaveAttribute('aria-valuetext', 'from the first rating on')
  await begin(page).focus()
  for (const key of ['PageUp', 'PageUp', 'ArrowRight']) await page.keyboard.press(key)
  await expect(begin(page)).toHaveAttribute('aria-valuetext', /^since \d{4}-\d{2}-\d{2}$/)
  const from = (await begin(page).getAttribute('aria-valuetext'))?.replace('since ', '')
  await expect(page).toHaveURL(new RegExp(`\\?from=${from}$`))
  await end(page).focus()
  await page.keyboard.press('ArrowLeft')
  await expect(page).toHaveURL(/to=/)
  expect(params(page).get('from')).toBe(from)
  await page.keyboard.press('End')
  await expect(page).not.toHaveURL(/to=/)
  await expect(end(page)).toHaveAttribute('aria-valuetext', 'to the newest rating')
  await begin(page).focus()
  await page.keyboard.press('Delete')
  await expect(page).not.toHaveURL(/from=/)
})

test('a span written by hand is shown to the second', async ({ page }) => {
  await open(page, '/?from=2020-03-04T05:06:07Z')
  await expect(begin(page)).toHaveAttribute('aria-valuetext', 'since 2020-03-04 05:06:07')
  await expect(page.getByText('Exactly since 2020-03-04 05:06:07')).toBeVisible()
  await expect(page.getByRole('button', { name: /Remove filter: posted/ })).toBeVisible()
})

test('days are those of the reader’s zone', async ({ page }) => {
  await useLocalZone(page)
  await open(page, '/')
  await page.getByLabel('From', { exact: true }).fill('2021-07-01')
  await expect.poll(() => params(page).get('from')).toBe('2021-06-30T22:00:00Z')
  await expect(page.getByText('since 2021-07-01').first()).toBeVisible()
})

test('the prediction is chosen by two thumbs, and its bounds stay exact decimals', async ({
  page,
}) => {
  await open(page, '/')
  const low = page.getByRole('slider', { name: 'Lowest prediction' })
  const high = page.getByRole('slider', { name: 'Highest prediction' })
  await expect(low).toHaveAttribute('aria-valuetext', 'no lower bound')
  await low.focus()
  await page.keyboard.press('PageUp')
  await expect(low).toHaveAttribute('aria-valuetext', /^[+−]?\d+(\.\d{2})?%$/)
  await expect(page).toHaveURL(/prediction_min=-?\d+(\.\d{2})?$/)
  const least = params(page).get('prediction_min') ?? ''
  await expect(page.getByLabel('Min %')).toHaveValue(least)
  await expect(heading(page)).toContainText(
    counted(await totalOf(page, `?prediction_min=${least}`)),
  )
  await high.focus()
  await page.keyboard.press('ArrowLeft')
  await expect(page).toHaveURL(/prediction_max=/)
  await page.keyboard.press('End')
  await expect(page).not.toHaveURL(/prediction_max=/)
  await low.focus()
  await page.keyboard.press('Home')
  await expect(page).not.toHaveURL(/prediction_/)
})

test('a thumb that is dragged asks nothing until it is let go', async ({ page }) => {
  await open(page, '/?prediction_above=10')
  const low = page.getByRole('slider', { name: 'Lowest prediction' })
  await expect(low).toHaveAttribute('aria-valuetext', 'above +10%')
  await low.scrollIntoViewIfNeeded()
  const { x, y } = await boxOf(low)
  await page.mouse.move(x + 8, y + 8)
  await page.mouse.down()
  await page.mouse.move(x + 48, y + 8, { steps: 6 })
  await expect(low).not.toHaveAttribute('aria-valuetext', 'above +10%')
  await expect(page).toHaveURL(/\?prediction_above=10$/)
  await page.mouse.up()
  await expect(page).toHaveURL(/\?prediction_min=[^&]+$/)
})

test('counts follow the other filters, and a facet ignores its own', async ({ page }) => {
  await open(page, '/?rating=5')
  const { rating, state, distinct } = (await load(page, '/api/facets?rating=5')).data
  const ratings = rail(page).getByRole('group', { name: 'Rating' })
  for (const { label, count } of rating) {
    await expect(
      ratings.getByRole('checkbox', { name: label, exact: true }),
    ).toHaveAccessibleDescription(count.toLocaleString('en-US'))
  }
  const states = rail(page).getByRole('group', { name: 'State' })
  for (const [index, name] of ['Active', 'Ended'].entries()) {
    await expect(states.getByRole('radio', { name })).toHaveAccessibleDescription(
      state[index].count.toLocaleString('en-US'),
    )
  }
  await expect(
    page.getByText(`${distinct.symbols.toLocaleString('en-US')} symbols under the other filters`),
  ).toBeAttached()
})

test('a state is chosen, and given up by the same click', async ({ page }) => {
  await open(page, '/')
  const active = rail(page).getByRole('radio', { name: 'Active' })
  await active.click()
  await expect(page).toHaveURL(/state=active/)
  await expect(active).toBeChecked()
  await active.click()
  await expect(page).not.toHaveURL(/state=/)
})

test('a value is taken out by the button of its line, stays in sight, and comes back', {
  tag: '@core',
}, async ({ page }) => {
  await open(page, '/')
  const { symbol } = (await load(page, '/api/facets')).data
  const name = symbol[0].value as string
  const out = rail(page).getByRole('button', { name: `Exclude ${name}`, exact: true })
  await out.focus()
  await expect(out).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`symbol=-${name}$`))
  await expect(out).toHaveAttribute('aria-pressed', 'true')
  await expect(heading(page)).toContainText(counted(await totalOf(page, `?symbol=-${name}`)))
  await expect(
    page.getByRole('button', { name: `Remove filter: not symbol ${name}` }),
  ).toBeVisible()
  await expect(page).toHaveTitle(new RegExp(`^not ${name} · Ratings`))
  await out.click()
  await expect(page).not.toHaveURL(/symbol=/)
})

test('a search with a minus takes out what it finds, and says what its counts are of', async ({
  page,
}) => {
  await open(page, '/?rating=5')
  const field = rail(page).getByRole('combobox', { name: 'Symbol' })
  await field.fill('-aap')
  await expect(page.getByRole('option', { name: /^AAPL .* in all$/ })).toBeVisible()
  await page.getByRole('option', { name: /^AAPL/ }).click()
  await expect(page).toHaveURL(/symbol=-AAPL/)
})

test('one filter is cleared beside its name, all of them at once', async ({ page }) => {
  await open(page, '/?symbol=AAPL,-TSLA&rating=4,5&agree=0&expires=never&comments=-3')
  await expect(page.getByRole('button', { name: /Remove filter/ })).toHaveCount(6)
  await rail(page).getByRole('button', { name: 'reset the filter by symbol' }).click()
  await expect(page).not.toHaveURL(/symbol=/)
  await page.getByRole('button', { name: 'Remove filter: not comments 3' }).click()
  await expect(page).not.toHaveURL(/comments=/)
  await page.getByRole('button', { name: 'Clear all' }).click()
  await expect(page).toHaveURL(/\/$/)
})

test('a drag over the bars of a header filters its column', async ({ page }) => {
  await open(page, '/')
  for (const [name, expected] of [
    ['Rating', /rating=/],
    ['Prediction', /prediction_m/],
    ['Posted', /from=/],
  ] as const) {
    const header = table(page).getByRole('columnheader', { name }).first()
    await drag(page, header.locator('svg'), [0.45, 0.75])
    await page.mouse.up()
    await expect(page).toHaveURL(expected)
    await page.getByRole('button', { name: 'Clear all' }).click()
    await expect(page).toHaveURL(/\/$/)
  }
})

test('two filters that must both go are found, and go by one click', async ({ page }) => {
  await open(page, '/?symbol=NOSUCHSYMBOL&user=999999999&rating=5')
  await expect(page.getByText('No rating matches')).toBeVisible()
  await expect(page.getByText(/Removing any single filter still leaves no ratings/)).toBeVisible()
  const total = await totalOf(page, '?rating=5')
  const way = page.getByRole('listitem').filter({ hasText: 'Without symbol NOSUCHSYMBOL and user' })
  await expect(way).toContainText(counted(total))
  await way.getByRole('link').click()
  await expect(page).toHaveURL(/\?rating=5$/)
})

test.describe('with a finger', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 360, height: 780 } })

  test('a tap on a bar picks its span, and nothing is wider than the screen', async ({ page }) => {
    await open(page, '/')
    const { x, y, width } = await boxOf(bars(page))
    await page.touchscreen.tap(x + width * 0.7, y + 30)
    await expect(page).toHaveURL(/from=.*to=/)
    await expectNoOverflow(page)
  })
})
