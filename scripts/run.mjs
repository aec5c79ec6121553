import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of the repository. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url))

const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP']

/**
 * Runs a program to its end and gives its exit code. It has our terminal, unless `print` is to get what it prints. A
 * signal that reaches us is passed on, and when the program has ended for it, so do we: nothing is left running behind.
 * Rejects where `stop` (an AbortSignal) ends it.
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

/** The same for a script, in the Node that runs us. */
export const runNode = (args, options) => run(process.execPath, args, options)

/**
 * `npm start` runs us through a shell. A SIGTERM to npm is passed on to that shell, which dies of it and tells nobody:
 * the server would live on, unseen, on its port. So whoever loses its parent under npm takes that for the signal.
 */
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

/** Ends the process with a sentence for people, without a stack. */
export function fail(message, exitCode = 1) {
  console.error(`\n${message}`)
  process.exit(exitCode)
}

/** Adds what `.env` says to the environment; what is set already stays. */
export function loadEnvFile() {
  const file = join(ROOT, '.env')
  if (existsSync(file)) process.loadEnvFile(file)
}

/**
 * Where the dashboard is to be found, `{ host, port, basePath }`, by the application's own reading of the environment. Anything
 * wrong in it ends the process with 78 (a mistake in the configuration) once every problem is listed.
 */
export function parseAddress() {
  const { status, stdout } = spawnSync(process.execPath, typescript('scripts/check-env.ts'), {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (status !== 0) process.exit(status ?? 1)
  return JSON.parse(stdout)
}

/**
 * Arguments for Node to run one of our TypeScript files. The condition is the one under which `server-only`, which
 * guards the files of lib/server, lets itself be imported.
 */
export const typescript = (file, ...args) => [
  '--conditions=react-server',
  '--import',
  'tsx',
  file,
  ...args,
]

/** The address to type into a browser on this machine. */
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
