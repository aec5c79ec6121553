// `npm test`: everything. The last line says how many tests passed and failed, unit tests and journeys together.
import './require-node.mjs'
import './end-with-npm.mjs'
import { check } from './check-steps.mjs'
import { ensureBrowser } from './ensure-browser.mjs'
import { ensureBuild } from './ensure-build.mjs'
import { countTests, withReports } from './reports.mjs'
import { runNode } from './run.mjs'
import { inSteps, step } from './steps.mjs'

await withReports(async (reports) => {
  await inSteps(async () => {
    await check(reports.unit)
    await step('browser', async () => {
      process.env.CHROMIUM_PATH = await ensureBrowser()
    })
    await step('build', ensureBuild)
    await step('journeys', () => runJourneys(reports.journeys))
  })
  const { passed, failed } = countTests(reports)
  if (failed > 0 || passed === 0) process.exitCode = 1
  console.log(`\ntests: ${passed} passed, ${failed} failed`)
})

function runJourneys(report) {
  const env = { ...process.env, JOURNEYS_REPORT: report }
  return runNode(['node_modules/@playwright/test/cli.js', 'test'], { env })
}
