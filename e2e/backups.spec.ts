import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
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
const askForBackup = () =>
  fetch(`${app.url}/api/backups`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: app.url },
  })

/** Derived fields change with later ratings. */
const CAME = [
  ...['id', 'user_id', 'symbol', 'rating', 'rating_label', 'action', 'action_label', 'prediction'],
  ...['created_at', 'created_at_date', 'expired_at', 'expired_at_date'],
  ...['tally_agree', 'tally_disagree', 'tally_comment'],
].join(',')

async function readRatings(): Promise<Map<number, string>> {
  const answer = await fetch(`${app.url}/api/ratings.ndjson?columns=${CAME}`)
  const lines = (await answer.text()).trimEnd().split('\n')
  return new Map(lines.map((line) => [Number(JSON.parse(line).id), line]))
}

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

test('a process that is killed during a backup leaves none that is half, and cleans up when it starts', async () => {
  const before = backups()
  const isPart = (name: string) => name.endsWith('.part')
  const answered = askForBackup().catch(() => null)
  await expect.poll(() => backups().some(isPart), { intervals: [1], timeout: 20_000 }).toBe(true)
  process.kill(app.pid, 'SIGKILL')
  await answered
  expect(backups().filter((name) => !isPart(name))).toEqual(before)
  await app.stop()
  app = await startApp({ env: { ...env, DATA_DIR: dataDir } })
  await expect.poll(backups).toEqual(before)
  expect((await readStatus()).backups.kept).toHaveLength(1)
})

test('a backup that was made beside readers and a sync is restored, and every rating is there, field by field', async () => {
  test.setTimeout(120_000)
  const { generation } = (await readStatus()).archive
  await expect
    .poll(async () => (await readStatus()).archive.generation, { timeout: 60_000 })
    .toBeGreaterThan(generation)
  const reading = Array.from({ length: 40 }, () => fetch(`${app.url}/api/ratings?per_page=500`))
  expect((await askForBackup()).status).toBe(202)
  for (const answer of await Promise.all(reading)) expect(answer.status).toBe(200)
  await expect.poll(async () => (await readStatus()).backups.is_running).toBe(false)
  const [newest] = (await readStatus()).backups.kept
  const original = await readRatings()
  await app.stop()

  const restored = join(parent, 'restored')
  cpSync(join(dataDir, 'backups', newest.name), restored, { recursive: true })
  app = await startApp({ env: { ...env, DEMO_TAIL_SECONDS: '0', DATA_DIR: restored } })
  const found = await readRatings()
  expect(found.size).toBeGreaterThan(29_000)
  const differing = [...found].filter(([id, line]) => original.get(id) !== line)
  expect(differing).toEqual([])
})
