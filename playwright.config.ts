import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import type { BrowserDriver } from './e2e/support/engine-test.ts'
import { toProjects } from './scripts/engines.mjs'
import { freePort } from './testing/loopback.ts'

const PORT = process.env.JOURNEYS_PORT ?? String(await freePort())
process.env.JOURNEYS_PORT = PORT

/** A Wednesday. The demo community and the dumps depend on it. */
const BEGIN_AT = Date.parse('2026-11-25T10:30:00Z')

/** Workers and child processes inherit the clock. */
function setClock(): void {
  if (process.env.CLOCK_AHEAD_SECONDS) return
  process.env.CLOCK_AHEAD_SECONDS = String(Math.round((BEGIN_AT - Date.now()) / 1000))
  const shift = new URL('testing/shift-clock.mjs', import.meta.url).href
  process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --import ${shift}`.trim()
}

setClock()

/** Workers inherit the folder. It is removed after the server has stopped. */
function makeDataDir(): string {
  if (process.env.JOURNEYS_DATA_DIR) return process.env.JOURNEYS_DATA_DIR
  const folder = mkdtempSync(join(tmpdir(), 'bellwether-journeys-'))
  process.env.JOURNEYS_DATA_DIR = folder
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const report = process.env.JOURNEYS_REPORT
const asRoot = process.getuid?.() === 0

const CHROMIUM = {
  launchOptions: {
    executablePath: process.env.CHROMIUM_PATH || undefined,
    args: [
      ...(asRoot ? ['--no-sandbox'] : []),
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      '--disable-gpu',
    ],
  },
}

export default defineConfig<object, { driven: BrowserDriver }>({
  testDir: 'e2e',
  testMatch: '*.spec.ts',
  // For hangs only: a shared machine may be many times slower.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  workers: 2,
  retries: 0,
  forbidOnly: true,
  reporter: report ? [['list'], ['json', { outputFile: report }]] : 'list',
  use: {
    baseURL: `http://127.0.0.1:${PORT}`,
    locale: 'en-US',
    timezoneId: 'Europe/Berlin',
    // Hides the line for newcomers.
    storageState: {
      cookies: [
        {
          name: 'visited',
          value: '1',
          domain: '127.0.0.1',
          path: '/',
          expires: -1,
          httpOnly: false,
          secure: false,
          sameSite: 'Lax',
        },
      ],
      origins: [],
    },
    screenshot: 'only-on-failure',
    // Recording slows every journey.
    trace: process.env.JOURNEYS_TRACE ? 'retain-on-failure' : 'off',
    video: 'off',
  },
  projects: [{ name: 'chromium', use: CHROMIUM }, ...toProjects()],
  webServer: {
    command: 'node scripts/start.mjs',
    url: `http://127.0.0.1:${PORT}/api/health`,
    reuseExistingServer: false,
    timeout: 300_000,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 10_000 },
    stdout: 'pipe',
    env: {
      PORT,
      HOST: '127.0.0.1',
      DATA_DIR: makeDataDir(),
      DEMO_RATINGS: process.env.DEMO_RATINGS ?? '20000',
      DEMO_SEED: '1',
      DEMO_TAIL_SECONDS: '0',
    },
  },
})
