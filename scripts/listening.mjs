import { get } from 'node:http'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { toUrl } from './environment.mjs'

const REASONS = {
  EADDRINUSE: 'is in use by another program. Stop it, or choose another port: PORT=3001 npm start',
  EACCES: 'needs rights that this user does not have. Choose a port from 1024 up.',
  EADDRNOTAVAIL: 'is no address of this machine. Set HOST to one that is.',
}

/** Why nothing can listen there, as a sentence for people; null where something can. */
export function selectObstacle({ host, port }) {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', ({ code }) => {
      resolve(`Port ${port} on ${host} ${REASONS[code] ?? `cannot be used (${code}).`}`)
    })
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(null)))
  })
}

/** Waits for the first answer of the server in this process, then says where it is. */
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
