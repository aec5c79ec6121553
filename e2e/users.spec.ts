import type { Page } from '@playwright/test'
import { expect, test } from './support/test.ts'

async function selectBusiest(page: Page) {
  const { data, meta } = await (await page.request.get('/api/users?per_page=1')).json()
  const id: number = data[0].user_id
  return {
    at: `asof=${meta.as_of}`,
    path: `/users/${id}`,
    api: `/api/users/${id}`,
    user: `User ${id}`,
    ratings: `Ratings over time, user ${id}`,
    activity: `Activity by day, user ${id}`,
  }
}

test('the league of users sorts by each heading, and says by which rule', { tag: '@core' }, async ({
  page,
}) => {
  await page.goto('/users')
  const table = page.getByRole('table', { name: 'Users' })
  for (const [heading, sort] of [
    ['Agreement', '-agreement'],
    ['Bias', '-bias'],
    ['In 90 days', '-recent'],
    ['Symbols', '-symbols'],
  ] as const) {
    const head = table.getByRole('columnheader', { name: heading })
    await head.getByRole('link').click()
    await expect(head).toHaveAttribute('aria-sort', 'descending')
    await expect(page).toHaveURL(new RegExp(`sort=${sort}`))
    const { data } = await (await page.request.get(`/api/users?sort=${sort}&per_page=1`)).json()
    await expect(table.getByRole('row').nth(1)).toContainText(`#${data[0].user_id}`)
  }
  await page.getByRole('button', { name: 'How agreement is ranked' }).click()
  await expect(page.getByRole('dialog', { name: 'How agreement is ranked' })).toContainText(
    'E. B. Wilson',
  )
})

async function selectCompared(page: Page, at: string) {
  const { data } = await (await page.request.get(`/api/users?per_page=40&${at}`)).json()
  for (const { user_id: id } of data) {
    const record = await (await page.request.get(`/api/users/${id}/record?${at}`)).json()
    const { band } = record.data.closeness
    if (band?.users >= 30 && band.farther > 0) return { id, ...band }
  }
  throw new Error('No user is compared with others.')
}

const unfold = async (page: Page, title: string) => {
  await page.getByRole('heading', { level: 2, name: title }).click()
  await expect(page.getByRole('region', { name: title }).locator('details')).toHaveAttribute(
    'open',
    '',
  )
}

test('each part of a user’s closeness leads to the users that it counts', async ({ page }) => {
  const { at } = await selectBusiest(page)
  const { id, users, farther } = await selectCompared(page, at)
  await page.goto(`/users/${id}?${at}`)
  await unfold(page, 'Judged without prices')
  const card = page.getByRole('region', { name: 'Closeness to the later consensus' })
  await card.getByRole('link', { name: 'are farther' }).click()
  await expect(page).toHaveURL(new RegExp(`/users[?]peers_of=${id}&farther_than=${id}&asof=`))
  const header = page.getByRole('main')
  await expect(header.getByText(new RegExp(`^${farther} users?$`)).first()).toBeVisible()
  const words = 'farther from the later consensus than'
  await expect(header).toContainText(
    `with the number of judged ratings most similar to that of #${id}`,
  )
  await page.getByRole('link', { name: `Take off: ${words} #${id}` }).click()
  await expect(page).toHaveURL(new RegExp(`/users[?]peers_of=${id}&asof=`))
  await expect(header.getByText(new RegExp(`^${users} users$`)).first()).toBeVisible()
  await page.goBack()
  await page.goBack()
  await unfold(page, 'Judged without prices')
  await card.getByRole('link', { name: `${users} users` }).click()
  await expect(page).toHaveURL(new RegExp(`/users[?]peers_of=${id}&asof=`))
  await expect(header.getByText(new RegExp(`^${users} users$`)).first()).toBeVisible()
})

