import './run.mjs'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { basename, delimiter, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readBasePath, toBuildFolder } from '../lib/server/environment/base-path-rule.mjs'
import { fail, NEXT_BIN, ROOT, run, runNode } from './run.mjs'

const INSTALL_STAMP = 'node_modules/.bellwether-install.json'

export async function ensureInstall(root = ROOT) {
  if (isInstalled(root)) return
  const onWait = () => console.log('Waiting for another installation in this folder to end.')
  // `npm ci` removes node_modules.
  await withLock(join(root, '.next/cache/bellwether-install.lock'), () => install(root), { onWait })
}

async function install(root) {
  if (isInstalled(root)) return
  console.log('Installing packages (npm ci).')
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund']
  // The npm that started this process, which need not be first on the PATH.
  const npm = process.env.npm_execpath ?? ''
  const code =
    basename(npm) === 'npm-cli.js'
      ? await runNode([npm, ...args], { cwd: root })
      : await run(process.platform === 'win32' ? 'npm.cmd' : 'npm', args, { cwd: root })
  if (code !== 0) fail('The packages could not be installed: see the lines of npm above.')
  writeStamp(root)
}

/** Without a current stamp, trusts npm's own record. */
export function isInstalled(root) {
  const stamp = readJson(join(root, INSTALL_STAMP))
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

// May be for the other C library: its absence proves nothing.
function isForThisMachine({ os, cpu, libc }) {
  return Boolean(os?.includes(process.platform) && cpu?.includes(process.arch) && !libc)
}

function toStamp(root) {
  const lock = createHash('sha256').update(readFileSync(join(root, 'package-lock.json')))
  const major = process.versions.node.split('.')[0]
  return { lock: lock.digest('hex'), machine: `${process.platform} ${process.arch} node${major}` }
}

function writeStamp(root) {
  writeFileSync(join(root, INSTALL_STAMP), `${JSON.stringify(toStamp(root))}\n`)
}

function readJson(file) {
  if (!existsSync(file)) return null
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return null
  }
}

const BUILD_STAMP = 'bellwether-build.txt'

const buildFolder = (root) => join(root, toBuildFolder(readBasePath(process.env)))

export async function ensureBuild(root = ROOT) {
  if (isBuilt(root)) return
  const onWait = () => console.log('Waiting for another build in this folder to end.')
  await withLock(join(buildFolder(root), 'cache/bellwether-build.lock'), () => build(root), {
    onWait,
  })
}

/** The stamp is removed first and written last, so an interrupted build never counts. */
export function isBuilt(root) {
  const folder = buildFolder(root)
  const stamp = join(folder, BUILD_STAMP)
  if (!existsSync(stamp) || !existsSync(join(folder, 'BUILD_ID'))) return false
  return readFileSync(stamp, 'utf8').trim() === fingerprintSources(root)
}

