import './require-node.mjs'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fingerprintSources } from './fingerprint.mjs'
import { withLock } from './lock.mjs'
import { NEXT_BIN } from './next-cli.mjs'
import { fail, ROOT, runNode } from './run.mjs'

const STAMP = '.next/bellwether-build.txt'

/** Builds the application unless the build at hand was made from exactly these sources. */
export async function ensureBuild(root = ROOT) {
  if (isBuilt(root)) return
  const onWait = () => console.log('Waiting for another build in this folder to end.')
  await withLock(join(root, '.next/cache/bellwether-build.lock'), () => build(root), { onWait })
}

/** A build cut short is never taken for one: the stamp goes first and comes back last. */
export function isBuilt(root) {
  const stamp = join(root, STAMP)
  if (!existsSync(stamp) || !existsSync(join(root, '.next/BUILD_ID'))) return false
  return readFileSync(stamp, 'utf8').trim() === fingerprintSources(root)
}

async function build(root) {
  if (isBuilt(root)) return
  console.log('Building the application (next build).')
  rmSync(join(root, STAMP), { force: true })
  // Taken before: what changes while the build runs makes the next start build again.
  const fingerprint = fingerprintSources(root)
  const env = { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' }
  delete env.BUILD_STANDALONE
  const code = await runNode([NEXT_BIN, 'build'], { cwd: root, env })
  if (code !== 0) fail('The build failed: see the lines above.')
  writeFileSync(join(root, STAMP), `${fingerprint}\n`)
}
