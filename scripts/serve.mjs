import { existsSync, readFileSync } from 'node:fs'
import { createServer, get } from 'node:http'
import { createServer as createSocketServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ROOT, toUrl } from './run.mjs'

/**
 * Longer than the 60 s after which nginx and most load balancers close an idle connection, so that
 * the proxy closes first.
 */
const KEEP_ALIVE_MS = 75_000
const HEADERS_TIMEOUT_MS = 15_000
const CONNECTIONS_MAX = 8000
/**
 * Of a request's address and headers, and the only limit of cookies. Node's 16 KiB are too few:
 * programs on other ports of a host share its cookies.
 */
const HEADERS_MAX_BYTES = 32 * 1024
const LINGER_MS = 2000
const STOP_WITHIN_MS = 9500

/** Published by `lib/server/start.ts`, which the framework loads. */
const selectApplication = () => globalThis[Symbol.for('bellwether.application')]

/**
 * Serves until a signal. Every request goes through the front of the application, which hands the
 * admitted ones to Next.js; until it is there, all are refused.
 */
export async function serve({ host, port, dev = false }) {
  process.env.NODE_ENV ??= dev ? 'development' : 'production'
  process.env.NEXT_TELEMETRY_DISABLED = '1'
  applyStandaloneConfig()
  process.chdir(ROOT)
  ignoreClosedOutput()
  // Never listens: Next.js adds its own listener for upgrades, which must not bypass the front.
  const upgrades = createServer()
  const { default: next } = await import('next')
  const framework = next({ dev, dir: ROOT, hostname: host, port, httpServer: upgrades })
  let handle = null

  const answer = (request, response) => {
    const application = selectApplication()
    if (application && handle) void application.front(request, response, handle)
    else refuse(response)
  }
  const server = createWebServer({
    answer,
    toOverflowRefusal: (packet) => selectApplication()?.toOverflowRefusal(packet),
  })
  // Without a listener, Node treats an upgrade as an ordinary request: only the development server
  // has one, for its own socket.
  if (dev) {
    server.on('upgrade', (request, socket, head) => {
      if (handle && /\/_next\/hmr\b/.test(request.url)) {
        upgrades.emit('upgrade', request, socket, head)
      } else socket.destroy()
    })
  }
  stopOnSignals(server)
  await listen(server, { host, port })
  await framework.prepare()
  handle = framework.getRequestHandler()
}

/** `toOverflowRefusal`: a whole response, by the bytes that were too many. */
export function createWebServer({ answer, toOverflowRefusal }) {
  const server = createServer(
    {
      keepAliveTimeout: KEEP_ALIVE_MS,
      headersTimeout: HEADERS_TIMEOUT_MS,
      // A body is limited by its pace (`lib/server/gate/traffic.ts`), not by one time for all sizes.
      requestTimeout: 0,
      maxHeaderSize: HEADERS_MAX_BYTES,
    },
    answer,
  )
  server.maxConnections = CONNECTIONS_MAX
  server.on('checkContinue', answer)
  server.on('checkExpectation', answer)
  server.on('clientError', (error, socket) => refuseUnreadable(error, socket, toOverflowRefusal))
  return server
}

/** As Node answers by itself. */
const UNREADABLE = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
}

function refuseUnreadable(error, socket, toOverflowRefusal) {
  // A response that has begun cannot be followed by another one.
  if (!socket.writable || socket._httpMessage?.headersSent) return void socket.destroy(error)
  const { code, rawPacket } = error
  const refusal = code === 'HPE_HEADER_OVERFLOW' ? toOverflowRefusal(rawPacket) : undefined
  const status = UNREADABLE[code] ?? '400 Bad Request'
  // Unread bytes would reset the connection, and the client would lose the response.
  socket.removeAllListeners('data')
  socket.on('data', () => {})
  socket.end(refusal ?? `HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`)
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}

/**
 * Without a reader, each line of the log would raise an error, which Next.js logs in turn.
 */
export function ignoreClosedOutput() {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
}

const REFUSAL = 'The server is starting.\n'

function refuse(response) {
  response.writeHead(503, {
    'retry-after': '1',
    'cache-control': 'no-store',
    'content-type': 'text/plain; charset=utf-8',
    'content-length': REFUSAL.length,
  })
  response.end(REFUSAL)
}

function stopOnSignals(server) {
  let isStopping = false
  const stop = async (signal) => {
    if (isStopping) return
    isStopping = true
    setTimeout(() => process.exit(0), STOP_WITHIN_MS).unref()
    server.close()
    await selectApplication()?.stop(signal, () => server.closeAllConnections())
    process.exit(0)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}

function listen(server, { host, port }) {
  return new Promise((resolve) => {
    server.once('error', ({ code }) => {
      console.error(`\n${toObstacle({ host, port }, code)}`)
      process.exit(1)
    })
    server.listen({ host, port, exclusive: true }, resolve)
  })
}

/** A standalone build lacks what reads the configuration, but contains the result. */
function applyStandaloneConfig() {
  const file = join(ROOT, '.next/required-server-files.json')
  if (!existsSync(file)) return
  const { config } = JSON.parse(readFileSync(file, 'utf8'))
  if (config.output === 'standalone') {
    process.env.__NEXT_PRIVATE_STANDALONE_CONFIG = JSON.stringify(config)
  }
}

const REASONS = {
  EADDRINUSE: 'is in use by another program. Stop it, or choose another port: PORT=3001 npm start',
  EACCES: 'needs rights that this user does not have. Choose a port from 1024 up.',
  EADDRNOTAVAIL: 'is not an address of this machine. Set HOST to one that is.',
}

const toObstacle = ({ host, port }, code) =>
  `Port ${port} on ${host} ${REASONS[code] ?? `cannot be used (${code}).`}`

/** Before a slow build. Null if the port can be used. */
export function selectObstacle({ host, port }) {
  return new Promise((resolve) => {
    const server = createSocketServer()
    server.once('error', ({ code }) => resolve(toObstacle({ host, port }, code)))
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(null)))
  })
}

/** Once the application answers. */
export async function announce(address) {
  const url = toUrl(address)
  while (!(await isAnswered(`${url}/api/health`))) await sleep(50)
  console.log(`\nBellwether is at ${url}\n`)
}

function isAnswered(url) {
  return new Promise((resolve) => {
    const request = get(url, { agent: false, timeout: 2000 }, (response) => {
      response.resume()
      resolve(response.headers['x-request-id'] !== undefined)
    })
    request.on('timeout', () => request.destroy())
    request.on('error', () => resolve(false))
  })
}
