import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './run.mjs'

/** Adds what `.env` says to the environment; what is set already stays. */
export function loadEnvFile() {
  const file = join(ROOT, '.env')
  if (existsSync(file)) process.loadEnvFile(file)
}

/**
 * Where the dashboard is to listen, `{ host, port }`, by the application's own reading of the environment. Anything
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
export function toUrl({ host, port }) {
  const everywhere = host === '0.0.0.0' || host === '::'
  const name = everywhere ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}`
}
