import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { NEXT_BIN, ROOT, runNode } from './run.mjs'
import { ensureInstall } from './setup.mjs'

/** Checks without a browser. `unitReport`: path for vitest. `all` includes `*.long.test.ts`. */
export async function check(unitReport, { all = false } = {}) {
  await step('packages', () => ensureInstall())
  await step('lint and format', () => runNode(['node_modules/@biomejs/biome/bin/biome', 'ci']))
  // The compiler uses one thread only.
  await stepBeside(
    [
      ['types', checkTypes],
      ['architecture', (print) => runNode(['scripts/checks.mjs'], { print })],
    ],
    ['unit and service tests', (stop) => runUnitTests({ report: unitReport, all, stop })],
  )
}

async function checkTypes(print) {
  // Stale types may name removed routes.
  rmSync(join(ROOT, '.next/dev/types'), { recursive: true, force: true })
  const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1' }
  const code = await runNode([NEXT_BIN, 'typegen'], { env, print })
  if (code !== 0) return code
  return await runNode(['node_modules/typescript-native/bin/tsc', '--noEmit'], { print })
}

function runUnitTests({ report, all, stop }) {
  const { NODE_ENV: _, ...env } = process.env
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const projects = all ? [] : ['--project=!long']
  const args = ['node_modules/vitest/vitest.mjs', 'run', ...projects, ...reporters]
  return runNode(args, { env: { ...env, TEST_SIZE: all ? 'all' : 'core' }, stop })
}

export class StepFailed extends Error {}

const printNow = (text) => process.stdout.write(text)

export async function step(title, work, print = printNow) {
  print(`\n── ${title} ${'─'.repeat(Math.max(2, 60 - title.length))}\n`)
  const startedMs = performance.now()
  const code = await work(print)
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1)
  const failed = typeof code === 'number' && code !== 0
  print(`${failed ? '✗' : '✓'} ${title}: ${seconds} s\n`)
  if (failed) throw new StepFailed(title)
}

/** Aborts `main` if one of `others` fails. Their output is printed after it. */
export async function stepBeside(others, [title, work]) {
  const stopping = new AbortController()
  const printed = []
  const print = (text) => printed.push(text)
  const doOthers = async () => {
    try {
      for (const [name, doIt] of others) await step(name, () => doIt(print), print)
    } catch (error) {
      stopping.abort()
      throw error
    }
  }
  const ends = await Promise.allSettled([doOthers(), step(title, () => work(stopping.signal))])
  printNow(printed.join(''))
  const failed = ends.find(({ status }) => status === 'rejected')
  if (failed) throw failed.reason
}

export async function inSteps(work) {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error
    console.error(`\nStopped at: ${error.message}`)
    process.exitCode = 1
  }
}

const CRUISER = join(ROOT, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs')
const RULES = join(ROOT, '.dependency-cruiser.cjs')
const ROOMS = [
  'app',
  'components',
  'lib',
  'pages',
  'instrumentation.ts',
  'scripts',
  'bench',
  'soak',
  'e2e',
  'testing',
]

/** Fewer: the tree was not read. */
const MODULES_AT_LEAST = 300

async function cruiseRooms() {
  const { modules, violations } = await cruise(ROOT)
  for (const { rule, from, to } of violations) console.error(`  ${rule}: ${from} → ${to}`)
  if (modules < MODULES_AT_LEAST) {
    console.error(`Only ${modules} modules were read; there are ${MODULES_AT_LEAST} at the least.`)
    return 1
  }
  console.log(`${modules} modules, ${violations.length} violations`)
  return violations.length === 0 ? 0 : 1
}

export async function cruise(root) {
  const rooms = ROOMS.filter((room) => existsSync(join(root, room)))
  const args = [CRUISER, '--config', RULES, '--output-type', 'json', ...rooms]
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const result = JSON.parse(await text(child.stdout))
  const ours = result.modules.filter(({ source }) => rooms.some((room) => source.startsWith(room)))
  return {
    modules: ours.length,
    violations: result.summary.violations.map(({ rule, from, to }) => ({
      rule: rule.name,
      from,
      to,
    })),
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  process.exitCode = await cruiseRooms()
}

/** Calls `work` with paths for the reports of vitest and Playwright, in a temporary folder. */
export async function withReports(work) {
  const folder = mkdtempSync(join(tmpdir(), 'bellwether-reports-'))
  try {
    await work({ unit: join(folder, 'unit.json'), journeys: join(folder, 'journeys.json') })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A missing report counts as zero. */
export function countTests({ unit, journeys }) {
  const counts = [countUnit(readReport(unit)), countJourneys(readReport(journeys))]
  const sum = (kind) => counts.reduce((total, count) => total + count[kind], 0)
  return { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') }
}

const NOTHING = { passed: 0, failed: 0, skipped: 0 }

function countUnit(report) {
  if (!report) return NOTHING
  // A file that fails to load reports no test.
  const unloaded = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  )
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + unloaded.length,
    skipped: report.numPendingTests + report.numTodoTests,
  }
}

function countJourneys(report) {
  if (!report) return NOTHING
  const { expected, flaky, unexpected, skipped } = report.stats
  return { passed: expected, failed: unexpected + flaky, skipped }
}

function readReport(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null
}