async function build(root) {
  if (isBuilt(root)) return
  console.log('Building the application (next build).')
  const stamp = join(buildFolder(root), BUILD_STAMP)
  rmSync(stamp, { force: true })
  // Computed before the build, so that later changes trigger a rebuild.
  const fingerprint = fingerprintSources(root)
  const env = { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' }
  delete env.BUILD_STANDALONE
  const code = await runNode([NEXT_BIN, 'build'], { cwd: root, env })
  if (code !== 0) fail('The build failed: see the lines above.')
  writeFileSync(stamp, `${fingerprint}\n`)
}

const INPUTS = [
  'app',
  'components',
  'lib',
  'pages',
  'public',
  'instrumentation.ts',
  'instrumentation-client.ts',
  'next.config.mjs',
  'package.json',
  'package-lock.json',
  'postcss.config.mjs',
  'tsconfig.json',
]

const isInput = (name) => !name.startsWith('.') && !/\.(test|spec)\.tsx?$/.test(name)

export function fingerprintSources(root) {
  const hash = createHash('sha256').update(readBasePath(process.env))
  for (const path of INPUTS.flatMap((name) => listFiles(root, name))) {
    const content = readFileSync(join(root, path))
    hash.update(`${path}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}

function listFiles(root, path) {
  const full = join(root, path)
  if (!existsSync(full)) return []
  if (!statSync(full).isDirectory()) return [path]
  return readdirSync(full)
    .filter(isInput)
    .sort()
    .flatMap((name) => listFiles(root, `${path}/${name}`))
}

const PLAYWRIGHT = 'node_modules/@playwright/test/cli.js'
const APT = '/usr/bin/apt-get'

/** The headless shell starts faster. */
const NAMES = [
  'chromium-headless-shell',
  'chrome-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
]

export async function ensureBrowser() {
  const path =
    selectNamed() ??
    selectOnPath() ??
    (await selectPlaywrights()) ??
    (await installPlaywrights()) ??
    (await installPackage())
  if (path) return path
  return fail(
    'No Chromium could be found or installed. Install one (Debian: apt-get install chromium), or set\n' +
      'CHROMIUM_PATH to the one to use.',
  )
}

function selectNamed() {
  const path = process.env.CHROMIUM_PATH
  if (!path) return null
  return usable(path, 'CHROMIUM_PATH') ?? fail(`CHROMIUM_PATH names no browser that runs: ${path}`)
}

function selectOnPath() {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean)
  for (const name of NAMES) {
    for (const folder of folders) {
      const path = join(folder, name)
      const found = existsSync(path) ? usable(path, 'on the PATH') : null
      if (found) return found
    }
  }
  return null
}

async function selectPlaywrights() {
  const { chromium } = await import('@playwright/test')
  const path = chromium.executablePath()
  for (const one of [...findShells(path), path]) {
    const found = existsSync(one) ? usable(one, "Playwright's own") : null
    if (found) return found
  }
  return null
}

/** Playwright reports only the path of the full browser. */
function findShells(path) {
  const folder = path.replace(/chromium-(\d+)[\\/].*$/, 'chromium_headless_shell-$1')
  if (folder === path || !existsSync(folder)) return []
  return readdirSync(folder, { recursive: true })
    .filter((name) => /^(chrome-headless-shell|headless_shell)(\.exe)?$/.test(basename(name)))
    .map((name) => join(folder, name))
}

async function installPlaywrights() {
  console.log('No Chromium on this machine: asking Playwright for its own.')
  const code = await runNode([PLAYWRIGHT, 'install', '--only-shell', 'chromium'])
  return code === 0 ? selectPlaywrights() : null
}

async function installPackage() {
  if (process.getuid?.() !== 0 || !existsSync(APT)) return null
  console.log("Playwright's could not be had or does not run here: installing the distribution's.")
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const updated = await run(APT, ['update'], { env })
  if (updated !== 0) return null
  for (const name of ['chromium-headless-shell', 'chromium']) {
    const args = ['install', '--yes', '--no-install-recommends', name]
    const found = (await run(APT, args, { env })) === 0 ? selectOnPath() : null
    if (found) return found
  }
  return null
}

/** Stubs and browsers with missing libraries do not print a version. */
function usable(path, where) {
  const { status, stdout } = spawnSync(path, ['--version'], { encoding: 'utf8', timeout: 20_000 })
  if (status !== 0 || !/\d+(?:\.\d+){3}/.test(stdout)) return null
  console.log(`${stdout.trim()} (${where}): ${path}`)
  return path
}

const BEAT_MS = 1000

/**
 * The holder touches the file every second; after `staleMs` untouched it is taken over. Process ids
 * would not work: they are reused and differ between containers.
 */
export async function withLock(
  file,
  work,
  { staleMs = 10_000, pollMs = 200, onWait = () => {} } = {},
) {
  mkdirSync(dirname(file), { recursive: true })
  for (let waits = 0; !tryTake(file); waits += 1) {
    if (waits === 0) onWait()
    if (isStale(file, staleMs)) rmSync(file, { force: true })
    else await sleep(pollMs)
  }
  const drop = () => rmSync(file, { force: true })
  const beat = setInterval(() => touch(file), BEAT_MS)
  beat.unref()
  process.on('exit', drop)
  try {
    return await work()
  } finally {
    clearInterval(beat)
    process.off('exit', drop)
    drop()
  }
}

function tryTake(file) {
  try {
    writeFileSync(file, `${process.pid}\n`, { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
}

function isStale(file, staleMs) {
  const stat = statSync(file, { throwIfNoEntry: false })
  return stat !== undefined && Date.now() - stat.mtimeMs > staleMs
}

function touch(file) {
  try {
    utimesSync(file, new Date(), new Date())
  } catch {}
}
