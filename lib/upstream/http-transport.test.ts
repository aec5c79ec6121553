import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { createHttpTransport } from './http-transport.ts'
import { listen, listenRaw, rejection } from './scripted-service.test-support.ts'

function open(options?: Parameters<typeof createHttpTransport>[0]) {
  const transport = createHttpTransport(options)
  onTestFinished(() => transport.close())
  return transport
}

test('a body comes as it was sent: encoded, with the headers that speak of it', async () => {
  const bytes = gzipSync('hello')
  const { baseUrl } = await listen((request, response) => {
    const headers = {
      'content-encoding': 'gzip',
      'content-length': bytes.length,
      'x-asked': request.headers['accept-encoding'],
    }
    response.writeHead(203, { ...headers, 'set-cookie': ['a=1', 'b=2'] }).end(bytes)
  })
  const answer = await open()(new Request(baseUrl))
  expect(answer.status).toBe(203)
  expect(answer.headers.get('content-encoding')).toBe('gzip')
  expect(answer.headers.get('content-length')).toBe(String(bytes.length))
  expect(answer.headers.get('x-asked')).toBe('gzip')
  expect(answer.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(bytes)
})

test('what a request asks for itself is not changed', async () => {
  const { baseUrl } = await listen((request, response) =>
    response.end(request.headers['accept-encoding']),
  )
  const request = new Request(baseUrl, { headers: { 'accept-encoding': 'identity' } })
  expect(await (await open()(request)).text()).toBe('identity')
})

test('a redirect comes as an answer', async () => {
  const { baseUrl, requests } = await listen((_, response) =>
    response.writeHead(302, { location: '/there' }).end(),
  )
  expect((await open()(new Request(baseUrl))).status).toBe(302)
  expect(requests).toHaveLength(1)
})

test('nothing but GET and HEAD is carried', async () => {
  const { baseUrl, requests } = await listen((_, response) => response.end())
  const error = await rejection(open()(new Request(baseUrl, { method: 'POST' })))
  expect(error).toMatchObject({ name: 'TransportFailure', kind: 'unknown' })
  expect(requests).toEqual([])
})

test.each([204, 205, 304])('a %i has no body', async (status) => {
  const { baseUrl } = await listen((_, response) => response.writeHead(status).end())
  expect((await open()(new Request(baseUrl))).body).toBe(null)
})

test('headers without end are refused', async () => {
  const { baseUrl } = await listenRaw((socket) => {
    socket.end(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`)
  })
  expect(await rejection(open()(new Request(baseUrl)))).toMatchObject({ kind: 'protocol' })
})

test('a body is taken from the socket only as fast as it is read, and ends with its reader', async () => {
  let sent = 0
  const { baseUrl, open: opened } = await listenRaw((socket) => {
    socket.write('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n')
    const piece = Buffer.alloc(65_536)
    const pour = () => {
      while (!socket.destroyed && sent < 500_000_000) {
        sent += piece.length
        if (!socket.write(piece)) return void socket.once('drain', pour)
      }
    }
    pour()
  })
  const reader = (await open()(new Request(baseUrl))).body?.getReader()
  for (let count = 0; count < 3; count += 1) expect((await reader?.read())?.done).toBe(false)
  let before = -1
  await expect
    .poll(
      () => {
        const stood = sent === before
        before = sent
        return stood
      },
      { interval: 30 },
    )
    .toBe(true)
  // What the kernel's buffers on both sides hold, and nothing like the whole.
  expect(sent).toBeLessThan(50_000_000)
  await reader?.cancel()
  await expect.poll(opened).toBe(0)
})

test('giving up before the headers ends the connection', async () => {
  const { baseUrl, open: opened, requests } = await listenRaw(() => {})
  const controller = new AbortController()
  const answer = rejection(open()(new Request(baseUrl, { signal: controller.signal })))
  await expect.poll(() => requests.length).toBe(1)
  controller.abort()
  expect(await answer).toMatchObject({ name: 'TransportFailure' })
  await expect.poll(opened).toBe(0)
})

test('a connection that breaks while nobody reads ends nothing but itself', async () => {
  const { baseUrl } = await listenRaw((socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx', () => socket.resetAndDestroy())
  })
  const answer = await open()(new Request(baseUrl))
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(await rejection(answer.text())).toMatchObject({ kind: 'network' })
})

test('no more connections are opened than allowed', async () => {
  let most = 0
  let now = 0
  const { baseUrl } = await listen((_, response) => {
    now += 1
    most = Math.max(most, now)
    setTimeout(() => {
      now -= 1
      response.end()
    }, 5)
  })
  const transport = open({ connections: 2 })
  const asked = Array.from({ length: 8 }, async () =>
    (await transport(new Request(baseUrl))).text(),
  )
  await Promise.all(asked)
  expect(most).toBe(2)
})
