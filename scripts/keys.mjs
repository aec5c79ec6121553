// Works from a fresh clone: without the packages it says what to do, since a key must not wait for a build.
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

function isInstalled() {
  try {
    createRequire(import.meta.url).resolve('tsx')
    return true
  } catch {
    return false
  }
}

if (isInstalled()) {
  const args = ['--import', 'tsx', 'scripts/keys.ts', ...process.argv.slice(2)]
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' })
  process.exitCode = status ?? 1
} else {
  process.stderr.write('The packages are not installed yet: run `npm install` first.\n')
  process.exitCode = 1
}
