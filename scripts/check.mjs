import './run.mjs'
import { check, inSteps, withReports } from './checks.mjs'
import { endWithNpm } from './run.mjs'

endWithNpm()
await withReports((reports) => inSteps(() => check(reports.unit)))
