import { createServer, get, type IncomingMessage, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { toByteStream } from '#lib/api/byte-stream.ts'
import { runInContext } from '#lib/server/gate/request-context.ts'
import { openTestApi, type TestApi } from '#testing/api/open-api.ts'
import { type Loopback, listenOnLoopback } from '#testing/loopback.ts'
import { createTestContext } from '#testing/server/request-context.ts'
import { answerEvents, answerExport, mountService, sendResponse } from './node-handlers.ts'
import type { SocketHandler } from './on-socket.ts'

let server: Server | undefined
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

async function serve(toBody: (signal: AbortSignal) => ReadableStream<Uint8Array>) {
  const failures: unknown[] = []
  server = createServer((_request, response) => {
    const gone = new AbortController()
    response.once('close', () => gone.abort())
    sendResponse(response, new Response(toBody(gone.signal))).catch((error: unknown) => {
      failures.push(error)
      response.destroy()
    })
  })
  const listening = server
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve))
  const { port } = listening.address() as AddressInfo
  const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
    get({ port, host: '127.0.0.1' }, resolve).on('error', reject)
  })
  return { incoming, failures }
}

async function readAll(incoming: IncomingMessage) {
  let bytes = 0
  for await (const chunk of incoming) bytes += (chunk as Buffer).byteLength
  return bytes
}

const limits = (signal: AbortSignal, onEnd: () => void) => ({
  setTimer: () => () => {},
  idleMs: 60_000,
  wholeMs: 60_000,
  signal,
  onEnd,
})

const CHUNK = new Uint8Array(64 * 1024)

it('a failure half way breaks the connection: a client can never take what came for the whole', async () => {
  async function* failing() {
    yield CHUNK
    yield CHUNK
    throw new Error('the disk is gone')
  }
  let ends = 0
  const { incoming, failures } = await serve((signal) =>
    toByteStream(
      failing(),
      limits(signal, () => {
        ends += 1
      }),
    ),
  )
  expect(incoming.statusCode).toBe(200)
  await expect(readAll(incoming)).rejects.toMatchObject({ code: 'ECONNRESET' })
  expect([ends, failures.length]).toEqual([1, 1])
})

it('a reader who stops reading loses the connection, and the source ends', async () => {
  let [ended, pulled] = [false, 0]
  async function* endless() {
    try {
      for (;;) {
        pulled += 1
        yield CHUNK
      }
    } finally {
      ended = true
    }
  }
  const timers: (() => void)[] = []
  const setTimer = (run: () => void) => {
    timers.push(run)
    return () => void timers.splice(timers.indexOf(run), 1)
  }
  const { incoming } = await serve((signal) =>
    toByteStream(endless(), { ...limits(signal, () => {}), setTimer }),
  )
  incoming.pause()
  await expect
    .poll(async () => {
      const before = pulled
      await new Promise((resolve) => setTimeout(resolve, 20))
      return pulled - before
    })
    .toBe(0)
  for (const run of [...timers]) run()
  await expect(readAll(incoming)).rejects.toMatchObject({ code: 'ECONNRESET' })
  await expect.poll(() => ended).toBe(true)
})

it('a client that goes away ends the source', async () => {
  let ended = false
  async function* endless() {
    try {
      for (;;) yield CHUNK
    } finally {
      ended = true
    }
  }
  const { incoming } = await serve((signal) =>
    toByteStream(
      endless(),
      limits(signal, () => {}),
    ),
  )
  incoming.destroy()
  await expect.poll(() => ended).toBe(true)
})

describe('over HTTP/1.0, where the end of the connection is the end of a file,', () => {
  let test: TestApi
  let loopback: Loopback
  beforeAll(async () => {
    test = await openTestApi({ onDisk: true })
    await test.fill()
    Object.assign(globalThis, { [Symbol.for('bellwether.runtime')]: { current: async () => test } })
    const routes: [string, SocketHandler][] = [
      ['/api/events', answerEvents],
      ['/api/v1/', mountService],
      ['/api/', answerExport],
    ]
    loopback = await listenOnLoopback(
      createServer((incoming, outgoing) => {
        const { url = '/' } = incoming
        const [, handler] = routes.find(([start]) => url.startsWith(start)) ?? []
        void runInContext(createTestContext({ url }), () => handler?.(incoming, outgoing))
      }),
    )
  })
  afterAll(async () => {
    await loopback.close()
    await test.close()
  })

  const send = (path: string, { method = 'GET', version = '1.0', headers = '' } = {}) => {
    const socket = connect(loopback.port, '127.0.0.1')
    const close = version === '1.0' ? '' : 'Connection: close\r\n'
    socket.write(`${method} ${path} HTTP/${version}\r\nHost: a\r\n${close}${headers}\r\n`)
    return socket
  }
  const ask = async (...asked: Parameters<typeof send>) => {
    const answer = await text(send(...asked))
    const [head = '', body = ''] = answer.split('\r\n\r\n')
    return { status: Number(head.split(' ')[1]), head, body }
  }

  it.each([
    'ratings.csv?rating=5',
    'ratings.json',
    'ratings.ndjson',
    'symbols.csv',
    'users.csv',
    'calls.csv',
    'lookups.csv',
    'audit.csv',
  ])('refuses %s, which has no length, and names the line for the proxy', async (file) => {
    const { status, head, body } = await ask(`/api/${file}`)
    expect(status).toBe(505)
    expect(head).not.toMatch(/content-disposition|bellwether-rows/i)
    const { error } = JSON.parse(body)
    expect(error.type).toBe('http_version_not_supported')
    expect(error.message).toContain('proxy_http_version 1.1;')
    const modern = await ask(`/api/${file}`, { version: '1.1' })
    expect(modern.status).toBe(200)
    expect(modern.head).toMatch(/^transfer-encoding: chunked$/im)
  })

  it.each(['ratings.parquet', 'rejects.ndjson', 'v1/posts/dumps'])(
    'sends %s with its length',
    async (file) => {
      const headers = 'Accept-Encoding: gzip\r\n'
      const { status, head } = await ask(
        `/api/${file}${file.startsWith('v1/') ? `?api_key=${test.key}` : ''}`,
        { headers },
      )
      expect([status, head]).toEqual([200, expect.stringMatching(/^content-length: \d+$/im)])
      expect(head).not.toMatch(/content-encoding/i)
    },
  )
})