test.describe('a mistyped number', () => {
  test.use({ allowConsole: ['404'] })

  test('leads to the user that was meant', async ({ page }) => {
    const league = await page.request.get('/api/users?sort=-user_id&per_page=1')
    const id: number = (await league.json()).data[0].user_id
    const response = await page.goto(`/users/${id}9`)
    expect(response?.status()).toBe(404)
    const near = page.getByRole('navigation', { name: 'Did you mean' })
    await near.getByRole('link', { name: new RegExp(`^#${id} `) }).click()
    await expect(page).toHaveURL(new RegExp(`/users/${id}$`))
  })
})

test('ratings are read and opened by keyboard', { tag: '@core' }, async ({ page }) => {
  const busiest = await selectBusiest(page)
  await page.goto(`${busiest.path}?${busiest.at}`)
  const figure = page.getByRole('figure', { name: busiest.ratings })
  const { data } = await (await page.request.get(`${busiest.api}/calls?${busiest.at}`)).json()
  const [first] = data.symbols
  const chart = figure.getByRole('application')
  await chart.focus()
  await expect(async () => {
    await page.keyboard.press('End')
    await expect(figure.getByRole('status').last()).toContainText(`${first.symbol}: `, {
      timeout: 500,
    })
  }).toPass()
  await page.keyboard.press('ArrowDown')
  await expect(figure.getByRole('status').last()).toContainText(`${data.symbols[1].symbol}: `)
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/ratings/${first.calls.at(-1).id}[?]asof=`))
})

test('ratings and activity have the same content as tables, and the address says so', async ({
  page,
}) => {
  const busiest = await selectBusiest(page)
  await page.goto(`${busiest.path}?range=all&rows=all&${busiest.at}`)
  const { data } = await (await page.request.get(`${busiest.api}/calls?${busiest.at}`)).json()
  const listed = data.symbols.flatMap((row: { calls: unknown[] }) => row.calls).length
  const ratings = page.getByRole('figure', { name: busiest.ratings })
  await ratings.getByRole('button', { name: 'Show as table' }).click()
  await expect(page).toHaveURL(/view=table/)
  await expect(ratings.getByRole('table', { name: busiest.ratings }).getByRole('row')).toHaveCount(
    listed + 1,
  )
  const activity = page.getByRole('figure', { name: busiest.activity })
  await unfold(page, 'Judged without prices')
  await activity.getByRole('button', { name: 'Show as table' }).click()
  await expect(page).toHaveURL(/activity=table/)
  await expect(activity.getByRole('table', { name: busiest.activity })).toContainText(/20\d\d-\d\d/)
  await page.goBack()
  await expect(activity.getByRole('application')).toBeVisible()
  await activity.getByRole('button', { name: 'Show as table' }).evaluate((button) => {
    button.dispatchEvent(new MouseEvent('click', { bubbles: true }))
    window.history.back()
  })
  await expect(page).not.toHaveURL(/activity=/)
  await expect(activity.getByRole('application')).toBeVisible()
  await page.reload()
  await expect(ratings.getByRole('table', { name: busiest.ratings })).toBeVisible()
  await ratings.getByRole('radio', { name: '1Y' }).check()
  await expect(page).toHaveURL(/range=1y/)
})

test('what is said of a user has its n, and why', async ({ page }) => {
  const busiest = await selectBusiest(page)
  const { data } = await (await page.request.get(`${busiest.api}/record?${busiest.at}`)).json()
  await page.goto(`${busiest.path}?${busiest.at}`)
  await unfold(page, 'Judged without prices')
  const card = (name: RegExp) => page.getByRole('region', { name })
  await expect(card(/^Distance/)).toContainText(`of ${data.distance.n} ratings`)
  await expect(card(/^Lead/)).toContainText(
    new RegExp(`of ${data.lead.n} ratings; guessing would give \\d+%`),
  )
  await expect(card(/^Agreement/)).toContainText(/of [\d,]+ votes/)
  await expect(card(/^Persistence/)).toContainText(
    `of ${data.persistence.ended} ratings that ended`,
  )
  await page.getByRole('button', { name: /About lead/ }).click()
  await expect(page.getByRole('dialog', { name: /About lead/ })).toContainText('guessing')
})

test('of one rating there is too little to say', async ({ page }) => {
  const { data } = await (await page.request.get('/api/users?sort=ratings&per_page=1')).json()
  const [{ user_id: id, ratings }] = data
  expect(ratings).toBe(1)
  await page.goto(`/users/${id}?range=all`)
  const figure = page.getByRole('figure', { name: `Ratings over time, user ${id}` })
  await expect(figure).toContainText('1 of 1 symbol, 1 rating in all')
  await expect(page.getByText(/^Too few calls to judge: /)).toBeVisible()
  await unfold(page, 'Judged without prices')
  await expect(page.getByRole('region', { name: /^Lead/ })).toContainText(
    /no rating can be judged yet|Too few to say/,
  )
})

test('rewound, a user is who they were then; before their first rating the page leads to it', async ({
  page,
}) => {
  const { path, api, user } = await selectBusiest(page)
  const now = await (await page.request.get(api)).json()
  const then = await (await page.request.get(`${api}?asof=2023-01-01`)).json()
  expect(then.data.ratings).toBeLessThan(now.data.ratings)
  const response = await page.goto(`${path}?asof=2023-01-01`)
  expect(response?.status()).toBe(200)
  await expect(page.getByRole('main')).toContainText(`${then.data.ratings} ratings of`)
  await unfold(page, 'Judged without prices')
  await expect(page.getByRole('region', { name: /^Agreement/ })).toContainText('as last seen')
  const early = await page.goto(`${path}?asof=2001-01-01`)
  expect(early?.status()).toBe(200)
  await expect(page.getByRole('main')).toContainText(`${user} had not rated by 2001-01-01`)
  await page.getByRole('link', { name: 'Go to their first rating' }).click()
  await expect(page.getByRole('main')).toContainText('1 rating of 1 symbol')
  await page.goto('/users?asof=2001-01-01')
  await expect(page.getByRole('main')).toContainText(/0 users|nothing|no rating/i)
})

test.describe('who never rated', () => {
  test.use({ allowConsole: ['404'] })
  test('is a 404, also where the page is rewound', async ({ page }) => {
    for (const path of ['/users/99999999', '/users/99999999?asof=2020-01-01', '/users/abc']) {
      const response = await page.goto(path)
      expect(response?.status(), path).toBe(404)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    }
  })
})

test('the league’s figures of a user stand on their page', async ({ page }) => {
  const { path, api, at } = await selectBusiest(page)
  const { data } = await (await page.request.get(`${api}?${at}`)).json()
  const league = await (await page.request.get(`/api/users?q=${data.user_id}&${at}`)).json()
  const [line] = league.data
  expect([data.recent, data.bias, data.bias_n]).toEqual([line.recent, line.bias, line.bias_n])
  await page.goto(`${path}?${at}`)
  await unfold(page, 'Judged without prices')
  await expect(page.getByRole('region', { name: 'Bias' })).toContainText(
    new RegExp(`[+−]?\\d\\.\\d\\dsteps from others, of ${data.bias_n} active`),
  )
  await unfold(page, 'Symbols and labels')
  const all = page.getByRole('link', { name: `All ${data.symbols} symbols, rating by rating` })
  if (data.symbols > 100) await expect(all).toHaveAttribute('href', /user=\d+&sort=symbol/)
  const rows = page.getByRole('table', { name: 'Latest rating by symbol' }).getByRole('row')
  const listed = data.by_symbol.length
  expect(listed).toBeGreaterThan(18)
  await expect(rows).toHaveCount(18 + 1)
  await page.emulateMedia({ media: 'print' })
  await expect(rows).toHaveCount(listed + 1)
  await page.emulateMedia({ media: 'screen' })
  await expect(rows).toHaveCount(18 + 1)
  await page.getByRole('link', { name: new RegExp(`^Show (?:all )?${listed}$`) }).click()
  await expect(rows).toHaveCount(listed + 1)
  await expect(page).toHaveURL(/[?&]symbols=all/)
  await page.getByRole('link', { name: 'Show fewer' }).click()
  await expect(page).not.toHaveURL(/symbols=/)
  await expect(rows).toHaveCount(18 + 1)
})
