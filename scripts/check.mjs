import './run.mjs'
import './end-with-npm.mjs'
import { check, inSteps, withReports } from './checks.mjs'

await withReports((reports) => inSteps(() => check(reports.unit)))
