import './run.mjs'
import { check, countTests, inSteps, step, withReports } from './checks.mjs'
import { endWithNpm, fail, runNode } from './run.mjs'
import { ensureBrowser, ensureBuild } from './setup.mjs'

/* `npm test -- --all` runs everything. */

endWithNpm()
const given = process.argv.slice(2)
const all = given.includes('--all')
if (given.some((arg) => arg !== '--all')) fail('Usage: npm test [-- --all]', 64)

await withReports(async (reports) => {
  await inSteps(async () => {
    await check(reports.unit, { all })
    await step('browser', async () => {
      process.env.CHROMIUM_PATH = await ensureBrowser()
      if (all) (await import('./engines.mjs')).selectEngines()
    })
    await step('build', () => ensureBuild())
    await step('journeys', () => runJourneys(reports.journeys))
  })
  const { passed, failed, skipped } = countTests(reports)
  if (failed > 0 || passed === 0) process.exitCode = 1
  console.log(`\ntests: ${passed} passed, ${failed} failed, ${skipped} skipped`)
})

function runJourneys(report) {
  const env = { ...process.env, JOURNEYS_REPORT: report }
  const selection = all ? [] : ['--grep=@core']
  return runNode(['node_modules/@playwright/test/cli.js', 'test', ...selection], { env })
}
