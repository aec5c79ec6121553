import { expect, test } from 'vitest'
import {
  anEnvelope,
  listen,
  listenRaw,
  openClient,
  rejection,
} from './scripted-service.test-support.ts'
import { TIME_LIMITS } from './time-limits.ts'

const OK = anEnvelope([])
const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n'

test('silence before the headers ends at its limit and is tried again', async () => {
  const { baseUrl, requests } = await listenRaw((socket, count) => {
    if (count > 1) socket.end(`${HEAD}Content-Length: ${OK.length}\r\n\r\n${OK}`)
  })
  const { upstream, sleeps } = await openClient({ baseUrl, timeLimits: { headersMs: 800 } })
  await upstream.fetchPage(1)
  expect(requests).toHaveLength(2)
  expect(sleeps).toHaveLength(1)
})

test('silence for good is a timeout', async () => {
  const { baseUrl } = await listenRaw(() => {})
  const { upstream } = await openClient({ baseUrl, timeLimits: { headersMs: 20 } })
  expect(await rejection(upstream.fetchPage(1))).toMatchObject({ fault: 'upstream_timeout' })
})

test('a body that stands still, and one that drips without end, are timeouts', async () => {
  for (const everyMs of [5, 10_000]) {
    const { baseUrl } = await listenRaw((socket) => {
      socket.write(`${HEAD}Content-Length: 100000\r\n\r\n`)
      const drip = setInterval(() => socket.write(' '), everyMs)
      socket.on('close', () => clearInterval(drip))
    })
    const timeLimits = { headersMs: 500, pageMs: 60, pageIdleMs: 40, callMs: 2000 }
    const { upstream } = await openClient({ baseUrl, timeLimits })
    expect(await rejection(upstream.fetchPage(1))).toMatchObject({ fault: 'upstream_timeout' })
  }
})

test('all attempts together end at their limit', async () => {
  const { baseUrl, requests } = await listenRaw(() => {})
  const timeLimits = { headersMs: 500, callMs: 900 }
  const { upstream } = await openClient({ baseUrl, timeLimits })
  expect(await rejection(upstream.fetchPage(1))).toMatchObject({ fault: 'upstream_timeout' })
  expect(requests).toHaveLength(2)
})

test('a transport that is deaf to the signal does not hold anybody', async () => {
  let late = () => {}
  let isCancelled = false
  const body = new ReadableStream({
    cancel() {
      isCancelled = true
    },
  })
  const { upstream } = await openClient({
    baseUrl: new URL('http://in.process'),
    timeLimits: { headersMs: 400, callMs: 600 },
    transport: () =>
      new Promise((resolve) => {
        late = () => resolve(new Response(body))
      }),
  })
  expect(await rejection(upstream.fetchPage(1))).toMatchObject({ fault: 'upstream_timeout' })
  late()
  await expect.poll(() => isCancelled).toBe(true)
})

test('whoever gives up is let go at once, wherever the call stands, with their own reason', async () => {
  const reason = new Error('enough')
  const silent = await listenRaw(() => {})
  const halting = await listenRaw((socket) => socket.write(`${HEAD}Content-Length: 9\r\n\r\n{`))
  const ailing = await listen((_, response) => response.writeHead(503).end())
  const untilAborted = (_: number, signal: AbortSignal) =>
    new Promise<void>((_, reject) => signal.addEventListener('abort', () => reject('asleep')))
  for (const { baseUrl, requests } of [silent, halting, ailing]) {
    const timeLimits = { headersMs: 9000, pageIdleMs: 9000, pageMs: 9000, callMs: 9000 }
    const { upstream } = await openClient({ baseUrl, timeLimits, sleep: untilAborted })
    const controller = new AbortController()
    const page = rejection(upstream.fetchPage(1, { signal: controller.signal }))
    while (requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 1))
    setTimeout(() => controller.abort(reason), 10)
    expect(await page).toBe(reason)
    expect(await rejection(upstream.fetchPage(1, { signal: controller.signal }))).toBe(reason)
    expect(requests).toHaveLength(1)
  }
  await expect.poll(() => silent.open() + halting.open()).toBe(0)
})

test('the limits: 10 s to the headers, a page in 60 s without a stop of 15, a dump at 50 kB a second', () => {
  const { headersMs, pageMs, pageIdleMs, dumpIdleMs, dumpIdleBytes } = TIME_LIMITS
  expect({ headersMs, pageMs, pageIdleMs }).toEqual({
    headersMs: 10_000,
    pageMs: 60_000,
    pageIdleMs: 15_000,
  })
  expect(dumpIdleMs).toBe(30_000)
  expect(dumpIdleBytes / dumpIdleMs).toBe(50)
})
