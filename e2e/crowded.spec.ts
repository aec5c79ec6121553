import { Agent, get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { type RunningApp, startApp } from './support/app.ts'
import { nextPage, rows } from './support/ratings-page.ts'
import { expect, test } from './support/test.ts'

const CROWD = 400
const PER_PAGE = 50
/** Immediate retries would starve the process. */
const REST_MS = 2000

function startCrowd(url: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: CROWD })
  const told = new Map<number, string | undefined>()
  let [count, isOver] = [0, false]
  const ask = () =>
    new Promise<number>((resolve) => {
      count += 1
      get(`${url}/api/facets?prediction_min=-${count}.5`, { agent }, (response) => {
        const status = response.statusCode ?? 0
        told.set(status, response.headers['retry-after'])
        response.resume().on('close', () => resolve(status))
      }).on('error', () => resolve(0))
    })
  const all = Promise.all(
    Array.from({ length: CROWD }, async () => {
      while (!isOver) if ((await ask()) === 503) await sleep(REST_MS)
    }),
  )
  return {
    told,
    stop: async () => {
      isOver = true
      agent.destroy()
      await all
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
    await expect(rows(page)).toHaveCount(PER_PAGE)
    const crowd = startCrowd(app.url)
    try {
      await expect.poll(() => crowd.told.get(503)).toBe('2')
      await expect.poll(() => crowd.told.has(200)).toBe(true)
      const waiting = page.getByText(/Too many requests at once\. Retrying in 2 s/).first()
      await expect(async () => {
        const before = await rows(page).first().innerText()
        await nextPage(page).click()
        await expect
          .poll(
            async () =>
              (await waiting.isVisible()) || (await rows(page).first().innerText()) !== before,
          )
          .toBe(true)
        expect(await waiting.isVisible()).toBe(true)
      }).toPass()
      expect(await rows(page).count()).toBe(PER_PAGE)
    } finally {
      await crowd.stop()
    }
    expect(crowd.told.has(500)).toBe(false)
    await expect.poll(() => rows(page).first().innerText()).not.toBe(shown)
    await expect(page.getByText('Too many requests at once')).toHaveCount(0)
  })
})
