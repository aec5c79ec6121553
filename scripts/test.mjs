import './run.mjs'
import { check, countTests, inSteps, step, withReports } from './checks.mjs'
import { endWithNpm, runNode } from './run.mjs'
import { ensureBrowser, ensureBuild } from './setup.mjs'

endWithNpm()
await withReports(async (reports) => {
  await inSteps(async () => {
    await check(reports.unit)
    await step('browser', async () => {
      process.env.CHROMIUM_PATH = await ensureBrowser()
    })
    await step('build', () => ensureBuild())
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
