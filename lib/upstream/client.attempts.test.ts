import { expect, test } from 'vitest'
import {
  anEnvelope,
  listen,
  listenRaw,
  openClient,
  rejection,
} from '#testing/upstream/scripted-service.ts'

const OK = anEnvelope([])

test('a request that fails twice and then works is sent three times, with growing jittered waits', async () => {
  const { baseUrl, requests } = await listen((_, response, count) =>
    response.writeHead(count < 3 ? 503 : 200).end(OK),
  )
  const { upstream, sleeps, ledger } = await openClient({ baseUrl })
  await upstream.fetchPage(1)
  expect(requests).toHaveLength(3)
  expect(sleeps).toEqual([250, 500])
  expect(ledger.budget({ perMinute: null, perMonth: null }).month.used).toBe(3)
})

test('no attempt goes past a limit, retries included', async () => {
  const { baseUrl, requests } = await listen((_, response) => response.writeHead(503).end())
  const { upstream } = await openClient({ baseUrl, limits: { perMinute: null, perMonth: 2 } })
  expect(await rejection(upstream.fetchDump('posts'))).toMatchObject({
    fault: 'budget_spent',
    retryAfterSeconds: expect.any(Number),
  })
  expect(requests).toHaveLength(2)
  expect(upstream.budget().month).toEqual({ limit: 2, used: 2 })
})

test('each call is charged to its purpose, retries included', async () => {
  const { baseUrl } = await listen((_, response, count) =>
    response.writeHead(count === 1 ? 500 : 200).end(OK),
  )
  const { upstream } = await openClient({ baseUrl })
  await upstream.fetchPage(1, { purpose: 'people' })
  await upstream.fetchPage(0)
  await rejection(upstream.fetchDump('posts'))
  await rejection(upstream.fetchDump('lookups', { purpose: 'people' }))
  expect(upstream.budget().spent).toEqual({ dump: 1, follow: 1, people: 3 })
})

const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n'

test('a reset in the middle of a body is tried again', async () => {
  const { baseUrl, requests } = await listenRaw((socket, count) => {
    if (count > 1) return void socket.end(`${HEAD}Content-Length: ${OK.length}\r\n\r\n${OK}`)
    socket.write(`${HEAD}Content-Length: ${OK.length}\r\n\r\n${OK.slice(0, 9)}`, () =>
      socket.resetAndDestroy(),
    )
  })
  const { upstream } = await openClient({ baseUrl })
  await upstream.fetchPage(1)
  expect(requests).toHaveLength(2)
})

test('a body cut at any byte is never taken for a page', async () => {
  const body = anEnvelope([{ id: 1 }])
  for (const framing of ['length', 'chunked', 'none']) {
    for (let cut = 0; cut < body.length; cut += 5) {
      const { baseUrl } = await listenRaw((socket) => {
        const part = body.slice(0, cut)
        if (framing === 'length') socket.end(`${HEAD}Content-Length: ${body.length}\r\n\r\n${part}`)
        else if (framing === 'none') socket.end(`${HEAD}Connection: close\r\n\r\n${part}`)
        else {
          const chunk = `${body.length.toString(16)}\r\n${part}`
          socket.end(`${HEAD}Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n${chunk}`)
        }
      })
      const { upstream } = await openClient({ baseUrl })
      expect(await rejection(upstream.fetchPage(1))).toMatchObject({
        fault: framing === 'none' ? 'upstream_contract' : 'upstream_unavailable',
      })
    }
  }
})

test('what is not HTTP is a broken contract and not sent again', async () => {
  const { baseUrl, requests } = await listenRaw((socket) => socket.end('SSH-2.0-OpenSSH\r\n'))
  const { upstream } = await openClient({ baseUrl })
  expect(await rejection(upstream.fetchPage(1))).toMatchObject({ fault: 'upstream_contract' })
  expect(requests).toHaveLength(1)
})

test('silence before the headers ends at its limit and is tried again', async () => {
  const { baseUrl, requests } = await listenRaw((socket, count) => {
    if (count > 1) socket.end(`${HEAD}Content-Length: ${OK.length}\r\n\r\n${OK}`)
  })
  const { upstream, sleeps } = await openClient({ baseUrl, timeLimits: { headersMs: 800 } })
  await upstream.fetchPage(1)
  expect(requests).toHaveLength(2)
  expect(sleeps).toHaveLength(1)
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
  const failing = await listen((_, response) => response.writeHead(503).end())
  const untilAborted = (_: number, signal: AbortSignal) =>
    new Promise<void>((_, reject) => signal.addEventListener('abort', () => reject('asleep')))
  for (const { baseUrl, requests } of [silent, halting, failing]) {
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
