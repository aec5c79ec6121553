import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RunningApp, startApp } from './support/app.ts'
import { expect, test } from './support/test.ts'

const env = { DEMO_RATINGS: '30000', DEMO_TAIL_SECONDS: '1' }
const parent = mkdtempSync(join(tmpdir(), 'bellwether-restore-'))
const dataDir = join(parent, 'data')
let app: RunningApp

test.describe.configure({ mode: 'serial' })

test.beforeAll(async () => {
  test.setTimeout(120_000)
  app = await startApp({ env: { ...env, DATA_DIR: dataDir } })
  await expect
    .poll(async () => (await readStatus()).archive.ratings, { timeout: 60_000 })
    .toBeGreaterThan(29_000)
})

test.afterAll(async () => {
  await app?.stop()
  rmSync(parent, { recursive: true, force: true })
})

const readStatus = async () => (await (await fetch(`${app.url}/api/status`)).json()).data
const backups = () => {
  const folder = join(dataDir, 'backups')
  return existsSync(folder) ? readdirSync(folder).sort() : []
}

test('an operator sees on the status page when backups are made, makes one, and sees it', async ({
  page,
}) => {
  await page.goto(`${app.url}/status/backups`)
  const panel = page.getByRole('region', { name: 'Backups' })
  await expect(panel).toContainText('made on request; the newest 7 are kept')
  await expect(panel).toContainText('There is no backup yet.')
  await panel.getByRole('button', { name: 'Back up now' }).click()
  const list = panel.getByRole('list', { name: 'Backups' })
  await expect(list.getByRole('listitem')).toHaveCount(1)
  await expect(list).toContainText(/MB · \d+ files/)
  await expect(panel.getByRole('button', { name: 'Back up now' })).toBeEnabled()
  await page.getByRole('navigation', { name: 'Status' }).getByRole('link', { name: 'Sync' }).click()
  await expect(page.getByText('A backup was created:').first()).toBeVisible()
  expect(backups()).toHaveLength(1)
})
