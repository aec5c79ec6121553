import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import type { Status } from '#lib/contract/answers/status.ts'
import type { RunningApp } from './app.ts'
import { expect } from './test.ts'

export async function loadStatus(page: Page, { url }: RunningApp): Promise<Status> {
  const { data } = await (await page.request.get(`${url}/api/status`)).json()
  return data
}

export async function askForSync(page: Page, { url }: RunningApp): Promise<void> {
  const headers = { origin: url, 'content-type': 'application/json' }
  const answer = await page.request.post(`${url}/api/sync`, { headers, data: {} })
  expect(answer.status()).toBe(202)
}

export const freshnessLine = (page: Page) =>
  page.getByRole('banner').getByRole('link', { name: /^Status:/ })

const LOOKED_AT = [
  '/',
  '/status',
  '/downloads',
  '/api/status',
  '/api/dumps',
  '/api/health',
  '/api/v1/posts?page=1',
  '/api/v1/lookups/dumps',
  '/api/ratings.csv',
]

export async function expectKeyNowhere(page: Page, app: RunningApp, key: string): Promise<void> {
  const texts = new Map([['the log', app.log()]])
  for (const path of LOOKED_AT) {
    const answer = await page.request.get(app.url + path)
    texts.set(path, (await answer.text()) + JSON.stringify(answer.headers()))
  }
  for (const file of [...listFiles('.next/static'), ...listFiles(app.dataDir)]) {
    texts.set(file, readFileSync(file, 'latin1'))
  }
  for (const form of [key, encodeURIComponent(key), Buffer.from(key).toString('base64')]) {
    const found = [...texts].filter(([, text]) => text.includes(form)).map(([name]) => name)
    expect(found, 'where the key is').toEqual([])
  }
}

const listFiles = (dir: string): string[] =>
  readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .map((name) => join(dir, name))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false)
