import { createServer, get, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { toByteStream } from '#lib/api/byte-stream.ts'
import { sendResponse } from './node-handlers.ts'

let server: Server
afterEach(() => {
  server.closeAllConnections()
  server.close()
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
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
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
