import type { Page } from '@playwright/test'
import { THREE_NODES } from '#testing/contract/status.ts'
import { withoutLive } from './support/live.ts'
import { storeFirst } from './support/stored.ts'
import { expect, expectNoAxeViolations, test } from './support/test.ts'

const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

const openTab = async (page: Page, name: string) =>
  await page.getByRole('navigation', { name: 'Status' }).getByRole('link', { name }).click()

test('the status says in one sentence whether all is well and how fresh, then shows 90 days', {
  tag: '@core',
}, async ({ page }) => {
  await page.goto('/status')
  await expect(panel(page, 'Health')).toContainText(/^Healthy\. Complete to .*checked .*\.$/)
  const strip = panel(page, 'Syncs of 90 days').getByRole('img')
  await expect(strip).toHaveAccessibleName(/^100% of syncs succeeded in one day of the last 90\.$/)
  await expect(strip.locator('[data-uptime=good]')).toHaveCount(1)
  await expect(strip.locator('[data-uptime=unknown]')).toHaveCount(89)
  await expect(panel(page, 'What is missing')).toContainText(
    /Every rating that the service listed until \d{4}-\d\d-\d\d \d\d:\d\d is stored here/,
  )
  await expectNoAxeViolations(page)
})

test('days with failed syncs are listed, and a failing service is named first', async ({
  page,
}) => {
  await withoutLive(page)
  await page.clock.install()
  await page.route('**/api/status', async (route) => {
    const response = await route.fetch()
    const body = await response.json()
    const today = new Date(body.data.now * 1000).toISOString().slice(0, 10)
    body.data.days = [{ day: today, done: 3, failed: 1 }]
    const since = body.data.now - 7200
    body.data.alarms = [{ kind: 'unreachable', since, message: 'It does not answer.' }]
    await route.fulfill({ response, json: body })
  })
  await page.goto('/status')
  await expect(async () => {
    await page.clock.runFor(25_000)
    await expect(panel(page, 'Health')).toContainText(/^Needs attention\. Complete to .*1 alarm/, {
      timeout: 2000,
    })
  }).toPass({ timeout: 40_000 })
  await expect(page.getByRole('list', { name: 'Alarms' })).toContainText('It does not answer.')
  await page.getByText('1 day with failed syncs').click()
  const days = page.getByRole('table', { name: 'Days with failed syncs' })
  await expect(days.getByRole('row').nth(1)).toContainText(/3.*1/)
  await expectNoAxeViolations(page)
})

test('operators have tabs: what runs, ran and will run, prices, backups and alerts', {
  tag: '@core',
}, async ({ page }) => {
  await page.goto('/status')
  await openTab(page, 'Sync')
  await expect(page).toHaveURL('/status/sync')
  await expect(panel(page, 'Sync')).toContainText(/Up to date|Following the service/)
  await expect(panel(page, 'Planned')).toContainText('New ratings')
  await expect(panel(page, 'Planned')).toContainText('Posts dump')
  await expect(panel(page, 'Planned')).toContainText('1 request')
  await expect(panel(page, 'Requests to the service')).toContainText('This month')
  await expect(panel(page, 'Service behavior')).toContainText('newest first')
  await expect(
    page.getByRole('table', { name: 'Runs of the sync' }).getByRole('row').nth(1),
  ).toContainText(/First filling|New ratings|Posts dump|Lookups dump|Service behavior/)
  await expect(panel(page, 'Events').getByRole('listitem').first()).toBeVisible()
  await openTab(page, 'Prices')
  await expect(panel(page, 'Prices')).toContainText('Demo prices')
  await openTab(page, 'Backups')
  await expect(panel(page, 'Backups')).toContainText('There is no backup yet.')
  await openTab(page, 'Alerts')
  await expect(panel(page, 'Alerts')).toContainText('No rule yet.')
  await page.keyboard.press('Shift+Tab')
  await expect(page).toHaveURL('/status/alerts')
  await expectNoAxeViolations(page)
})

test('a new alert may start with a saved view, and says what it would have reported', async ({
  page,
}) => {
  const view = { id: 'a', name: 'Strong buys', address: 'rating=5&sort=prediction.desc' }
  await storeFirst(page, { views: [view] })
  await page.goto('/status/alerts')
  await panel(page, 'Alerts').getByRole('button', { name: 'New alert' }).click()
  const dialog = page.getByRole('dialog', { name: 'New alert' })
  const about = dialog.getByLabel('Notify about')
  await about.selectOption('new ratings in the view “Strong buys”')
  await expect(dialog).toContainText('rating=5')
  await expect(dialog).toContainText(/it would have reported [\d,]+ ratings\./)
  const fields = dialog.locator('input:visible, select:visible')
  await expect(fields).toHaveCount(3)
  await expectNoAxeViolations(page)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(panel(page, 'Alerts').getByRole('button', { name: 'New alert' })).toBeFocused()
})

test('several nodes are listed, and a database that is away is told with what it means', async ({
  page,
}) => {
  let awaySince: number | null = null
  await withoutLive(page)
  await page.clock.install()
  await page.route('**/api/status', async (route) => {
    const response = await route.fetch()
    const body = await response.json()
    const { now } = body.data
    const list = THREE_NODES.list.map((node) => ({
      ...node,
      started_at: now - 900,
      seen_at: now,
    }))
    body.data.nodes = { ...THREE_NODES, list, away_since: awaySince }
    await route.fulfill({ response, json: body })
  })
  const afterPolling = (isSeen: () => Promise<void>) =>
    expect(async () => {
      await page.clock.runFor(25_000)
      await isSeen()
    }).toPass({ timeout: 40_000 })
  await page.goto('/status/sync')
  const nodes = panel(page, 'Nodes')
  await afterPolling(() => expect(nodes).toContainText('ratings-b:3000 syncs', { timeout: 2000 }))
  const rows = page.getByRole('table', { name: 'Nodes' }).getByRole('row')
  await expect(rows.nth(1)).toContainText(/ratings-a:3000 · this one.*up to date/)
  const expectWhole = async () => {
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      const frame = page.getByRole('region', { name: 'Nodes, scrollable' })
      await expect
        .poll(() => frame.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth))
        .toBe(0)
      const table = page.getByRole('table', { name: 'Nodes' })
      const reason = table.getByText('The disk is full.')
      await expect(reason).toBeVisible()
    }
  }
  await expectWhole()
  awaySince = THREE_NODES.list[0]?.seen_at ?? 0
  await afterPolling(() =>
    expect(nodes).toContainText(/has not answered since .* ago/, { timeout: 2000 }),
  )
  await expect(nodes).toContainText('nothing new is fetched')
  await expectWhole()
  await expectNoAxeViolations(page)
})
