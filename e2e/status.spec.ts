import type { Page } from '@playwright/test'
import { expect, expectNoAxeViolations, test } from './support/test.ts'

const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

for (const width of [360, 1440]) {
  test(`the status tells what runs, ran and will run, what it costs and what is here, at ${width} px`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 900 })
    await page.goto('/status')
    const { data } = await (await page.request.get('/api/status')).json()
    await expect(panel(page, 'Sync')).toContainText(/Up to date|Following the service/)
    await expect(panel(page, 'What comes next')).toContainText('New ratings')
    await expect(panel(page, 'What comes next')).toContainText('Posts dump')
    await expect(panel(page, 'What comes next')).toContainText('1 request')
    await expect(panel(page, 'Requests to the service')).toContainText('This month')
    await expect(panel(page, 'What is here, and what is not')).toContainText(
      /Every rating that the service listed until \d{4}-\d\d-\d\d \d\d:\d\d UTC is here/,
    )
    await expect(panel(page, 'How the service lists')).toContainText('newest first')
    await expect(
      page.getByRole('table', { name: 'Runs of the sync' }).getByRole('row').nth(1),
    ).toContainText(/First filling|New ratings|Posts dump|Lookups dump|How the service lists/)
    const kept = page.getByRole('table', { name: 'Dumps kept here' })
    await expect(kept).toContainText(data.editions.posts.sha256.slice(0, 8))
    await expect(panel(page, 'What happened').getByRole('listitem').first()).toBeVisible()
    const overflows = () =>
      page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)
    expect(await overflows()).toBe(false)
    await expectNoAxeViolations(page)
  })
}

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
