import type { Page } from '@playwright/test'
import { THREE_NODES } from '#testing/contract/status.ts'
import { withoutLive } from './support/live.ts'
import { expect, expectNoAxeViolations, test } from './support/test.ts'

const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

test('the status tells what runs, ran and will run, what it costs and what is here', {
  tag: '@core',
}, async ({ page }) => {
  await page.goto('/status')
  const { data } = await (await page.request.get('/api/status')).json()
  await expect(panel(page, 'Sync')).toContainText(/Up to date|Following the service/)
  await expect(panel(page, 'Planned')).toContainText('New ratings')
  await expect(panel(page, 'Planned')).toContainText('Posts dump')
  await expect(panel(page, 'Planned')).toContainText('1 request')
  await expect(panel(page, 'Requests to the service')).toContainText('This month')
  await expect(panel(page, 'Completeness')).toContainText(
    /Every rating that the service listed until \d{4}-\d\d-\d\d \d\d:\d\d UTC is stored here/,
  )
  await expect(panel(page, 'Service behavior')).toContainText('newest first')
  await expect(
    page.getByRole('table', { name: 'Runs of the sync' }).getByRole('row').nth(1),
  ).toContainText(/First filling|New ratings|Posts dump|Lookups dump|Service behavior/)
  const kept = page.getByRole('table', { name: 'Stored dumps' })
  await expect(kept).toContainText(data.editions.posts.sha256.slice(0, 8))
  await expect(panel(page, 'Events').getByRole('listitem').first()).toBeVisible()
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
  await page.goto('/status')
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
      const reason = rows.nth(3).getByText('The disk is full.').locator('visible=true')
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

test('a kept edition is downloaded from the status, byte for byte', async ({ page }) => {
  await page.goto('/status')
  const { data } = await (await page.request.get('/api/editions')).json()
  const [{ file_name, bytes, sha256 }] = data.posts
  const file = await page.request.get(`/api/editions/${file_name}`)
  expect((await file.body()).byteLength).toBe(bytes)
  expect(file.headers().etag).toBe(`"${sha256}"`)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: file_name }).click(),
  ])
  expect(download.suggestedFilename()).toBe(file_name)
})
