import './run.mjs'
import { inSteps, step } from './checks.mjs'
import { OTHER_ENGINES, selectEngines } from './engines.mjs'
import { endWithNpm, fail, runNode } from './run.mjs'
import { ensureBrowser, ensureBuild } from './setup.mjs'

/* `--core`: those of `npm test`. `--all-browsers`: in every installed engine.
   `--browser=firefox`: fails without it. Other arguments go to Playwright. */

endWithNpm()
const given = process.argv.slice(2)
const isAll = given.includes('--all-browsers')
const asked = given.flatMap((arg) => /^--browser=(.+)$/.exec(arg)?.[1]?.split(',') ?? [])
const ours = new Set(['--all-browsers', '--core'])
const rest = given.filter((arg) => !ours.has(arg) && !arg.startsWith('--browser='))

for (const name of asked) {
  if (![...OTHER_ENGINES, 'chromium'].includes(name)) fail(`No engine is called ${name}.`)
}
if (isAll) selectEngines()
else
  selectEngines(
    OTHER_ENGINES.filter((name) => asked.includes(name)),
    fail,
  )

const isOfEngines = isAll || asked.length > 0
const specs = isOfEngines && !rest.some((arg) => arg.includes('.spec.ts')) ? ['e2e/engines'] : []
const projects = isAll ? [] : ['chromium', ...asked].slice(asked.length > 0 ? 1 : 0)
const selection = given.includes('--core') ? ['--grep=@core'] : []
const args = [
  'test',
  ...specs,
  ...projects.map((name) => `--project=${name}`),
  ...selection,
  ...rest,
]

await inSteps(async () => {
  await step('browser', async () => {
    process.env.CHROMIUM_PATH = await ensureBrowser()
  })
  await step('build', () => ensureBuild())
  await step('journeys', () => runNode(['node_modules/@playwright/test/cli.js', ...args]))
})
