import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium, firefox, webkit } from '@playwright/test'

/** The engines beside Chromium: the journeys of `e2e/engines` run in them where they are. */
export const OTHER_ENGINES = ['firefox', 'webkit']

const KNOWN = {
  firefox: { variable: 'FIREFOX_PATH', own: firefox, names: ['firefox-esr', 'firefox'] },
  webkit: { variable: 'WEBKIT_PATH', own: webkit, names: ['WebKitWebDriver'] },
}

/**
 * `{ variable, path }`: the browser or driver on this machine, and the variable that tells playwright.config.ts of it.
 * What that variable names, else Playwright's own browser, else the distribution's; null where none is there. Nothing is
 * installed.
 */
export function findEngine(name) {
  const { variable, own, names } = KNOWN[name]
  const candidates = process.env[variable]
    ? [process.env[variable]]
    : [own.executablePath(), ...names.flatMap(toPlaces)]
  return { variable, path: candidates.find((path) => existsSync(path)) ?? null }
}

/**
 * Makes playwright.config.ts use these engines, and prints where they were found. Calls `onMissing` with a sentence for
 * each one that is not installed.
 */
export function selectEngines(names = OTHER_ENGINES, onMissing = skip) {
  for (const name of names) {
    const { variable, path } = findEngine(name)
    if (path) {
      process.env[variable] = path
      console.log(`${name}: ${path}`)
    } else {
      onMissing(
        `${name} is not on this machine (docs/operations.md: the browsers of the journeys).`,
      )
    }
  }
}

const skip = (missing) => console.log(`Skipped: ${missing}`)

/**
 * A Chromium that can have windows, or null where there is none: the headless shell draws the same, but keeps no page for
 * the way back.
 */
export function findWholeChromium() {
  const places = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']
  const candidates = [...places.flatMap(toPlaces), chromium.executablePath()]
  return candidates.find((path) => existsSync(path)) ?? null
}

/**
 * The projects of Playwright for the engines that the environment names. Playwright speaks with its own browsers, and
 * with anybody's Firefox over WebDriver BiDi; a WebKit that is not its own is driven by W3C WebDriver.
 * @returns {import('@playwright/test').Project<object, { driven: import('../e2e/support/engine-test.ts').Driven }>[]}
 */
export function toProjects() {
  return OTHER_ENGINES.filter((name) => process.env[KNOWN[name].variable]).map((name) => {
    const { path } = findEngine(name)
    if (!path) throw new Error(`${KNOWN[name].variable} names no file.`)
    // Playwright takes its pictures with a style of its own, which Firefox reports against our policy.
    const use = { screenshot: 'off', ...toUse(name, path) }
    return { name, testMatch: 'engines/*.spec.ts', use }
  })
}

function toUse(name, path) {
  if (path === KNOWN[name].own.executablePath()) return { browserName: name }
  if (name === 'firefox') {
    // A light page, whatever the machine's own look.
    const firefoxUserPrefs = { 'layout.css.prefers-color-scheme.content-override': 1 }
    const launchOptions = { executablePath: path, firefoxUserPrefs }
    return { browserName: name, channel: 'moz-firefox', launchOptions }
  }
  const screen = toPlaces('Xvfb').find((place) => existsSync(place)) ?? null
  return { driven: { by: 'webdriver', driver: path, screen } }
}

function toPlaces(name) {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean)
  return folders.map((folder) => join(folder, name))
}
