import './run.mjs'
import { lstatSync, readdirSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT, run } from './run.mjs'
import { ensureBuild, ensureInstall } from './setup.mjs'

// Builds and packs the application: `npx ./bellwether-<version>.tgz` serves it.

await ensureInstall()
await ensureBuild()
writeFileSync(join(ROOT, '.next/links.json'), `${JSON.stringify(listLinks(), null, 2)}\n`)
process.exitCode = await run('npm', ['pack', '--ignore-scripts'])

/**
 * The links of the build to its external packages: `{ "pino-<hash>": "pino" }`. A package cannot
 * hold links; `scripts/bin.mjs` creates them again.
 */
function listLinks() {
  const folder = join(ROOT, '.next/node_modules')
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const links = names.filter((name) => lstatSync(join(folder, name)).isSymbolicLink())
  return Object.fromEntries(
    links.map((name) => [name, readlinkSync(join(folder, name)).split('/node_modules/')[1]]),
  )
}
