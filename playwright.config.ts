import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import type { Driven } from './e2e/support/engine-test.ts'
import { toProjects } from './scripts/engines.mjs'
import { freePort } from './testing/loopback.ts'

/** A free port. Workers read it from the environment of the main process. */
const PORT = process.env.JOURNEYS_PORT ?? String(await freePort())
process.env.JOURNEYS_PORT = PORT

/** The time at which every run begins, a Wednesday: the demo community and the weekly dumps depend on it. */
const BEGIN_AT = Date.parse('2026-11-25T10:30:00Z')

/** The workers load this file too. They and every program that they start inherit the clock of the main process. */
function setClock(): void {
  if (process.env.CLOCK_AHEAD_SECONDS) return
  process.env.CLOCK_AHEAD_SECONDS = String(Math.round((BEGIN_AT - Date.now()) / 1000))
  const shift = new URL('testing/shift-clock.mjs', import.meta.url).href
  process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --import ${shift}`.trim()
}

setClock()

/**
 * The workers load this file too, and must see the folder that the main process made. That one also removes it,
 * as the last thing it does: by then the server is gone.
 */
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
      // Where there is none, drawing as if there were one costs more than drawing plainly.
      '--disable-gpu',
    ],
  },
}

export default defineConfig<object, { driven: Driven }>({
  testDir: 'e2e',
  testMatch: '*.spec.ts',
  // For tests that hang: a shared machine may be many times slower.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  // As many as a small machine has cores: a journey mostly waits for its page.
  workers: 2,
  retries: 0,
  forbidOnly: true,
  reporter: report ? [['list'], ['json', { outputFile: report }]] : 'list',
  use: {
    baseURL: `http://127.0.0.1:${PORT}`,
    locale: 'en-US',
    timezoneId: 'Europe/Berlin',
    // Somebody who has been here before: the line for newcomers is put away.
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
    // Recording takes time from every journey: JOURNEYS_TRACE=1 keeps a trace of each one that fails.
    trace: process.env.JOURNEYS_TRACE ? 'retain-on-failure' : 'off',
    video: 'off',
  },
  projects: [{ name: 'chromium', use: CHROMIUM }, ...toProjects()],
  webServer: {
    // The built application: built first, where the sources have changed.
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
      // No new ratings while a journey looks.
      DEMO_TAIL_SECONDS: '0',
    },
  },
})
