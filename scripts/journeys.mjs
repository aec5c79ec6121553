import './run.mjs'
import { inSteps, step } from './checks.mjs'
import { findEngine, OTHER_ENGINES } from './engines.mjs'
import { endWithNpm, fail, runNode } from './run.mjs'
import { ensureBrowser, ensureBuild } from './setup.mjs'

/*
 * The journeys without the other tests. `npm run journeys` is all of them in Chromium. `-- --all-browsers` is their core
 * in each engine that is here; `-- --browser=firefox` (or webkit, or both) is their core in that one, and fails without
 * it. What else is given goes to Playwright.
 */

endWithNpm()
const given = process.argv.slice(2)
const isAll = given.includes('--all-browsers')
const asked = given.flatMap((arg) => /^--browser=(.+)$/.exec(arg)?.[1]?.split(',') ?? [])
const rest = given.filter((arg) => arg !== '--all-browsers' && !arg.startsWith('--browser='))

for (const name of asked) {
  if (![...OTHER_ENGINES, 'chromium'].includes(name)) fail(`No engine is called ${name}.`)
}
for (const name of OTHER_ENGINES.filter((one) => isAll || asked.includes(one))) {
  const { variable, path } = findEngine(name)
  if (path) {
    process.env[variable] = path
    console.log(`${name}: ${path}`)
    continue
  }
  const missing = `${name} is not on this machine (docs/operations.md: the browsers of the journeys).`
  if (asked.includes(name)) fail(missing)
  console.log(`Skipped: ${missing}`)
}

const isCore = isAll || asked.length > 0
const specs = isCore && !rest.some((arg) => arg.includes('.spec.ts')) ? ['e2e/core'] : []
const projects = isAll ? [] : ['chromium', ...asked].slice(asked.length > 0 ? 1 : 0)
const args = ['test', ...specs, ...projects.map((name) => `--project=${name}`), ...rest]

await inSteps(async () => {
  await step('browser', async () => {
    process.env.CHROMIUM_PATH = await ensureBrowser()
  })
  await step('build', () => ensureBuild())
  await step('journeys', () => runNode(['node_modules/@playwright/test/cli.js', ...args]))
})
