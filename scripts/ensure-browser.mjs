import './require-node.mjs'
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fail, run, runNode } from './run.mjs'

const PLAYWRIGHT = 'node_modules/@playwright/test/cli.js'
const APT = '/usr/bin/apt-get'
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']

/** The path of a Chromium that runs: one that is there, else Playwright's own, else the distribution's package. */
export async function ensureBrowser() {
  const path =
    selectNamed() ??
    selectOnPath() ??
    (await selectPlaywrights()) ??
    (await installPlaywrights()) ??
    (await installPackage())
  if (path) return path
  return fail(
    'No Chromium could be found or installed. Install one (Debian: apt-get install chromium), or set\n' +
      'CHROMIUM_PATH to the one to use.',
  )
}

function selectNamed() {
  const path = process.env.CHROMIUM_PATH
  if (!path) return null
  return usable(path, 'CHROMIUM_PATH') ?? fail(`CHROMIUM_PATH names no browser that runs: ${path}`)
}

function selectOnPath() {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean)
  for (const name of NAMES) {
    for (const folder of folders) {
      const path = join(folder, name)
      const found = existsSync(path) ? usable(path, 'on the PATH') : null
      if (found) return found
    }
  }
  return null
}

async function selectPlaywrights() {
  const { chromium } = await import('@playwright/test')
  const path = chromium.executablePath()
  return existsSync(path) ? usable(path, "Playwright's own") : null
}

async function installPlaywrights() {
  console.log('No Chromium on this machine: asking Playwright for its own.')
  const code = await runNode([PLAYWRIGHT, 'install', 'chromium'])
  return code === 0 ? selectPlaywrights() : null
}

async function installPackage() {
  if (process.getuid?.() !== 0 || !existsSync(APT)) return null
  console.log("Playwright's could not be had or does not run here: installing the distribution's.")
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const updated = await run(APT, ['update'], { env })
  if (updated !== 0) return null
  const args = ['install', '--yes', '--no-install-recommends', 'chromium']
  return (await run(APT, args, { env })) === 0 ? selectOnPath() : null
}

/** A file is not enough: a stub, or a browser whose libraries are missing, does not say its version. */
function usable(path, where) {
  const { status, stdout } = spawnSync(path, ['--version'], { encoding: 'utf8', timeout: 20_000 })
  if (status !== 0 || !/\d+(?:\.\d+){3}/.test(stdout)) return null
  console.log(`${stdout.trim()} (${where}): ${path}`)
  return path
}
