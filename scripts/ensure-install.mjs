import './require-node.mjs'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { withLock } from './lock.mjs'
import { fail, ROOT, run, runNode } from './run.mjs'

const STAMP = 'node_modules/.bellwether-install.json'

/** Installs what package-lock.json names, development packages too, unless exactly that is there already. */
export async function ensureInstall(root = ROOT) {
  if (isInstalled(root)) return
  const onWait = () => console.log('Waiting for another installation in this folder to end.')
  // Not in node_modules, which `npm ci` removes.
  await withLock(join(root, '.next/cache/bellwether-install.lock'), () => install(root), { onWait })
}

async function install(root) {
  if (isInstalled(root)) return
  console.log('Installing packages (npm ci).')
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund']
  // The npm that called us, where one did: it need not be the first on the PATH.
  const npm = process.env.npm_execpath ?? ''
  const code =
    basename(npm) === 'npm-cli.js'
      ? await runNode([npm, ...args], { cwd: root })
      : await run(process.platform === 'win32' ? 'npm.cmd' : 'npm', args, { cwd: root })
  if (code !== 0) fail('The packages could not be installed: see the lines of npm above.')
  writeStamp(root)
}

/**
 * Is node_modules what the lock file asks for, on this platform? Our own stamp answers at once. Where somebody else
 * installed (no stamp, or one of an earlier lock file), npm's record of what it installed is compared, and believed.
 */
export function isInstalled(root) {
  const stamp = readJson(join(root, STAMP))
  const wanted = toStamp(root)
  if (stamp && stamp.machine !== wanted.machine) return false
  if (stamp?.lock === wanted.lock) return true
  const record = readJson(join(root, 'node_modules/.package-lock.json'))
  const lock = readJson(join(root, 'package-lock.json'))
  if (!record || !lock || !holdsEverything(record.packages, lock.packages)) return false
  writeStamp(root)
  return true
}

function holdsEverything(installed, wanted) {
  return Object.entries(wanted).every(([path, { version, integrity, ...traits }]) => {
    if (path === '') return true
    const present = installed[path]
    if (present) return present.version === version && present.integrity === integrity
    return traits.optional === true && !isForThisMachine(traits)
  })
}

// A package for one C library only may be the other one's: its absence proves nothing.
function isForThisMachine({ os, cpu, libc }) {
  return Boolean(os?.includes(process.platform) && cpu?.includes(process.arch) && !libc)
}

function toStamp(root) {
  const lock = createHash('sha256').update(readFileSync(join(root, 'package-lock.json')))
  const major = process.versions.node.split('.')[0]
  return { lock: lock.digest('hex'), machine: `${process.platform} ${process.arch} node${major}` }
}

function writeStamp(root) {
  writeFileSync(join(root, STAMP), `${JSON.stringify(toStamp(root))}\n`)
}

function readJson(file) {
  if (!existsSync(file)) return null
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return null
  }
}
