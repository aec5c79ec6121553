import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium, firefox, webkit } from '@playwright/test'

export const OTHER_ENGINES = ['firefox', 'webkit']

const KNOWN = {
  firefox: { variable: 'FIREFOX_PATH', own: firefox, names: ['firefox-esr', 'firefox'] },
  webkit: { variable: 'WEBKIT_PATH', own: webkit, names: ['WebKitWebDriver'] },
}

/** `path` is null if it is not installed. */
function findEngine(name) {
  const { variable, own, names } = KNOWN[name]
  const candidates = process.env[variable]
    ? [process.env[variable]]
    : [own.executablePath(), ...names.flatMap(toPlaces)]
  return { variable, path: candidates.find((path) => existsSync(path)) ?? null }
}

/** Calls `onMissing` with a message. */
export function selectEngines(names = OTHER_ENGINES, onMissing = skip) {
  for (const name of names) {
    const { variable, path } = findEngine(name)
    if (path) {
      process.env[variable] = path
      console.log(`${name}: ${path}`)
    } else {
      onMissing(`${name} is not on this machine (CONTRIBUTING.md: Set up).`)
    }
  }
}

const skip = (missing) => console.log(`Skipped: ${missing}`)

/** Not the headless shell, which has no back/forward cache. */
export function findWholeChromium() {
  const places = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']
  const candidates = [...places.flatMap(toPlaces), chromium.executablePath()]
  return candidates.find((path) => existsSync(path)) ?? null
}

/**
 * Playwright drives any Firefox (WebDriver BiDi), but only its own WebKit.
 * @returns {import('@playwright/test').Project<object, { driven: import('../e2e/support/engine-test.ts').BrowserDriver }>[]}
 */
export function toProjects() {
  return OTHER_ENGINES.filter((name) => process.env[KNOWN[name].variable]).map((name) => {
    const { path } = findEngine(name)
    if (!path) throw new Error(`${KNOWN[name].variable} names no file.`)
    // Playwright's screenshots inject a style, which Firefox reports as a CSP violation.
    const use = { screenshot: 'off', ...toUse(name, path) }
    return { name, testMatch: 'engines/*.spec.ts', use }
  })
}

function toUse(name, path) {
  if (path === KNOWN[name].own.executablePath()) return { browserName: name }
  if (name === 'firefox') {
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
