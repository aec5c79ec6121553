import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { ROOT } from './run.mjs'

const CRUISER = join(ROOT, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs')
const RULES = join(ROOT, '.dependency-cruiser.cjs')
const ROOMS = ['app', 'components', 'lib', 'pages', 'instrumentation.ts', 'proxy.ts']

/** A cruise that sees fewer modules than this has not read the tree: "no violations" over nothing is no news. */
const MODULES_AT_LEAST = 300

/** Prints every breach of .dependency-cruiser.cjs and gives an exit code: 0 where there is none. */
export async function cruiseRooms() {
  const { modules, violations } = await cruise(ROOT)
  for (const { rule, from, to } of violations) console.error(`  ${rule}: ${from} → ${to}`)
  if (modules < MODULES_AT_LEAST) {
    console.error(`Only ${modules} modules were read; there are ${MODULES_AT_LEAST} at the least.`)
    return 1
  }
  console.log(`${modules} modules, ${violations.length} violations`)
  return violations.length === 0 ? 0 : 1
}

/** How many modules of ours stand under `root`, and which rules they break. */
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
