import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { cruiseRooms } from './architecture.mjs'
import { ensureInstall } from './ensure-install.mjs'
import { NEXT_BIN } from './next-cli.mjs'
import { ROOT, runNode } from './run.mjs'
import { step } from './steps.mjs'

/** Everything but the browser. vitest writes its report, which the tests are counted from, to `unitReport`. */
export async function check(unitReport) {
  await step('packages', ensureInstall)
  await step('types', checkTypes)
  await step('lint and format', () => runNode(['node_modules/@biomejs/biome/bin/biome', 'ci']))
  await step('architecture', cruiseRooms)
  await step('unit and service tests', () => runUnitTests(unitReport))
}

async function checkTypes() {
  // What `next dev` left behind may speak of routes that are gone; it makes these anew when it needs them.
  rmSync(join(ROOT, '.next/dev/types'), { recursive: true, force: true })
  const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1' }
  const code = await runNode([NEXT_BIN, 'typegen'], { env })
  return code === 0 ? await runNode(['node_modules/typescript/bin/tsc', '--noEmit']) : code
}

function runUnitTests(report) {
  const { NODE_ENV: _, ...env } = process.env
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  return runNode(['node_modules/vitest/vitest.mjs', 'run', ...reporters], { env })
}
