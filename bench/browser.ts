import { type Browser, chromium } from '@playwright/test'

/** A real Chromium, as the journeys start it. */
export async function openBrowser(): Promise<Browser> {
  return await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH || undefined,
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  })
}
