import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('..', import.meta.url))
export const NEXT_BIN = join(ROOT, 'node_modules/next/dist/bin/next')

const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP']

/**
 * Resolves with the exit code; rejects if `stop` aborts. Forwards signals. Inherits stdio unless
 * `print` is given.
 */
export function run(command, args, { cwd = ROOT, env = process.env, print, stop } = {}) {
  return new Promise((resolve, reject) => {
    const stdio = print ? ['ignore', 'pipe', 'pipe'] : 'inherit'
    const child = spawn(command, args, { cwd, env, stdio, signal: stop })
    for (const stream of print ? [child.stdout, child.stderr] : []) {
      stream.setEncoding('utf8').on('data', print)
    }
    let received = null
    const forward = (signal) => {
      received = signal
      child.kill(signal)
    }
    for (const signal of FORWARDED) process.on(signal, forward)
    const release = () => {
      for (const signal of FORWARDED) process.off(signal, forward)
    }
    child.on('error', (error) => {
      release()
      reject(error)
    })
    child.on('close', (code, signal) => {
      release()
      const killedBy = received ?? signal
      if (received) process.exit(128 + constants.signals[received])
      resolve(code ?? 128 + constants.signals[killedBy])
    })
  })
}

export const runNode = (args, options) => run(process.execPath, args, options)

/** npm's shell dies on SIGTERM without forwarding it, so losing the parent counts as SIGTERM. */
export function endWithNpm() {
  if (!process.env.npm_lifecycle_event) return
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    process.kill(process.pid, 'SIGTERM')
  }, 100)
  timer.unref()
}

export function fail(message) {
  console.error(`\n${message}`)
  process.exit(1)
}

/** Existing variables take precedence. */
export function loadEnvFile() {
  const file = join(ROOT, '.env')
  if (existsSync(file)) process.loadEnvFile(file)
}

/** Exits with 78 after listing every problem. */
export function parseAddress() {
  const { status, stdout } = spawnSync(process.execPath, typescript('scripts/check-env.ts'), {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (status !== 0) process.exit(status ?? 1)
  return JSON.parse(stdout)
}

/** `server-only` requires the `react-server` condition. */
export const typescript = (file, ...args) => [
  '--conditions=react-server',
  '--import',
  'tsx',
  file,
  ...args,
]

export function toUrl({ host, port, basePath }) {
  const everywhere = host === '0.0.0.0' || host === '::'
  const name = everywhere ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}${basePath}`
}

const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
const [major, minor] = manifest.engines.node.replace(/^\D+/, '').split('.').map(Number)
const [ourMajor, ourMinor] = process.versions.node.split('.').map(Number)

if (ourMajor < major || (ourMajor === major && ourMinor < minor)) {
  console.error(
    `Bellwether needs Node ${major}.${minor} or newer; this is Node ${process.versions.node}.`,
  )
  process.exit(1)
}
