import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Gives `work` the files that vitest and Playwright are to report to, in a folder that lasts as long as it. */
export async function withReports(work) {
  const folder = mkdtempSync(join(tmpdir(), 'bellwether-reports-'))
  try {
    await work({ unit: join(folder, 'unit.json'), journeys: join(folder, 'journeys.json') })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** `{ passed, failed }` over both reports. A report that was never written counts nothing. */
export function countTests({ unit, journeys }) {
  const counts = [countUnit(readReport(unit)), countJourneys(readReport(journeys))]
  return {
    passed: counts.reduce((sum, { passed }) => sum + passed, 0),
    failed: counts.reduce((sum, { failed }) => sum + failed, 0),
  }
}

function countUnit(report) {
  if (!report) return { passed: 0, failed: 0 }
  // A file that does not even load fails without a test of its own: it counts as one.
  const unloaded = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  )
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + unloaded.length,
  }
}

function countJourneys(report) {
  if (!report) return { passed: 0, failed: 0 }
  const { expected, flaky, unexpected } = report.stats
  return { passed: expected + flaky, failed: unexpected }
}

function readReport(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null
}
