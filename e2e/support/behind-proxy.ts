import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { freePort } from '#testing/loopback.ts'
import { makeToken, runAccess, untilFilled } from './accounts.ts'
import { startApp } from './app.ts'
import { expect } from './test.ts'

export const PASSWORD = 'blue lantern over hills'

export async function enter(page: Page, name: string): Promise<void> {
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

const EVENT_WITHIN_MS = 10_000

const FIRST_EVENT = /^event: status\n(?:.+\n)+\n/m

/** Fails if a proxy buffers events. */
const hearFirstEvent = (url: string, token: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const asked = request(
      `${url}/api/events`,
      {
        rejectUnauthorized: false,
        agent: false,
        timeout: EVENT_WITHIN_MS,
        headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream' },
      },
      (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk
          if (!FIRST_EVENT.test(text)) return
          resolve()
          asked.destroy()
        })
        response.on('error', () => {})
      },
    )
    asked.on('timeout', () => asked.destroy(new Error('No event came in time.')))
    asked.on('error', reject).end()
  })

type ProxiedApp = {
  url: string
  direct: string
  token: string
}

export async function expectPassedOn(
  page: Page,
  { url, direct, token }: ProxiedApp,
): Promise<void> {
  await hearFirstEvent(url, token)
  const headers = { authorization: `Bearer ${token}` }
  for (const path of ['/api/ratings.csv', '/api/v1/posts/dumps']) {
    const through = await page.request.get(url + path, { headers })
    const own = await fetch(direct + path, { headers })
    expect([through.status(), own.status], path).toEqual([200, 200])
    const whole = Buffer.from(await own.arrayBuffer())
    expect((await through.body()).equals(whole), path).toBe(true)
    if (!path.endsWith('dumps')) continue
    const { etag = '', 'content-length': length } = through.headers()
    expect(length).toBe(String(whole.byteLength))
    const rest = await page.request.get(url + path, {
      headers: { ...headers, range: 'bytes=100-', 'if-range': etag },
    })
    expect(rest.status()).toBe(206)
    expect((await rest.body()).equals(whole.subarray(100))).toBe(true)
  }
}

export type Guarded = Awaited<ReturnType<typeof startGuarded>>

export async function startGuarded({ basePath = '' } = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'bellwether-behind-'))
  for (const name of ['ada', 'bob']) await runAccess(dataDir, ['add', name], `${PASSWORD}\n`)
  const port = await freePort()
  const app = await startApp({
    env: {
      ACCESS: 'password',
      PUBLIC_URL: `https://127.0.0.1:${port}`,
      TRUSTED_PROXIES: '127.0.0.1',
      DATA_DIR: dataDir,
      DEMO_RATINGS: '500',
      DEMO_TAIL_SECONDS: '0',
      ...(basePath !== '' && { BASE_PATH: basePath }),
    },
  })
  const { url } = app
  const token = await makeToken(dataDir, { name: 'ada', label: 'filling', may: 'read,export', url })
  await untilFilled(url, token)
  const stop = async () => {
    await app.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
  return { app, dataDir, port, token, stop }
}
