import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { openReceiver, type Receiver, SECRET } from '#testing/alerts/open-receiver.ts'
import { type RunningApp, startApp } from './support/app.ts'
import { expect, expectNoAxeViolations, test } from './support/test.ts'

let app: RunningApp
let receiver: Receiver

test.describe.configure({ mode: 'serial' })
test.use({ allowConsole: ['400 (Bad Request)'] })

test.beforeAll(async () => {
  test.setTimeout(120_000)
  receiver = await openReceiver()
  app = await startApp({
    env: {
      DEMO_RATINGS: '3000',
      DEMO_TAIL_SECONDS: '1',
      RATINGS_PER_MINUTE: '600',
      ALERTS_ALLOW_PRIVATE: 'on',
      PUBLIC_URL: 'https://ratings.example',
    },
  })
})

test.afterAll(async () => {
  await app?.stop()
  receiver?.close()
})

async function openPanel(page: Page) {
  await page.goto(`${app.url}/status/alerts`)
  const panel = page.getByRole('region', { name: 'Alerts' })
  await expect(panel).toBeVisible()
  return panel
}

const askForSync = () =>
  fetch(`${app.url}/api/sync`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: app.url },
  })

test('an operator adds a rule, tries its webhook, and a signed message comes when somebody rates', async ({
  page,
}) => {
  const panel = await openPanel(page)
  await panel.getByRole('button', { name: 'New alert' }).click()
  const dialog = page.getByRole('dialog', { name: 'New alert' })
  await dialog.getByLabel('Symbol').fill('aapl')
  await expect(dialog).toContainText(/In the last 7 days it would have reported \d+ ratings?\./)
  await dialog.getByLabel('Notify about').selectOption('new ratings that match a query')
  await dialog.getByLabel('Query').fill('stars=5')
  await dialog.getByLabel('Address of the webhook').fill(receiver.url)
  await dialog.getByLabel('Secret').fill(SECRET)
  await expectNoAxeViolations(page)
  await dialog.getByRole('button', { name: 'Add alert' }).click()
  await expect(dialog.getByLabel('Query')).toHaveAccessibleDescription(
    'Does not parse: stars is not a parameter here.',
  )
  await dialog.getByLabel('Query').fill('')
  await dialog.getByText('More', { exact: true }).click()
  await dialog.getByLabel('Name', { exact: true }).fill('All that is new')
  await dialog.getByLabel('Name of the webhook').fill('chat')
  await dialog.getByRole('button', { name: 'Add alert' }).click()
  await expect(dialog).toBeHidden()
  const rules = panel.getByRole('region', { name: 'Rules' })
  await expect(rules.getByRole('listitem')).toContainText('All that is new every new rating')

  await panel.getByRole('button', { name: 'Send a test to chat' }).click()
  await expect(panel).toContainText('Test message delivered to chat.')
  await expect
    .poll(
      async () => {
        await askForSync()
        return (await receiver.read()).got.map(({ body }) => body.type)
      },
      { timeout: 60_000 },
    )
    .toEqual(expect.arrayContaining(['alert.test', 'alert.ratings']))
  const { got } = await receiver.read()
  expect(got.every(({ isSigned, isFresh }) => isSigned && isFresh)).toBe(true)
  const told = got.find(({ body }) => body.type === 'alert.ratings')?.body
  expect(told?.text).toMatch(/^All that is new: .*\n• \S+: /)
  expect(told?.data.url).toMatch(/^https:\/\/ratings\.example\//)
  await page.reload()
  await expect(rules).toContainText('last message')
  await expectNoAxeViolations(page)
})

test('a receiver that fails is named with its reason, and what waits comes when it is well', async ({
  page,
}) => {
  await receiver.become('failing')
  await expect
    .poll(
      async () => {
        await askForSync()
        return (await receiver.read()).requests > (await receiver.read()).got.length
      },
      { timeout: 60_000 },
    )
    .toBe(true)
  const panel = await openPanel(page)
  await expect(panel.getByRole('region', { name: 'Webhooks' })).toContainText(
    'It answered with 500.',
  )
  await expect(panel.getByRole('region', { name: 'Pending' })).toContainText('All that is new')
  await receiver.forget()
  await receiver.become('well')
  await expect
    .poll(async () => (await receiver.read()).got.length, { timeout: 90_000 })
    .toBeGreaterThan(0)
  await panel.getByRole('button', { name: 'Remove All that is new' }).click()
  await expect(panel).toContainText('No rule yet')
})

test('the secret is in no page, no answer and no log', async ({ page }) => {
  await openPanel(page)
  const answers = [await page.content(), await (await fetch(`${app.url}/api/alerts`)).text()]
  for (const shown of [...answers, app.log()]) {
    expect(shown).not.toContain(SECRET)
    expect(shown).not.toContain('/hook')
  }
  expect(readFileSync(join(app.dataDir, 'alerts', 'state.json'), 'utf8')).not.toContain(SECRET)
})
