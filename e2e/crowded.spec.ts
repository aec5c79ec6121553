import { Agent, get } from 'node:http'
import { type RunningApp, startApp } from './support/app.ts'
import { rows, strongSell } from './support/ratings-page.ts'
import { expect, test } from './support/test.ts'

/** More than may wait of one client. */
const CROWD = 300

/** Asks for counts that nobody has asked for before, so many at once, until it is stopped; gives what was told at least once. */
function startCrowd(url: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: CROWD })
  const told = new Map<number, string | undefined>()
  let [count, isOver] = [0, false]
  const ask = () =>
    new Promise<void>((resolve) => {
      count += 1
      get(`${url}/api/facets?prediction_min=-${count}.5`, { agent }, (response) => {
        told.set(response.statusCode ?? 0, response.headers['retry-after'])
        response.resume().on('close', resolve)
      }).on('error', () => resolve())
    })
  const all = Promise.all(
    Array.from({ length: CROWD }, async () => {
      while (!isOver) await ask()
    }),
  )
  return {
    told,
    stop: async () => {
      isOver = true
      await all
      agent.destroy()
    },
  }
}

test.describe('beside a crowd that asks for more than can wait', () => {
  test.use({ allowConsole: ['503 (Service Unavailable)'] })
  let app: RunningApp

  test.beforeAll(async () => {
    app = await startApp({ env: { DEMO_RATINGS: '50000', DEMO_TAIL_SECONDS: '0' } })
  })
  test.afterAll(async () => {
    await app.stop()
  })

  test('a page keeps what it shows, says that it waits, and goes on by itself', async ({
    page,
  }) => {
    await page.goto(app.url)
    await expect(rows(page).first()).toBeVisible({ timeout: 30_000 })
    const shown = await rows(page).first().innerText()
    const crowd = startCrowd(app.url)
    try {
      await expect.poll(() => crowd.told.get(503)).toBe('2')
      await strongSell(page).check()
      const waiting = page.getByText(/Too much is being asked at once\. It tries again in 2 s/)
      await expect(waiting.first()).toBeVisible()
      expect(await rows(page).first().innerText()).toBe(shown)
    } finally {
      await crowd.stop()
    }
    expect(crowd.told.has(200)).toBe(true)
    expect(crowd.told.has(500)).toBe(false)
    await expect(rows(page).first()).toContainText('Strong Sell')
    await expect(page.getByText('Too much is being asked at once')).toHaveCount(0)
  })
})
