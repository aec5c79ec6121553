import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RunningApp, startApp } from './support/app.ts'
import { expect, test } from './support/test.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'bellwether-crash-'))
const env = { DATA_DIR: dataDir, DEMO_RATINGS: '3000', DEMO_TAIL_SECONDS: '0' }
let app: RunningApp | undefined

test.afterEach(async () => {
  await app?.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

test('a process that is killed serves the same ratings after its restart', {
  tag: '@core',
}, async ({ page }) => {
  const load = async () => {
    const { page, data } = await (await fetch(`${app?.url}/api/ratings`)).json()
    return { total: page.total, data }
  }
  app = await startApp({ env })
  // The dump comes first, then what was posted since.
  await expect
    .poll(async () => {
      const { data } = await (await fetch(`${app?.url}/api/status`)).json()
      return data.runs.map(({ move, outcome }: Record<string, unknown>) => `${move} ${outcome}`)
    })
    .toContain('follow done')
  const before = await load()
  process.kill(app.pid, 'SIGKILL')
  await app.stop()
  app = await startApp({ env })
  expect(await load()).toEqual(before)
  await page.goto(app.url)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    `${before.total.toLocaleString('en-US')} ratings`,
  )
  await page.close()
})
