import { existsSync } from 'node:fs'
import { get } from 'node:http'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ROOT, toUrl } from './run.mjs'

const NEXT = 'next/dist/bin/next'
/** In an installed package, Next.js is beside it and not within. */
const besideUs = join(ROOT, '..', NEXT)

export const NEXT_BIN = existsSync(besideUs) ? besideUs : join(ROOT, 'node_modules', NEXT)

/**
 * Longer than the 60 s after which nginx and most load balancers close an idle connection, so that
 * the proxy closes first.
 */
export const KEEP_ALIVE_MS = 75_000

/**
 * Runs Next.js in this process. In production the application handles signals
 * (`lib/server/start.ts`); in development Next.js exits with 130 or 143, which becomes 0.
 */
export function becomeNext(args) {
  process.env.NEXT_TELEMETRY_DISABLED = '1'
  if (args[0] === 'start') process.env.NEXT_MANUAL_SIG_HANDLE = '1'
  process.on('exit', (code) => {
    if (code === 130 || code === 143) process.exitCode = 0
  })
  process.chdir(ROOT)
  process.argv = [process.execPath, NEXT_BIN, ...args]
  createRequire(import.meta.url)(NEXT_BIN)
}

const REASONS = {
  EADDRINUSE: 'is in use by another program. Stop it, or choose another port: PORT=3001 npm start',
  EACCES: 'needs rights that this user does not have. Choose a port from 1024 up.',
  EADDRNOTAVAIL: 'is no address of this machine. Set HOST to one that is.',
}

/** Null if the port can be used. */
export function selectObstacle({ host, port }) {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', ({ code }) => {
      resolve(`Port ${port} on ${host} ${REASONS[code] ?? `cannot be used (${code}).`}`)
    })
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(null)))
  })
}

export async function announce(address) {
  const url = toUrl(address)
  while (!(await answers(`${url}/api/health`))) await sleep(50)
  console.log(`\nBellwether is at ${url}\n`)
}

function answers(url) {
  return new Promise((resolve) => {
    const request = get(url, { agent: false, timeout: 2000 }, (response) => {
      response.resume()
      resolve(true)
    })
    request.on('timeout', () => request.destroy())
    request.on('error', () => resolve(false))
  })
}
