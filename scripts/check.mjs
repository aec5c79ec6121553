// `npm run check`: everything but the browser.
import './require-node.mjs'
import './end-with-npm.mjs'
import { check } from './check-steps.mjs'
import { withReports } from './reports.mjs'
import { inSteps } from './steps.mjs'

await withReports((reports) => inSteps(() => check(reports.unit)))
