import { existsSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect, it } from 'vitest'
import { countTests, withReports } from './reports.mjs'

type Reports = { unit: string; journeys: string }

it('unit tests and journeys are summed; what was skipped is no pass', async () => {
  await withReports((reports: Reports) => {
    const unit = { numPassedTests: 3, numFailedTests: 1, numPendingTests: 5, testResults: [] }
    writeFileSync(reports.unit, JSON.stringify(unit))
    const stats = { expected: 10, unexpected: 2, flaky: 1, skipped: 7 }
    writeFileSync(reports.journeys, JSON.stringify({ stats }))
    expect(countTests(reports)).toEqual({ passed: 14, failed: 3 })
  })
})

it('a test file that does not load is a failure', async () => {
  await withReports((reports: Reports) => {
    const testResults = [
      { status: 'failed', assertionResults: [] },
      { status: 'passed', assertionResults: [{}] },
    ]
    const unit = { numPassedTests: 1, numFailedTests: 0, testResults }
    writeFileSync(reports.unit, JSON.stringify(unit))
    expect(countTests(reports)).toEqual({ passed: 1, failed: 1 })
  })
})

it('steps that never came to run count nothing, and the folder of the reports is removed', async () => {
  let folder = ''
  await withReports((reports: Reports) => {
    folder = dirname(reports.unit)
    expect(countTests(reports)).toEqual({ passed: 0, failed: 0 })
  })
  expect(existsSync(folder)).toBe(false)
})
